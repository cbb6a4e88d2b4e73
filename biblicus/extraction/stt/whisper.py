"""Transcriber `whisper`: runs on this machine with weights from installed packages.

The model runs in a guarded worker, which also decodes untrusted audio and video.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Call, Given, Transcriber
from biblicus.errors import BadData, ExtraMissing, ModelFileMissing, TranscriberUnavailable
from biblicus.extraction.stt.openai_compatible import transcript_of
from biblicus.guards.network.transport import Failed
from biblicus.guards.process import End, Limits, Worker, reply
from biblicus.model_files.table import FILES, place_of
from biblicus.models.recognition import Transcript

PARTS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    model: {
        "config.json": (f"whisper-{model}.config.json",),
        "model.bin": weights,
        **{name: (f"whisper-{model}.{name}",) for name in ("tokenizer.json", "vocabulary.txt")},
    }
    for model, weights in (
        ("base", ("whisper-base.part1", "whisper-base.part2")),
        ("tiny.en", ("whisper-tiny.en.bin",)),
    )
}
"""The files of each model, with the package files that are joined to each."""
_PACKAGES = ("faster-whisper", "ctranslate2", "av")
_MEMORY = 4 << 30
_OUTPUT = 64 << 20


class Options(BaseModel):
    """Options of the transcriber.

    `model`: `base` for a hundred languages, `tiny.en` for English only and faster. `language`: two-letter code, or None
    to detect it. `seconds`: timeout for half a minute of sound. `threads`: number of CPU threads.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Literal["base", "tiny.en"] = "base"
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")] | None = None
    seconds: Annotated[float, Field(gt=0, le=3_600)] = 300.0
    threads: Annotated[int, Field(ge=1, le=64)] = 1


class Whisper:
    """Transcriber that processes each recording in its own worker on this machine."""

    place = ""

    def __init__(self, options: Options) -> None:
        try:
            versions = " ".join(f"{package}/{version(package)}" for package in _PACKAGES)
        except PackageNotFoundError as error:
            raise ExtraMissing("Speech by whisper", "speech") from error
        self._options = options
        files = [name for names in PARTS[options.model].values() for name in names]
        weights = " ".join(FILES[name].sha256[:8] for name in files)
        self.fingerprint = f"whisper/1 {options.model} {weights} {options.language or 'any'} {versions}"

    def transcribe(self, audio: bytes, name: str, call: Call) -> Transcript:
        """Transcribe a recording. Raises `TranscriberUnavailable`, `ModelFileMissing`."""
        options = self._options
        task = {**options.model_dump(include={"model", "language", "threads"}), "paths": self._paths()}
        limits = Limits(_MEMORY, options.seconds, _OUTPUT, preload=("faster_whisper", "ctranslate2", "av"))
        header, body = self._answer(Worker("biblicus.extraction.stt.whisper_worker", limits), task, audio, call)
        if isinstance(cause := header.get("failed"), str):
            raise self._unavailable(cause)
        try:
            return transcript_of(json.loads(body))
        except (Failed, ValueError, RecursionError) as error:
            raise self._unavailable("the worker's answer is no transcript") from error

    def _paths(self) -> dict[str, str]:
        """Return the path of each model file. Raises `ModelFileMissing`."""
        paths = {}
        for name in (name for names in PARTS[self._options.model].values() for name in names):
            path = place_of(FILES[name])
            if path is None:
                raise ModelFileMissing(FILES[name].purpose, FILES[name].extra)
            paths[name] = str(path)
        return paths

    def _answer(self, worker: Worker, task: dict[str, Any], audio: bytes, call: Call) -> tuple[dict[str, Any], bytes]:
        """Return the worker's reply. Raises `TranscriberUnavailable` if the worker or the call ends."""
        try:
            answer = reply(worker, call, (task, b""), ({}, audio))
            while not isinstance(answer, End) and answer[0].get("alive"):
                answer = reply(worker, call)
        except BadData as error:
            raise self._unavailable("the worker's answer is not what was agreed") from error
        finally:
            worker.kill()
        if isinstance(answer, End):
            raise self._unavailable(answer.cause)
        return answer

    def _unavailable(self, cause: str) -> TranscriberUnavailable:
        return TranscriberUnavailable(f"whisper {self._options.model}", cause, "the same with more `seconds`")


def build(options: Options, given: Given) -> Transcriber:
    """Return the transcriber. Raises `ExtraMissing`."""
    return Whisper(options)
