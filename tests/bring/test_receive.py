"""What one document over a wire becomes: which words identify it, and what is refused."""

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.errors import CheckFailed, DuplicateItem, StoreUnavailable, UnfitInput
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.service.verbs import RECEIVE
from tests.folders import corpus as corpus


def receive(corpus: Corpus, text: str, **said: Any):
    return corpus._asker.ask(RECEIVE, ReceiveRequest(text=text, index=False, **said), Call())


@pytest.mark.parametrize("word", ["note", "cli", "web", "my notes", "C:/x y"])
def test_a_word_that_is_no_uri_identifies_nothing(corpus: Corpus, word: str):
    first, second = receive(corpus, "The moon.", source=word), receive(corpus, "The sun.", source=word)
    assert (first.outcome, second.outcome) == ("added", "added")
    assert first.item_id != second.item_id
    assert [item.metadata["source"] for item in corpus.list()] == [word, word]


@pytest.mark.parametrize("uri", ["https://example.org/a", "urn:isbn:1", "file:a.txt", "memo:1"])
def test_a_uri_makes_it_the_same_document_again(corpus: Corpus, uri: str):
    first, second = receive(corpus, "The moon.", source=uri), receive(corpus, "The sun.", source=uri)
    assert (first.outcome, second.outcome) == ("added", "changed")
    assert first.item_id == second.item_id


@pytest.mark.parametrize("same", ["text", "bytes"])
@pytest.mark.parametrize(
    "said",
    [
        {"source": "web"},
        {"source": "https://example.org/b"},
        {"tags": ("sea",)},
        {"created_at": "2026-01-02"},
        {"title": "Another"},
        {"metadata": {"by": "Eve"}},
        {"on_duplicate": "keep"},
    ],
)
def test_equal_bytes_are_a_duplicate_and_change_nothing(corpus: Corpus, said: dict[str, Any], same: str):
    first = receive(corpus, "The moon.", source="cli", tags=("night",), created_at="2026-01-01", same=same)
    before = corpus.list()
    again = receive(corpus, "The moon.", same=same, **said)
    assert (again.outcome, again.item_id) == ("duplicate", first.item_id)
    assert corpus.list() == before


def test_what_is_said_of_the_same_source_again_changes_its_metadata(corpus: Corpus):
    first = receive(corpus, "The moon.", source="memo:1", tags=("night",))
    again = receive(corpus, "The moon.", source="memo:1", tags=("sea",))
    assert (again.outcome, again.item_id) == ("changed", first.item_id)
    assert corpus.list()[0].tags == ("night", "sea")


def test_a_piped_text_again_changes_nothing_unless_its_title_names_it(corpus: Corpus):
    corpus.ingest(text="The moon.", title="Moon", tags=["night"])
    corpus.ingest(text="The sun.", tags=["day"])
    report = corpus.ingest(text="The sun.", tags=["sea"])
    assert [note["of"] for note in report.duplicates] == ["imports/the-sun.txt"]
    corpus.ingest(text="The moon.", title="Moon", tags=["sea"])
    assert {item.path: item.tags for item in corpus.list()} == {
        "imports/moon.txt": ("night", "sea"),
        "imports/the-sun.txt": ("day",),
    }


@pytest.mark.parametrize("name", ["report.md.biblicus.yml", "REPORT.MD.BIBLICUS.YML", ".biblicusignore", ".gitignore"])
def test_a_name_of_our_own_files_is_refused_and_leaves_nothing(corpus: Corpus, name: str):
    with pytest.raises(UnfitInput, match="its own files"):
        receive(corpus, "id: taken", filename=name)
    assert not (corpus.path / "imports").exists()
    receive(corpus, "# Report", filename="report.md")
    assert [item.item_id for item in corpus.list()] != ["taken"]


def test_what_ignore_rules_leave_out_leaves_nothing(corpus: Corpus):
    (corpus.path / ".biblicusignore").write_text("*.log\n")
    with pytest.raises(CheckFailed, match=r"ignored by \.biblicusignore"):
        receive(corpus, "noise", filename="noise.log")
    assert not list((corpus.path / "imports").glob("*"))


def upload(corpus: Corpus, data: bytes, **said: Any):
    content = base64.b64encode(data).decode()
    return corpus._asker.ask(RECEIVE, ReceiveRequest(content_base64=content, **said), Call())


def everything(corpus: Corpus) -> set[str]:
    """Each file that is not derived."""
    files = (path.relative_to(corpus.path).as_posix() for path in corpus.path.rglob("*") if path.is_file())
    return {name for name in files if not name.startswith(".biblicus/local/")}


