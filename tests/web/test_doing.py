"""What is done on the page: by who may ingest, by forms that were shown, with and without scripts."""

import asyncio
import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from biblicus import Corpus
from biblicus.connectors.web import doing
from biblicus.contracts import Call
from biblicus.errors import UsageError
from biblicus.service.tokens import Tokens
from tests.folders import corpus_of
from tests.visitor import Visitor, page_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return corpus_of(tmp_path / "harbour", {"tides.md": "The moon pulls tides."})


@pytest.fixture
def home(folder: Path) -> Iterator[tuple[str, Tokens]]:
    tokens = Tokens(folder.parent / "tokens.json")
    with page_of(str(folder), tokens=tokens) as (address, _):
        yield address, tokens


def signed_in(home: tuple[str, Tokens], scope: str) -> Visitor:
    address, tokens = home
    made = tokens.new(scope, scope, Call())  # type: ignore[arg-type]
    return Visitor(address).look("/").send("/sign-in", token=made.token)


@pytest.fixture
def visitor(home: tuple[str, Tokens]) -> Visitor:
    return signed_in(home, "ingest")


def form_token(visitor: Visitor) -> str:
    return str(visitor.nodes("input[name=form_token]")[0].attributes["value"])


def upload(visitor: Visitor, files: dict[str, bytes], token: str) -> Visitor:
    """As a browser sends the form."""
    parts = [f'Content-Disposition: form-data; name="form_token"\r\n\r\n{token}'.encode()]
    for name, data in files.items():
        head = f'Content-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: text/plain\r\n\r\n'
        parts.append(head.encode() + data)
    body = b"".join(b"--edge\r\n" + part + b"\r\n" for part in parts) + b"--edge--\r\n"
    where = urlsplit(visitor.home)
    line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=120)
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    headers = {"Cookie": cookies, "Origin": visitor.home, "Content-Type": "multipart/form-data; boundary=edge"}
    line.request("POST", "/corpus/upload", body, headers)
    got = line.getresponse()
    visitor.status, visitor.raw = got.status, got.read()
    visitor.headers = {name.lower(): value for name, value in got.getheaders()}
    line.close()
    return visitor


@pytest.mark.parametrize(("name", "buttons"), [("notes", ["Bring in", "Index what changed"]), ("system", [])])
def test_a_corpus_that_is_only_read_offers_nothing_to_do(folder: Path, name: str, buttons: list[str]) -> None:
    tokens = Tokens(folder.parent / "tokens.json")
    with page_of(f"notes={folder}", f"system={folder}", tokens=tokens) as (address, _):
        visitor = signed_in((address, tokens), "ingest").look(f"/corpus?corpus={name}")
        assert visitor.texts(".doing button") == buttons


def test_files_are_brought_in_and_found(visitor: Visitor) -> None:
    binary = bytes(range(256)) * 2 + b"\r\n--edg"
    files = {
        "gulls.md": b"# Gulls\r\n\r\nGulls follow boats.\r\n",
        "same.md": b"The moon pulls tides.",
        "x.bin": binary,
    }
    upload(visitor.look("/corpus"), files, form_token(visitor))
    assert visitor.status == 200
    told = visitor.texts(".items li")
    assert [line.split()[0] for line in told] == list(files)
    assert "added as" in told[0]
    assert "is there already as tides.md" in told[1]
    assert "has no text" in told[2] or "no text" in told[2].lower()
    visitor.address = "/corpus/upload"
    assert "Done" in visitor.follow("They are being indexed").texts("main")[0]
    assert visitor.look("/?q=gulls").texts(".results h3") == ["Gulls"]


def test_a_conversation_is_kept_as_a_note_that_answers_nothing_itself(visitor: Visitor, folder: Path) -> None:
    note = folder / "imports" / "what-pulls-the-tides.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text("Mine.", "utf-8")
    visitor.look("/?q=What+pulls+the+tides%3F").send("/ask", keep="1", q="")
    (path,) = visitor.texts(".standing.verified a")
    assert note.read_text("utf-8") == "Mine."
    assert path != "imports/what-pulls-the-tides.md"
    assert (folder / path).read_text("utf-8").endswith("\n> The moon pulls tides.\n>\n> [tides.md:1]\n")
    assert visitor.texts(".turn h2") == ["What pulls the tides?"]  # it goes on
    notes = visitor.send("/ask", q="What pulls the tides?").texts(".notes a")
    assert notes
    assert all("tides, line 1" in line for line in notes)
    assert "What pulls the tides?" in visitor.look("/?q=what+pulls+the+tides").texts(".results h3")


