"""Transcriber for servers with OpenAI's transcription endpoint, such as faster-whisper-server, whisper.cpp and LocalAI.

Protocol: https://platform.openai.com/docs/api-reference/audio/createTranscription; segments with times are requested.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Call, Given, Transcriber
from biblicus.errors import TranscriberUnavailable
from biblicus.guards.network.servers import Address, KeyName, headers_of, remedy
from biblicus.guards.network.transport import Failed, Retry, Server
from biblicus.models.recognition import Segment, Transcript

_PATH = "/audio/transcriptions"
_LARGEST_REPLY = 64 << 20
_MOST_SEGMENTS = 100_000
_CODE = re.compile(r"[a-z]{2}")


class Options(BaseModel):
    """Options of the transcriber.

    `model`: name on the server. `url`: base URL, usually ending in `/v1`. `language`: two-letter code, or None to
    detect it. `prompt`: names and terms to expect. `seconds`: timeout of a recording. `attempts`: maximum tries.
    `key_env`: environment variable with the API key.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Annotated[str, Field(min_length=1, max_length=300)]
    url: Address
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")] | None = None
    prompt: Annotated[str, Field(max_length=2_000)] = ""
    seconds: Annotated[float, Field(gt=0, le=86_400)] = 1_800.0
    attempts: Annotated[int, Field(ge=1, le=10)] = 3
    key_env: KeyName | None = None


class OpenAICompatible:
    """Transcriber on a server. Its fingerprint has the model's name, since the protocol gives no hash of the
    weights."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.place = options.url
        hint = hashlib.sha256(options.prompt.encode()).hexdigest()[:8] if options.prompt else ""
        self.fingerprint = f"openai-compatible/1 {options.model} {options.language or 'any'} {hint}".rstrip()

    def transcribe(self, audio: bytes, name: str, call: Call) -> Transcript:
        options = self._options
        fields = {"model": options.model, "response_format": "verbose_json", "temperature": "0"}
        fields |= {"language": options.language} if options.language else {}
        fields |= {"prompt": options.prompt} if options.prompt else {}
        mark = f"biblicus-{hashlib.sha256(audio).hexdigest()}"
        body = _form(fields, name, audio, mark)
        headers = {
            "Content-Type": f"multipart/form-data; boundary={mark}",
            **headers_of(options.model, options.key_env, TranscriberUnavailable),
        }
        server = Server(options.url, headers, options.seconds)

        def once() -> Any:
            with server.open("POST", _PATH, call, body, most=_LARGEST_REPLY) as response:
                if response.status != 200:
                    raise response.failure()
                return response.json()

        try:
            return transcript_of(Retry(options.attempts).ask(once, call))
        except Failed as failure:
            cause = f"no connection ({failure.cause})" if failure.kind == "unanswered" else failure.cause
            raise TranscriberUnavailable(options.model, cause, self._remedy(failure)) from failure

    def _remedy(self, failure: Failed) -> str:
        if failure.status in (401, 403):
            return remedy(self._options.key_env)
        return "the same later, or another url or model in your configuration"


def _form(fields: Mapping[str, str], name: str, audio: bytes, mark: str) -> bytes:
    """Return a multipart form. `mark`: the boundary, a hash of the recording, so that the recording does not contain
    it."""
    file_name = re.sub(r"[^A-Za-z0-9._-]", "_", name.rpartition("/")[2])[-100:] or "recording"
    head = (
        f'Content-Disposition: form-data; name="file"; filename="{file_name}"\r\nContent-Type: application/octet-stream'
    )
    parts = [f'Content-Disposition: form-data; name="{key}"\r\n\r\n{text}'.encode() for key, text in fields.items()]
    parts.append(f"{head}\r\n\r\n".encode() + audio)
    return b"".join(b"--%b\r\n%b\r\n" % (mark.encode(), part) for part in parts) + f"--{mark}--\r\n".encode()


def transcript_of(reply: Any) -> Transcript:
    """Return the segments of a reply, or its text as one segment if it has none. Raises `Failed` for other replies."""
    try:
        language = reply.get("language")
        entries = reply.get("segments") or [{"start": 0.0, "end": reply.get("duration") or 0.0, "text": reply["text"]}]
        segments = tuple(_segment(entry) for entry in entries[:_MOST_SEGMENTS])
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise Failed("broken", "its answer is no transcript") from error
    is_code = isinstance(language, str) and _CODE.fullmatch(language)
    return Transcript(segments, language if is_code else None)


def _segment(entry: Mapping[str, Any]) -> Segment:
    start, end = float(entry["start"]), float(entry["end"])
    if not (math.isfinite(start) and math.isfinite(end) and 0 <= start <= 1e7 and isinstance(entry["text"], str)):
        raise ValueError("no segment")
    return Segment(start, min(max(start, end), 1e7), entry["text"])


def build(options: Options, given: Given) -> Transcriber:
    return OpenAICompatible(options)
