"""Recordings are heard by a transcriber of the user's own: a server of ours speaks the protocol."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler
from io import BytesIO
from pathlib import Path
from typing import Any
from wave import open as wave

import pytest

from biblicus import Corpus, plugins
from biblicus.contracts import Call
from biblicus.errors import ConfigInvalid, TranscriberUnavailable, UnknownModel
from biblicus.extraction.stt import heard
from biblicus.guards.network import transport
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.recognition import Segment, Transcript
from biblicus.models.requests.runs import ReindexRequest
from biblicus.service.verbs import REINDEX
from tests.listening import listening

RECIPE = """name: lexical
build:
  extraction: {stt: {transcriber: mine}}
  chunking: {default: {by: paragraphs}}
  legs: {lexical: {}}
"""
SAID = {
    "language": "en",
    "segments": [
        {"start": 0.0, "end": 4.0, "text": " The harbour opens at six. "},
        {"start": 723.0, "end": 760.5, "text": "The moon pulls the tides."},
    ],
}


@dataclass
class Server:
    """`replies`: one pair, the status and the JSON that it answers with. `forms`: what was sent."""

    url: str
    replies: list[tuple[int, Any]] = field(default_factory=lambda: [(200, SAID)])
    forms: list[dict[str, bytes]] = field(default_factory=list)
    headers: list[Message] = field(default_factory=list)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.01)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            form = message_from_bytes(f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode() + body)
            parts: dict[str, bytes] = {}
            for part in form.walk():
                if name := part.get_param("name", header="content-disposition"):
                    content = part.get_payload(decode=True)
                    assert isinstance(content, bytes)
                    parts[str(name)] = content
            script.forms.append({**parts, "path": self.path.encode()})
            script.headers.append(self.headers)
            status, reply = script.replies[0]
            answer = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    with listening(Handler) as url:
        script = Server(f"{url}/v1")
        yield script


def recording() -> bytes:
    """A tenth of a second of silence."""
    file = BytesIO()
    with wave(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(1600))
    return file.getvalue()


@pytest.fixture
def corpus(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    setting = {"mine": {"by": "openai-compatible", "model": "whisper-1", "url": server.url, "key_env": "A_KEY"}}
    monkeypatch.setenv("BIBLICUS_TRANSCRIBERS", json.dumps(setting))
    monkeypatch.setenv("A_KEY", "sesame")
    with Corpus.init(tmp_path / "corpus") as made:
        (made.path / "talk.wav").write_bytes(recording())
        (made.path / ".biblicus" / "recipes").mkdir()
        (made.path / ".biblicus" / "recipes" / "lexical.yml").write_text(RECIPE)
        yield made


def test_a_recording_is_cited_by_the_minute_and_heard_once(corpus: Corpus, server: Server) -> None:
    messages: list[str] = []
    corpus._asker.ask(REINDEX, ReindexRequest(), Call(tell=messages.append))
    assert messages == [f"Transcribing 1 recording, sent to {server.url}."]
    (piece,) = corpus.query("moon tides").evidence[:1]
    assert piece.locator is not None
    assert "The moon pulls the tides." in piece.text
    assert corpus.get("talk.wav", locator="12:03-12:40").text.strip() == "The moon pulls the tides."
    (form,) = server.forms
    assert (form["path"], form["file"], form["model"]) == (b"/v1/audio/transcriptions", recording(), b"whisper-1")
    assert form["response_format"] == b"verbose_json"
    assert server.headers[0]["Authorization"] == "Bearer sesame"
    corpus.reindex(fresh=True)
    assert len(server.forms) == 1
    assert [verdict.status for verdict in corpus.verify(corpus.query("moon tides"))] == ["ok"]


def test_a_server_that_is_away_costs_the_recording_until_the_next_time(corpus: Corpus, server: Server) -> None:
    server.replies = [(500, {"error": "out of memory"})]
    (run,) = corpus.reindex().runs
    (note,) = run.manifest.failed
    assert "whisper-1 cannot be used" in note.reason
    server.replies = [(200, SAID)]
    (run,) = Corpus.open(corpus.path).reindex().runs
    assert run.manifest.failed == []
    assert run.manifest.counts["chunks"] > 0


def test_a_formatted_file_that_nothing_else_reads_is_heard_too(corpus: Corpus, server: Server) -> None:
    (corpus.path / "film.webm").write_bytes(b"\x1aE\xdf\xa3\0\0")
    (run,) = corpus.reindex().runs
    assert run.manifest.skipped == []
    assert len(server.forms) == 2


@pytest.mark.parametrize(
    "reply",
    [[], {"segments": [{"start": 0}]}, {"segments": [{"start": "x", "end": 1, "text": "y"}]}, {"text": 5},
     {"segments": [{"start": -1, "end": 1, "text": "y"}]}, {"segments": 3}],
)  # fmt: skip
def test_an_answer_that_is_no_transcript_is_an_error(server: Server, reply: Any) -> None:
    server.replies = [(200, reply)]
    with pytest.raises(TranscriberUnavailable, match="no transcript"):
        transcriber(server).transcribe(b"audio", "a.wav", Call())


def transcriber(server: Server, **options: Any) -> Any:
    return plugins.make("stt", "openai-compatible", {"model": "w", "url": server.url, "attempts": 1, **options})


def test_a_text_without_times_begins_with_the_recording(server: Server) -> None:
    server.replies = [(200, {"text": "The moon.", "duration": 3.5})]
    assert transcriber(server, language="en").transcribe(b"x", "a.wav", Call()) == (
        (Segment(0.0, 3.5, "The moon."),),
        None,
    )
    assert server.forms[0]["language"] == b"en"


@pytest.mark.parametrize(("status", "hint"), [(401, "export YOUR_KEY"), (404, "another url or model")])
def test_a_refusal_says_what_to_do(server: Server, status: int, hint: str) -> None:
    server.replies = [(status, {"error": {"message": "no"}})]
    with pytest.raises(TranscriberUnavailable) as refused:
        transcriber(server).transcribe(b"x", "a.wav", Call())
    assert hint in refused.value.hint


def test_a_key_that_is_not_there_is_asked_for(server: Server) -> None:
    with pytest.raises(TranscriberUnavailable, match="NO_KEY_HERE holds no key"):
        transcriber(server, key_env="NO_KEY_HERE").transcribe(b"x", "a.wav", Call())
    assert server.forms == []


def test_what_the_container_says_stands_before_what_is_heard() -> None:
    described = Extraction("Title: Of tides\n", title="Of tides")
    outcome = heard(described, Transcript((Segment(61, 65, "The moon."),), "en"))
    assert isinstance(outcome, Extraction)
    assert (outcome.text, outcome.title, outcome.language) == ("Title: Of tides\n\nThe moon.\n", "Of tides", "en")
    (spot,) = outcome.spots
    assert (spot.offset, spot.kind, spot.start, spot.end) == (17, "time", "01:01", "01:05")


def test_silence_is_empty() -> None:
    silence = NoExtraction("empty", "nothing is said in the recording")
    assert heard(NoExtraction("empty", "a recording without words of its own"), Transcript(())) == silence


@pytest.mark.parametrize("told", ["{}", "{by: openai-compatible, url: http://example.org}"])
def test_a_recipe_names_a_transcriber_and_nothing_else(corpus: Corpus, told: str, make: Callable[[str], None]) -> None:
    make(told)
    with pytest.raises(ConfigInvalid, match="stt"):
        corpus.reindex("lexical")


def test_a_transcriber_that_nobody_defined_is_said(corpus: Corpus, make: Callable[[str], None]) -> None:
    make("{transcriber: yours}")
    with pytest.raises(UnknownModel, match='No transcriber is named "yours" here; known: whisper, mine'):
        corpus.reindex("lexical")


@pytest.fixture
def make(corpus: Corpus) -> Callable[[str], None]:
    """Writes the recipe with another choice."""
    file = corpus.path / ".biblicus" / "recipes" / "lexical.yml"
    return lambda transcriber: (file.write_text(RECIPE.replace("{transcriber: mine}", transcriber)), None)[1]
