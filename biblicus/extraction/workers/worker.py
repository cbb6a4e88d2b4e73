"""Extraction worker process: reads tasks from standard input and writes results to standard output in order."""

from __future__ import annotations

import hashlib
import json
import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from biblicus import plugins
from biblicus.contracts import Extractor, Given, MediaHint, OcrStage
from biblicus.errors import BiblicusError
from biblicus.extraction.workers import wire
from biblicus.guards.process import Say, serve
from biblicus.models.extraction import Extraction, NoExtraction


def main(limits_json: str) -> None:
    """Process tasks until the parent closes the pipe."""
    extractors: dict[str, Extractor] = {}
    most: int = json.loads(limits_json)["output"]

    def answer(header: Mapping[str, Any], body: bytes, say: Say) -> tuple[Mapping[str, Any], bytes]:
        packed = wire.pack(_extract(header, body, extractors, lambda: say(wire.ALIVE)))
        if len(packed[1]) > most:
            return wire.pack(NoExtraction("too large", f"its text is larger than {most >> 20} MiB"))
        return packed

    serve(limits_json, answer, ready=True)


def _extract(
    header: Mapping[str, Any], body: bytes, extractors: dict[str, Extractor], between: Callable[[], None]
) -> Extraction | NoExtraction:
    """Process one task and catch every error, which fails only this file."""
    try:
        if header["unread"]:
            return NoExtraction("failed", header["unread"])
        if header["sha256"] and hashlib.sha256(body).hexdigest() != header["sha256"]:
            return NoExtraction("failed", "changed while it was read; run the command again")
        key = json.dumps([header["module"], header["options"], header["ocr"], header["passwords"]])
        if key not in extractors:
            module = import_module(header["module"])
            resources = Given(ocr=_stage(header["ocr"], between), passwords=tuple(header["passwords"]))
            extractors[key] = plugins.build(module, plugins.options_class(module)(**header["options"]), resources)
        return extractors[key].extract(body, MediaHint(**header["hint"]))
    except MemoryError:
        raise
    except BiblicusError as error:
        return NoExtraction("failed", _line(error.message))
    except Exception as error:  # a parser may raise anything on a broken file
        traceback.print_exc()  # discarded, except with --debug
        return NoExtraction("failed", _cause(error))


_KINDS: tuple[tuple[type[Exception], str], ...] = (
    (UnicodeError, "bytes that are no text in its encoding"),
    (ArithmeticError, "a number out of range"),
    (LookupError, "a reference to a part that is missing"),
    (RecursionError, "parts nested too deeply"),
    (ValueError, "a value that its format does not allow"),
    (TypeError, "a value of a wrong type"),
    (AttributeError, "a part without what its format requires"),
)


def _cause(error: Exception) -> str:
    """Return why a parser failed as a sentence, by the type of a Python error and not its own message."""
    is_told = isinstance(error, OSError) or type(error).__module__ != "builtins"
    if message := _line(str(error)) if is_told else "":
        return message
    cause = next((words for kind, words in _KINDS if isinstance(error, kind)), "something that it does not expect")
    return f"its parser met {cause}: the file is damaged, or of a rare kind"


def _stage(choice: Mapping[str, Any] | None, between: Callable[[], None]) -> OcrStage | None:
    if choice is None:
        return None
    from biblicus.extraction.ocr.stage import Stage  # lazy: most tasks read no pixels

    return Stage(choice, between)


def _line(message: str) -> str:
    return " ".join(message.encode("utf-8", "replace").decode().split())[:300]
