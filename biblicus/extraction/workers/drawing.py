"""Pages of PDFs drawn in guarded worker processes: a page may hold anything, and its picture is checked like a text."""

from __future__ import annotations

import json
import os
import select
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from biblicus.errors import BadData, ExtractionFailed
from biblicus.guards.process import (
    OUT_OF_MEMORY,
    End,
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
_IDLE = 60.0
"""Seconds that a worker waits for the next page before it ends."""
_KEPT = 2
"""Workers that wait."""
_LONGEST_REASON = 300
_Frame = tuple[dict[str, Any], bytes]
_OTHER = "the drawer's answer is not what was agreed"


# --- inside the worker ---


def main(limits_json: str) -> None:
    """Draws pages until the parent closes the pipe, or asks for none for as long as it said."""
    limits = Limits(**json.loads(limits_json))
    answers = os.dup(1)
    os.dup2(2, 1)  # a parser that prints must not write into the answers
    confine(limits)
    idle: float | None = None
    while select.select([0], [], [], idle)[0] and (task := receive(0)) is not None:
        begin_task(limits)
        header, body = _drawn(*task)
        end_task()
        send(answers, header, body)
        idle = task[0]["idle"]


def _drawn(header: Mapping[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
    """One page, whatever happens."""
    from biblicus.extraction.pages.page_image import draw  # lazy: the parser stays out of the parent

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


class Drawer:
    """Draws pages, each in a worker that draws nothing else meanwhile. One that is done waits for the next page: to
    start it takes longer than most pages do. `idle`: seconds that it waits. Safe for several threads."""

    def __init__(self, idle: float = _IDLE) -> None:
        self._idle = idle
        self._waiting: list[Worker] = []
        self._lock = threading.Lock()

    def draw(
        self,
        raw: bytes,
        page: int,
        pixels: int,
        text: str | None,
        spans: Sequence[tuple[int, int]],
        limits: Limits,
        call: Call,
        shares: Sequence[Box] = (),
    ) -> Drawn:
        """What `page_image.draw` gives. Raises `ExtractionFailed`, and where the call ends."""
        asked = {"page": page, "pixels": pixels, "text": text, "spans": spans, "shares": shares, "idle": self._idle}
        if (waited := self._waited(limits)) is not None:
            answer = self._answer(waited, asked, raw, call)
            if not isinstance(answer, End) or answer.timed_out:
                return _drawing(answer, page, pixels)
            # It had ended while it waited, or had too little room left: a fresh one decides.
        return _drawing(
            self._answer(Worker("biblicus.extraction.workers.drawing", limits), asked, raw, call), page, pixels
        )

    def close(self) -> None:
        """End the workers that wait."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for worker in waiting:
            worker.kill()

    def _waited(self, limits: Limits) -> Worker | None:
        """A worker that waits, with these limits; those with others are ended."""
        with self._lock:
            fitting = [worker for worker in self._waiting if worker.limits == limits]
            others = [worker for worker in self._waiting if worker.limits != limits]
            worker = fitting.pop() if fitting else None
            self._waiting = fitting
        for other in others:
            other.kill()
        return worker

    def _answer(self, worker: Worker, asked: Mapping[str, Any], raw: bytes, call: Call) -> _Frame | End:
        """The worker's answer, after which it waits, or its end."""
        is_done = False
        try:
            worker.touch()
            worker.post(asked, raw)
            while True:
                wait([worker], _LOOK)
                call.check()
                alive = worker.pump()
                if (frame := worker.answer()) is not None:
                    is_done = True
                    return frame
                if not alive or worker.overdue():
                    return worker.stop()
        except BadData as error:
            raise ExtractionFailed(_OTHER) from error
        finally:
            with self._lock:
                is_kept = is_done and len(self._waiting) < _KEPT
                if is_kept:
                    self._waiting.append(worker)
            if not is_kept:
                worker.kill()


def _drawing(answer: _Frame | End, page: int, pixels: int) -> Drawn:
    """The picture of an answer. Raises `ExtractionFailed` for an end, and for what is no picture."""
    if isinstance(answer, End):
        raise ExtractionFailed(answer.cause)
    return checked(*answer, page, pixels)


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