@pytest.mark.parametrize(
    ("name", "cause", "hint"),
    [
        ("ocr_test.pdf", "needs ocr", "ocrmypdf"),
        ("invalid.pdf", "failed", ""),
        ("test_llm.jpg", "a picture without words", "ocrmypdf"),
        ("linn.png", "a picture without words", "ocrmypdf"),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_what_holds_no_text_is_refused_and_leaves_nothing(
    corpus: Corpus, mixed: Path, name: str, cause: str, hint: str, named: bool
):
    receive(corpus, "The moon.", source="memo:1")
    before = everything(corpus)
    for source in (None, "memo:1"):  # a new document, and one that would take the place of another
        with pytest.raises(UnfitInput, match=cause) as told:
            upload(corpus, (mixed / name).read_bytes(), filename=name if named else None, source=source)
        assert hint in told.value.hint
    assert everything(corpus) == before
    assert corpus.get(corpus.list()[0].item_id).text == "The moon."


@pytest.mark.parametrize("text", ["---\ntitle: Nothing\n---\n", "<!doctype html><script>moon()</script>"])
def test_a_text_without_words_is_refused(corpus: Corpus, text: str):
    with pytest.raises(UnfitInput, match="no text"):
        receive(corpus, text)
    assert corpus.list() == ()


def test_a_file_of_the_users_own_stays_and_the_report_says_why_it_has_no_text(corpus: Corpus, mixed: Path):
    (corpus.path / "scan.pdf").write_bytes((mixed / "ocr_test.pdf").read_bytes())
    report = corpus.ingest()
    assert [(note["path"], note["reason"][:9]) for note in report.skipped] == [("scan.pdf", "needs ocr")]
    assert (corpus.path / "scan.pdf").exists()


def test_the_same_text_in_another_dress_is_a_duplicate_unless_bytes_count(corpus: Corpus):
    first = receive(corpus, "The “moon”\tpulls tides.\r\n")
    again = receive(corpus, '  The "moon" pulls\n\ntides.\u200b')
    assert (again.outcome, again.item_id) == ("duplicate", first.item_id)
    with pytest.raises(DuplicateItem, match=re.escape(first.path)):
        receive(corpus, 'The "moon" pulls tides.', on_duplicate="error")
    assert receive(corpus, 'The "moon" pulls tides.', same="bytes").outcome == "added"
    assert receive(corpus, "The moon pulls tides.").outcome == "added"


def test_a_text_is_the_same_as_that_of_a_pdf(corpus: Corpus, mixed: Path):
    (corpus.path / "habibi.pdf").write_bytes((mixed / "habibi.pdf").read_bytes())
    corpus.ingest()
    again = receive(corpus, corpus.get("habibi.pdf").text)
    assert (again.outcome, again.path) == ("duplicate", "habibi.pdf")


def test_a_document_without_a_name_is_named_by_what_it_is(corpus: Corpus, mixed: Path):
    received = upload(corpus, (mixed / "google-doc-document.pdf").read_bytes())
    assert Path(received.path).suffix == ".pdf"
    assert not Path(received.path).name.startswith("stdin-")
    (item,) = corpus.list()
    assert not item.title.startswith("stdin")


def test_an_item_is_found_by_its_bytes_and_by_its_text(corpus: Corpus):
    said, other = "The “moon” pulls tides.\n", "The sun pulls, too."
    receive(corpus, said)
    receive(corpus, other)
    text = hashlib.sha256(b'The "moon" pulls tides.').hexdigest()
    (item,) = corpus.list(hash=f"sha256:{text}")
    assert item.content_hash == f"sha256:{text}"
    assert corpus.list(hash=hashlib.sha256(said.encode()).hexdigest()) == (item,)
    assert corpus.list(hash=[text, hashlib.sha256(other.encode()).hexdigest()]) == corpus.list()


def test_what_was_kept_is_said_where_the_database_that_would_index_it_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BIBLICUS_STORES", '{"team": {"by": "postgres", "dsn": "host=/nowhere user=ada"}}')
    monkeypatch.setenv("BIBLICUS_STORE", "team")
    with Corpus.init(tmp_path / "quay") as corpus, pytest.raises(StoreUnavailable) as failed:
        corpus._asker.ask(RECEIVE, ReceiveRequest(text="A seal swims by the quay.", filename="seal.txt"), Call())
    assert "imports/seal.txt is kept, and the next reindex indexes it" in failed.value.message
    assert failed.value.hint == "biblicus reindex when it runs"
    with Corpus.open(tmp_path / "quay") as corpus:
        assert [item.path for item in corpus.list()] == ["imports/seal.txt"]
