"""Pages of PDFs drawn in a guarded worker process: a page may hold anything, and its picture is checked like a text."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from biblicus.errors import BadData, ExtractionFailed
from biblicus.guards.process import (
    OUT_OF_MEMORY,
    Limits,
    Worker,
    begin_task,
    confine,
    end_task,
    receive,
    send,
    wait,
)
from biblicus.models.page_image import Box, Drawn

if TYPE_CHECKING:
    from biblicus.contracts import Call

_LOOK = 0.25
"""Seconds between looks at whether the caller still waits."""
_LONGEST_REASON = 300
_OTHER = "the drawer's answer is not what was agreed"


# --- inside the worker ---


def main(limits_json: str) -> None:
    """Draws pages until the parent closes the pipe."""
    limits = Limits(**json.loads(limits_json))
    answers = os.dup(1)
    os.dup2(2, 1)  # a parser that prints must not write into the answers
    confine(limits)
    while (task := receive(0)) is not None:
        begin_task(limits)
        header, body = _drawn(*task)
        end_task()
        send(answers, header, body)


def _drawn(header: Mapping[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
    """One page, whatever happens."""
    from biblicus.extraction.pdf.page_image import draw  # lazy: the parser stays out of the parent

    try:
        drawn = draw(body, header["page"], header["pixels"], header["text"], header["spans"], header["shares"])
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except ExtractionFailed as error:
        return {"failed": error.reason}, b""
    except Exception as error:  # a parser may raise anything on a broken file
        return {"failed": f"{type(error).__name__}: {error}"[:_LONGEST_REASON]}, b""
    return {name: value for name, value in drawn._asdict().items() if name != "png"}, drawn.png


# --- inside the parent ---


def drawn_in_worker(
    raw: bytes,
    page: int,
    pixels: int,
    text: str | None,
    spans: Sequence[tuple[int, int]],
    limits: Limits,
    call: Call,
    shares: Sequence[Box] = (),
) -> Drawn:
    """What `page_image.draw` gives, from a worker of its own. Raises `ExtractionFailed`, and where the call ends."""
    worker = Worker("biblicus.extraction.workers.drawing", limits)
    try:
        worker.post({"page": page, "pixels": pixels, "text": text, "spans": spans, "shares": shares}, raw)
        while True:
            wait([worker], _LOOK)
            call.check()
            alive = worker.pump()
            if (frame := worker.answer()) is not None:
                return checked(*frame, page, pixels)
            if not alive or worker.overdue():
                raise ExtractionFailed(worker.stop().cause)
    except ExtractionFailed:
        raise
    except BadData as error:
        raise ExtractionFailed(_OTHER) from error
    finally:
        worker.kill()


def checked(header: Mapping[str, Any], png: bytes, page: int, pixels: int) -> Drawn:
    """The picture, where every field of it is what it should be: the sender may be hostile."""
    if isinstance(reason := header.get("failed"), str):
        raise ExtractionFailed(" ".join(reason.split())[:_LONGEST_REASON])
    try:
        numbers = [header[name] for name in ("width", "height", "pages", "unplaced")]
        boxes = tuple((left, top, right, bottom) for left, top, right, bottom in header["boxes"])
    except (KeyError, TypeError, ValueError) as error:
        raise ExtractionFailed(_OTHER) from error
    width, height, pages, unplaced = numbers
    edges = [edge for box in boxes for edge in box]
    if (
        all(type(number) is int and number >= 0 for number in [*numbers, *edges])
        and 1 <= width * height <= pixels
        and page <= pages
        and all(left < right <= width and top < bottom <= height for left, top, right, bottom in boxes)
        and png.startswith(b"\x89PNG\r\n\x1a\n")
    ):
        return Drawn(png, width, height, pages, boxes, unplaced)
    raise ExtractionFailed(_OTHER)
