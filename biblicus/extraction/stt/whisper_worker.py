"""Worker process that transcribes one recording. It verifies the weights before it enters the sandbox.

A model's weights may be split over several packages and are joined in memory.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from biblicus.extraction.stt.whisper import PARTS
from biblicus.guards import children
from biblicus.guards.process import OUT_OF_MEMORY, Limits, begin_task, confine, receive, send
from biblicus.model_files.table import FILES

_LONGEST_REASON = 300


def main(limits_json: str) -> None:
    """Transcribe one recording: receive a frame with the model and one with the sound, send progress and the result."""
    limits = Limits(**json.loads(limits_json))
    answers = children.claim_output()  # output of a decoder must not mix with the replies
    begin_task(limits)
    try:
        model_frame = receive(0)
        if model_frame is None:
            return
        model = _model(model_frame[0])
        confine(limits)
        sound = receive(0)
        if sound is None:
            return
        begin_task(limits)
        segments, about = model.transcribe(
            BytesIO(sound[1]),
            language=model_frame[0]["language"],
            beam_size=5,
            temperature=0.0,
            condition_on_previous_text=False,
            vad_filter=True,
        )
        heard = []
        for segment in segments:
            heard.append({"start": segment.start, "end": segment.end, "text": segment.text})
            begin_task(limits)
            send(answers, {"alive": True}, b"")
        send(answers, {}, json.dumps({"language": about.language, "segments": heard, "text": ""}).encode())
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except Exception as error:  # a decoder may raise anything on a broken file
        send(answers, {"failed": " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_REASON]}, b"")


def _model(asked: Mapping[str, Any]) -> Any:
    """Load the model from verified files. Raises `ValueError` if a file's hash differs."""
    from faster_whisper import WhisperModel

    files = {}
    for name, parts in PARTS[asked["model"]].items():
        files[name] = b"".join(_known(part, asked["paths"][part]) for part in parts)
    threads = {"cpu_threads": asked["threads"], "num_workers": 1}
    return WhisperModel("memory", device="cpu", compute_type="int8", local_files_only=True, files=files, **threads)


def _known(name: str, path: str) -> bytes:
    content = Path(path).read_bytes()
    if hashlib.sha256(content).hexdigest() != FILES[name].sha256:
        raise ValueError(f"{name} is not the known file; biblicus models get")
    return content