def test_words_that_changed_since_are_kept_without_their_place(visitor: Visitor, folder: Path) -> None:
    visitor.look("/?q=What+pulls+the+tides%3F")
    (folder / "tides.md").write_text("So: the moon pulls the tides.", "utf-8")
    visitor.send("/ask", keep="1", q="")
    kept = (folder / visitor.texts(".standing.verified a")[0]).read_text("utf-8")
    assert kept.endswith("\n> The moon pulls tides.\n>\n> (changed since it was cited)\n")


@pytest.mark.parametrize(("scope", "form_token"), [("read", None), ("ingest", "forged")])
def test_a_conversation_is_kept_by_who_may_and_by_a_form_that_was_shown(
    home: tuple[str, Tokens], folder: Path, scope: str, form_token: str | None
) -> None:
    visitor = signed_in(home, scope).look("/?q=What+pulls+the+tides%3F")
    visitor.send("/ask", keep="1", **({"form_token": form_token} if form_token else {}))
    assert visitor.status == 403
    assert not (folder / "imports").exists()


def test_the_bytes_of_a_file_stay_as_they_are() -> None:
    data = b"\r\n\0--edge-\r\nx\n"
    body = (
        b'--edge\r\nContent-Disposition: form-data; name="f"; filename="a\\b/c.bin"\r\n\r\n'
        + data
        + b"\r\n--edge--\r\n"
    )
    assert doing.sent("multipart/form-data; boundary=edge", body).files == [("c.bin", data)]


def test_a_form_with_files_is_parsed_in_a_thread_while_others_are_answered(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse = doing.sent

    def parsed(content_type: str, body: bytes) -> doing.Sent:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        return parse(content_type, body)

    monkeypatch.setattr(doing, "sent", parsed)
    token = form_token(visitor.look("/corpus"))
    assert upload(visitor, {"a.md": b"Ebb and flow."}, token).status == 200


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"{}"),
        ("multipart/form-data; boundary=edge", b"--edge\r\nno head at all\r\n--edge--\r\n"),
        ("multipart/form-data; boundary=edge", b"--edge\r\nContent-Disposition: form-data\r\n\r\nx\r\n--edge--\r\n"),
    ],
)
def test_a_form_that_is_none_is_refused(kind: str, body: bytes) -> None:
    with pytest.raises(UsageError):
        doing.sent(kind, body)


def test_what_changed_is_indexed_by_a_button(visitor: Visitor, folder: Path) -> None:
    (folder / "new.md").write_text("# News\n\nWhales were seen.", "utf-8")
    assert "1 file is not indexed yet" in visitor.look("/corpus").texts("main")[0]
    visitor.send("/corpus/reindex")
    job = visitor.address
    assert job.startswith("/corpus/jobs/")
    events = visitor.ask("GET", f"{job}/progress").raw.decode()  # ends when the job does
    assert '"state": "done"' in events
    assert "Done: 1 added." in visitor.look(job).texts("main")[0]
    assert "not indexed" not in visitor.look("/corpus").texts("main")[0]


@pytest.mark.parametrize(("scope", "shown"), [("ingest", ["Index now"]), ("read", [])])
def test_what_is_not_indexed_is_a_button_for_whoever_may(
    home: tuple[str, Tokens], folder: Path, scope: str, shown: list[str]
) -> None:
    (folder / "gulls.md").write_text("Gulls sleep.", "utf-8")
    visitor = signed_in(home, scope).look("/?q=moon")
    assert "1 file is not indexed yet" in " ".join(visitor.texts(".standing"))
    assert visitor.texts(".standing button") == shown
    assert visitor.texts(".standing code") == ([] if shown else ["biblicus reindex"])
    if shown:
        visitor.send("/corpus/reindex", form_token=form_token(visitor))
        assert "/corpus/jobs/" in visitor.address


