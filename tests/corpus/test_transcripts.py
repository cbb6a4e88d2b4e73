"""Recordings and their transcripts: which belong together, and what comes of either."""

import io
import struct
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.corpus.extracted.transcripts import Transcript, of_item, paired
from biblicus.models.item import Item, Source

TALK = "WEBVTT\n\n00:11.000 --> 00:13.500\nWe speak of tides.\n"


def recording(title: str) -> bytes:
    """A second of silence whose container says its title."""
    written = io.BytesIO()
    with wave.open(written, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        sound.writeframes(bytes(16_000))
    words = title.encode() + b"\0" * (2 - len(title) % 2)
    body = b"INFOINAM" + struct.pack("<I", len(words)) + words
    raw = written.getvalue() + b"LIST" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", len(raw) - 8) + raw[8:]


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "talk.wav").write_bytes(recording("Of tides"))
    (folder / "talk.vtt").write_text(TALK)
    with Corpus.init(folder) as made:
        yield made


def paths(corpus: Corpus) -> list[str]:
    return [item.path for item in corpus.list()]


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (["talk.mp4", "talk.vtt"], {"talk.mp4": "talk.vtt"}),
        (["a/talk.MP3", "a/talk.SRT", "b/talk.vtt"], {"a/talk.MP3": "a/talk.SRT"}),
        (["talk.mp4", "talk.vtt", "talk.srt"], {}),
        (["talk.mp4", "talk.mp3", "talk.vtt"], {}),
        (["talk.mp4", "talk.txt"], {}),
        (["talk.vtt", "vtt", "mp4"], {}),
        ([".mp4", ".vtt"], {".mp4": ".vtt"}),
    ],
)
def test_one_of_each_under_one_name_belong_together(names: list[str], pairs: dict[str, str]) -> None:
    assert paired(names) == pairs


@pytest.mark.parametrize(
    "entry", ["talk.vtt", {"path": "../talk.vtt", "sha256": "x"}, {"path": "other.vtt", "sha256": "x"}, {"path": 1}]
)
def test_metadata_cannot_name_another_file(entry: object) -> None:
    item = Item(
        "a", "talk.mp4", "video/mp4", 1, "b", "Talk", None, "video", (), Source("corpus", "t"), {"transcript": entry}
    )
    assert of_item(item) == Transcript()


def test_the_words_are_the_transcripts_and_the_rest_is_the_recordings(corpus: Corpus) -> None:
    (run,) = corpus.reindex().runs
    assert {name for name in run.manifest.components if name.startswith("extraction.")} == {
        "extraction.recording",
        "extraction.subtitles",
    }
    (item,) = corpus.list()
    assert (item.path, item.title, item.media_type, item.doctype) == ("talk.wav", "Of tides", "audio/wav", "audio")
    assert item.metadata["transcript"]["path"] == "talk.vtt"
    assert corpus.get("talk.wav").text == "We speak of tides.\n"
    assert [piece.locator.label for piece in corpus.query("tides").evidence if piece.locator] == ["00:11-00:13"]


def test_a_transcript_that_comes_changes_or_goes_is_seen(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biblicus.corpus.passes.is_calm", lambda stamp, started_ns: True)  # as files of yesterday
    corpus.reindex()
    item_id = corpus.list()[0].item_id
    assert corpus.ingest().unchanged == 1
    (corpus.path / "talk.vtt").write_text(TALK.replace("tides", "gulls, too"))
    assert [entry["path"] for entry in corpus.ingest().changed] == ["talk.wav"]
    assert "gulls" in corpus.get("talk.wav").text
    (corpus.path / "talk.vtt").unlink()
    assert [entry["path"] for entry in corpus.ingest().changed] == ["talk.wav"]
    assert corpus.get("talk.wav").text == "Title: Of tides\nDuration: 00:01\n"
    (corpus.path / "talk.srt").write_text(TALK)
    corpus.ingest()
    assert [(item.path, item.item_id) for item in corpus.list()] == [("talk.wav", item_id)]
    assert corpus.get("talk.wav").text == "We speak of tides.\n"
    assert corpus.check(read_data=True).problems == []


@pytest.mark.parametrize(("recipe", "texts"), [("lexical", "We speak of tides."), ("scan", "We speak of waves.")])
def test_evidence_of_a_transcript_that_changed_is_stale(corpus: Corpus, recipe: str, texts: str) -> None:
    corpus.reindex(recipe)
    assert [piece.stale for piece in corpus.query("speak", recipe=recipe).evidence] == [None]
    (corpus.path / "talk.vtt").write_text(TALK.replace("tides", "waves"))
    (piece,) = corpus.query("speak", recipe=recipe).evidence
    assert (piece.text, piece.stale) == (texts, True)
    (corpus.path / "talk.vtt").unlink()
    assert [piece.stale for piece in corpus.query("tides", recipe=recipe).evidence] == [True]


def test_both_may_move(corpus: Corpus) -> None:
    corpus.reindex()
    for suffix in ("wav", "vtt"):
        (corpus.path / f"talk.{suffix}").rename(corpus.path / f"speech.{suffix}")
    assert [(entry["from"], entry["path"]) for entry in corpus.ingest().renamed] == [("talk.wav", "speech.wav")]
    assert corpus.get("speech.wav").text == "We speak of tides.\n"


def test_a_recording_that_is_too_large_to_be_parsed_has_its_transcript(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIBLICUS_MAX_TEXT_BYTES", "1000")
    with Corpus.open(corpus.path) as again:
        again.reindex()
        assert [piece.path for piece in again.query("tides").evidence] == ["talk.wav"]


def test_what_has_a_source_of_its_own_is_an_item_of_its_own(corpus: Corpus, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "speech.wav").write_bytes(recording("Of gulls"))
    (outside / "speech.vtt").write_text(TALK.replace("tides", "gulls"))
    for _ in range(2):
        corpus.ingest(str(outside))
    assert paths(corpus) == ["imports/outside/speech.vtt", "imports/outside/speech.wav", "talk.wav"]
