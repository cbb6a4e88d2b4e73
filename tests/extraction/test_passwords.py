"""PDFs that ask for a password open by one of the user's own: of their settings, or typed for one command."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from biblicus import Corpus
from tests.front_door import biblicus


def locked(text: str, password: str) -> bytes:
    """A PDF of one line that opens by a password."""
    stream = f"BT /F1 24 Tf 72 700 Td ({text}) Tj ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Length %d>>stream\n%b\nendstream" % (len(stream), stream),
    ]
    plain = b"%PDF-1.4\n" + b"".join(b"%d 0 obj%b endobj\n" % entry for entry in enumerate(objects, 1))
    writer = PdfWriter(clone_from=PdfReader(BytesIO(plain + b"trailer<</Root 1 0 R/Size 6>>\nstartxref\n0\n%%EOF\n")))
    writer.encrypt(password, algorithm="RC4-128")
    file = BytesIO()
    writer.write(file)
    return file.getvalue()


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.init(tmp_path / "corpus") as made:
        (made.path / "bank").mkdir()
        (made.path / "bank" / "may.pdf").write_bytes(locked("The moon pulls tides", "gull"))
        yield made


def reasons(corpus: Corpus) -> list[str]:
    """In a word, what failed."""
    return [note.reason.partition(":")[0] for note in Corpus.open(corpus.path).reindex().runs[0].manifest.failed]


@pytest.mark.parametrize("engine", ["pdfium", "pypdf"])
def test_a_password_of_the_users_settings_opens_what_its_glob_names(
    corpus: Corpus, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (corpus.path / ".biblicus" / "recipes").mkdir()
    (corpus.path / ".biblicus" / "recipes" / "lexical.yml").write_text(
        f"name: lexical\nbuild:\n  extraction: {{pdf: {{engine: {engine}}}}}\n"
        "  chunking: {default: {by: whole}}\n  legs: {lexical: {}}\n"
    )
    assert reasons(corpus) == ["encrypted"]
    monkeypatch.setenv("BIBLICUS_PASSWORDS", '{"tax/*.pdf": gull}')
    assert reasons(corpus) == ["encrypted"]
    monkeypatch.setenv("BIBLICUS_PASSWORDS", '{"bank/*.pdf": tern}')
    assert reasons(corpus) == ["encrypted"]
    monkeypatch.setenv("BIBLICUS_PASSWORDS", '{"bank/*.pdf": gull}')
    assert reasons(corpus) == []
    (piece,) = Corpus.open(corpus.path).query("moon").evidence
    assert (piece.path, piece.page) == ("bank/may.pdf", 1)


def test_a_password_is_typed_for_one_command_and_not_kept(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def typed(prompt: str) -> str:
        asked.append(prompt)
        return "gull"

    monkeypatch.setattr("getpass.getpass", typed)
    assert biblicus(["reindex", "-C", str(corpus.path)]) == 0
    assert biblicus(["check", "--failed", "-C", str(corpus.path)]) == 0
    assert "biblicus reindex --password" in capsys.readouterr().out
    assert asked == []
    assert biblicus(["reindex", "--password", "-C", str(corpus.path)]) == 0
    assert len(asked) == 1
    assert [piece.path for piece in Corpus.open(corpus.path).query("moon").evidence] == ["bank/may.pdf"]
    files = [path for path in corpus.path.rglob("*") if path.is_file() and path.suffix != ".pdf"]
    assert [path for path in files if b"gull" in path.read_bytes()] == []
    assert reasons(corpus) == []  # its text is kept


def test_a_corpus_names_no_password(corpus: Corpus) -> None:
    config = corpus.path / ".biblicus" / "config.yml"
    config.write_text(config.read_text() + 'passwords: {"bank/*.pdf": gull}\n')
    assert biblicus(["reindex", "-C", str(corpus.path)]) != 0