def test_tags_and_weights_are_given_on_the_item(visitor: Visitor, folder: Path) -> None:
    visitor.look("/c/tides.md").send("/corpus/tag", tags="moon, -old")
    assert visitor.texts(".tag") == ["moon"]
    visitor.send("/corpus/weight", multiplier="2.5")
    assert visitor.status == 200
    with Corpus.open(folder) as corpus:
        assert [weight.multiplier for weight in corpus.weights()] == [2.5]
    visitor.send("/corpus/weight", multiplier="much")
    assert visitor.status == 400


def test_the_sources_are_shown_with_their_last_sync(visitor: Visitor, folder: Path) -> None:
    (folder.parent / "rules").mkdir()
    (folder.parent / "rules" / "rule.md").write_text("Boats keep right.", "utf-8")
    with Corpus.open(folder) as corpus:
        corpus.add_source(str(folder.parent / "rules"), name="rules", allow_local=True)
    assert "not synced yet" in visitor.look("/corpus/sources").texts("main")[0]
    visitor.send("/corpus/sync")
    visitor.ask("GET", f"{visitor.address}/progress")
    assert "1 document" in visitor.look("/corpus/sources").texts("main")[0]


DEEDS = ("/corpus/reindex", "/corpus/tag", "/corpus/weight", "/corpus/sync")


@pytest.mark.parametrize("deed", DEEDS)
def test_who_may_read_alone_does_nothing(home: tuple[str, Tokens], deed: str) -> None:
    visitor = signed_in(home, "read").look("/corpus")
    assert visitor.nodes("form[action^='/corpus']") == []
    assert visitor.ask("POST", deed, {"form_token": form_token(visitor), "item": "tides.md"}).status == 403


def test_who_may_read_alone_brings_nothing_in(home: tuple[str, Tokens]) -> None:
    visitor = signed_in(home, "read").look("/corpus")
    assert upload(visitor, {"a.md": b"A."}, form_token(visitor)).status == 403


@pytest.mark.parametrize("deed", DEEDS)
def test_a_deed_by_a_form_that_was_not_shown_is_refused(visitor: Visitor, deed: str) -> None:
    assert visitor.ask("POST", deed, {"form_token": "0" * 64, "item": "tides.md", "tags": "x"}).status == 403
    assert upload(visitor, {"a.md": b"A."}, "0" * 64).status == 403


def test_a_note_is_written_on_marked_words_shown_found_and_deleted(visitor: Visitor, folder: Path) -> None:
    visitor.look("/c/tides.md?span=4-8").send(
        "/corpus/note", text="Since when? https://example.org/moon javascript:alert(1) <b>", by="Ada"
    )
    assert "span=4-8" in visitor.address
    (note,) = visitor.texts(".noted li")
    assert "moon" in note
    assert "Ada" in note
    assert "<b>" in note
    (quote, link) = visitor.nodes(".noted a")
    assert (quote.text(), link.attributes["href"]) == ("moon", "https://example.org/moon")
    visitor.look("/?q=since+moon")
    assert "Since when?" in visitor.texts(".noticed")[0]
    (folder / "tides.md").write_text("The sun pulls tides.", "utf-8")
    assert "quoted words were not found" in visitor.look("/corpus/notes?q=when").texts(".noted li")[0]
    visitor.send("/corpus/unnote")
    assert visitor.look("/corpus/notes").texts(".noted li") == []


def test_who_may_only_read_sees_notes_and_writes_none(home: tuple[str, Tokens], visitor: Visitor) -> None:
    visitor.look("/c/tides.md").send("/corpus/note", text="Look", quote="The moon")
    reader = signed_in(home, "read").look("/c/tides.md")
    assert "Look" in reader.texts(".noted li")[0]
    assert reader.nodes("form[action^='/corpus/']") == []
    assert reader.ask("POST", "/corpus/note", {"form_token": form_token(reader), "item": "tides.md"}).status == 403


@pytest.mark.parametrize("address", ["/c/nosuch.md", "/corpus/nosuch"])
def test_what_was_not_found_is_no_current_page(visitor: Visitor, address: str) -> None:
    assert visitor.look(address).texts("nav [aria-current]") == []
    assert visitor.look("/corpus").texts("header [aria-current]") == ["Corpus"]


def test_a_note_without_a_comment_is_refused(folder: Path) -> None:
    with Corpus.open(folder) as corpus, pytest.raises(UsageError, match="text is empty"):
        corpus.add_note("tides.md", "", quote="The moon")
