"""An extractor of PDFs that hangs, stumbles, or ends its worker, while `hang`, `stumble`, `end` or `kill` lies in the
folder that they name."""

import os
import signal
import threading
from pathlib import Path

from biblicus.contracts import Given, MediaHint
from biblicus.models.extraction import Extraction
from biblicus.models.frozen import dataclass
from biblicus.models.records import Record

MEDIA_TYPES = ("application/pdf",)
VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """None. Without a validator, as those of our own extractors: it would be most of what a worker takes to start."""


class Hanging:
    guarded = True

    def __init__(self) -> None:
        self.fingerprint = f"hanging/{VERSION}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction:
        folder = Path(raw.decode().splitlines()[1])
        if (folder / "end").exists():
            os._exit(3)
        if (folder / "kill").exists():
            os.kill(os.getpid(), signal.SIGKILL)
        if (folder / "stumble").exists():
            raise OSError("no such font")
        if (folder / "hang").exists():
            threading.Event().wait()
        return Extraction(f"A whale, as {raw.decode().splitlines()[2]} has it.")


def build(options: Options, given: Given) -> Hanging:
    return Hanging()
