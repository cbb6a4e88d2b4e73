"""Renders PDF pages in sandboxed worker processes and validates the images they return."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from biblicus.errors import BadData, ExtractionFailed
from biblicus.guards.process import End, Limits, Say, Worker, reply, serve
from biblicus.models.page_image import Box, Drawn

if TYPE_CHECKING:
    from biblicus.contracts import Call

_IDLE = 60.0
"""Seconds that an idle worker waits for the next page."""
_KEPT = 2
"""Maximum idle workers."""
_LONGEST_REASON = 300
_Frame = tuple[dict[str, Any], bytes]
_OTHER = "the drawer's answer is not what was agreed"


# --- in the worker ---


def main(limits_json: str) -> None:
    """Render pages until the parent closes the pipe or sends none for the idle time."""
    serve(limits_json, _drawn)


def _drawn(header: Mapping[str, Any], body: bytes, say: Say) -> tuple[Mapping[str, Any], bytes]:
    """Render one page and catch every error."""
    from biblicus.extraction.pdf.page_image import draw  # lazy: the parser stays out of the parent

    try:
        drawn = draw(
            body, header["page"], header["pixels"], header["text"], header["spans"], header["shares"], header["crop"]
        )
    except MemoryError:
        raise
    except ExtractionFailed as error:
        return {"failed": error.reason}, b""
    except Exception as error:  # a parser may raise anything on a broken file
        return {"failed": f"{type(error).__name__}: {error}"[:_LONGEST_REASON]}, b""
    return {name: value for name, value in drawn._asdict().items() if name != "png"}, drawn.png


# --- in the parent ---


class Drawer:
    """Renders pages in worker processes, one page at a time in each. Safe for several threads. Workers stay alive
    between pages, as starting one takes longer than most pages. `idle`: seconds they wait."""

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
        crop: bool = False,
    ) -> Drawn:
        """Return the result of `page_image.draw`. Raises `ExtractionFailed`, and when the call is cancelled."""
        drawing = {"page": page, "pixels": pixels, "text": text, "spans": spans, "shares": shares, "crop": crop}
        task = {**drawing, "idle": self._idle}
        if (waited := self._waited(limits)) is not None:
            answer = self._answer(waited, task, raw, call)
            if not isinstance(answer, End) or answer.timed_out:
                return _drawing(answer, page, pixels)
            # The idle worker had ended or had too little memory left: use a fresh one.
        return _drawing(
            self._answer(Worker("biblicus.extraction.workers.drawing", limits), task, raw, call), page, pixels
        )

    def close(self) -> None:
        """End the idle workers."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for worker in waiting:
            worker.kill()

    def _waited(self, limits: Limits) -> Worker | None:
        """Return an idle worker with these limits, and end those with others."""
        with self._lock:
            fitting = [worker for worker in self._waiting if worker.limits == limits]
            others = [worker for worker in self._waiting if worker.limits != limits]
            worker = fitting.pop() if fitting else None
            self._waiting = fitting
        for unfit_worker in others:
            unfit_worker.kill()
        return worker

    def _answer(self, worker: Worker, asked: Mapping[str, Any], raw: bytes, call: Call) -> _Frame | End:
        """Return the worker's reply and keep the worker idle, or return how it ended."""
        is_done = False
        try:
            answer = reply(worker, call, (asked, raw))
            is_done = not isinstance(answer, End)
            return answer
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
    """Return the image of a reply. Raises `ExtractionFailed` for a worker's end or an invalid image."""
    if isinstance(answer, End):
        raise ExtractionFailed(answer.cause)
    return checked(*answer, page, pixels)


def checked(header: Mapping[str, Any], png: bytes, page: int, pixels: int) -> Drawn:
    """Return the image after validating every field, since the sender may be compromised."""
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
