"""Connectors one by one: items of mail and of threads, and how politely and safely they are requested."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.errors import BiblicusError
from biblicus.sources import web
from biblicus.sources.connectors.imap import decoded
from tests.listening import listening
from tests.sources.conformance import dovecot
from tests.sources.conformance.forge import Forge, Project, github, gitlab

MAIL = (
    b"From: ada@example.org\r\nSubject: The tide\r\nMessage-ID: <two@example.org>\r\n"
    b"References: <one@example.org>\r\n\r\nThe moon pulls the tide.\r\n"
)


@pytest.fixture
def project(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Project, str]]:
    there = Project()
    account = {"work": {"host": "127.0.0.1", "secret": "ebb"}, "other": {"host": "example.org", "secret": "flood"}}
    monkeypatch.setenv("BIBLICUS_ACCOUNTS", json.dumps(account))
    monkeypatch.setattr(web.Visitor, "_sleep", lambda visitor, url, seconds: None)
    with listening(type("Bound", (Forge,), {"project": there})) as url:
        yield there, url


def add(corpus: Corpus, url: str, account: str = "work", **options: str) -> None:
    place = f"https://{'gitlab' if options.get('forge') == 'gitlab' else 'github'}.com/harbour/pilot"
    options["api"] = url
    corpus.add_source(place, name="up", kind="issues", account=account, options=options, allow_private=True)


def test_a_thread_is_an_item_with_its_comments(project: tuple[Project, str], corpus: Corpus) -> None:
    there, url = project
    there.threads[7] = github(7, "Boats drift", "They drift at ebb.", "2026-05-02T10:00:00Z", ("bug", "tide"))
    comment = {"created_at": "2026-05-02T09:30:00Z", "body": "Moor them twice.", "user": {"login": "grace"}}
    there.comments[7] = [comment]
    there.waits = 1
    add(corpus, url)
    corpus.sync()
    (item,) = corpus.list()
    assert (item.title, item.tags, item.source.kind) == ("Boats drift", ("bug", "tide"), "issues")
    assert item.source.uri == "https://github.com/harbour/pilot/issues/7"
    text = (corpus.path / item.path).read_text()
    assert "## grace, 2026-05-02 09:30\n\nMoor them twice." in text
    assert {key: item.metadata[key] for key in ("author", "state", "kind")} == {
        "author": "ada", "state": "open", "kind": "issue",
    }  # fmt: skip
    assert set(there.tokens) == {"Bearer ebb"}
    there.asked.clear()
    assert corpus.sync().sources[0].outcome == "unchanged"
    assert len(there.asked) == 1


def test_gitlab_and_its_wiki(project: tuple[Project, str], corpus: Corpus) -> None:
    there, url = project
    there.threads[3] = gitlab(3, "Boats drift", "They drift at ebb.")
    there.comments[3] = [
        {"created_at": "2026-05-02T09:30:00.000Z", "body": "Moor.", "author": {"username": "grace"}, "system": False},
        {"created_at": "2026-05-02T09:31:00.000Z", "body": "closed", "author": {"username": "x"}, "system": True},
    ]
    there.wikis = [{"slug": "pilots/rules", "title": "Rules", "content": "Ask the pilot.", "format": "markdown"}]
    add(corpus, url, forge="gitlab", wiki="true")
    corpus.sync()
    assert [item.path.removeprefix("imports/up/") for item in corpus.list()] == ["issues/3.md", "wiki/pilots/rules.md"]
    text = (corpus.path / "imports/up/issues/3.md").read_text()
    assert "## grace, 2026-05-02 09:30" in text
    assert "closed" not in text


def test_a_token_is_for_its_host(project: tuple[Project, str], corpus: Corpus) -> None:
    there, url = project
    add(corpus, url, account="other")
    with pytest.raises(BiblicusError, match=r"is for example\.org"):
        corpus.sync()
    assert there.tokens == []


@pytest.mark.parametrize(
    ("name", "text"),
    [("R&AOk-sum&AOk-", "Résumé"), ("a &- b", "a & b"), ("&U,BTFw-", "台北"), ("&A-", "&A-"), ("&", "&")],
)
def test_names_of_folders(name: str, text: str) -> None:
    assert decoded(name) == text


def test_mail_is_read_with_flags_and_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, corpus: Corpus) -> None:
    with ExitStack() as ending:
        port = ending.enter_context(dovecot.serving())
        box = dovecot.opened(port)
        box.create("Crew.R&AOk-sum&AOk-")
        box.append("INBOX", r"(\Flagged urgent)", "", MAIL)
        box.append("Crew.R&AOk-sum&AOk-", "", "", MAIL.replace(b"two@", b"three@"))
        monkeypatch.setenv("BIBLICUS_ACCOUNTS", '{"work": {"host": "127.0.0.1", "user": "ada", "secret": "ebb"}}')
        corpus.add_source(f"imap://127.0.0.1:{port}", name="up", kind="imap", account="work", allow_private=True)
        corpus.sync()
        by_folder = {item.path.removeprefix("imports/up/").rpartition("/")[0]: item for item in corpus.list()}
        assert by_folder.keys() == {"INBOX", "Crew/Résumé"}
        item = by_folder["INBOX"]
        assert (item.title, item.tags) == ("The tide", ("flagged", "urgent"))
        assert item.metadata["thread"] == "one@example.org"
        assert corpus.sync().sources[0].outcome == "unchanged"
        box.delete("Crew.R&AOk-sum&AOk-")
        box.create("Crew.R&AOk-sum&AOk-")  # another UIDVALIDITY: the same UID is another message
        box.append("Crew.R&AOk-sum&AOk-", "", "", MAIL.replace(b"tide", b"quay"))
        corpus.sync()
        titles = {item.path.rpartition("/")[0]: item.title for item in corpus.list()}
        assert titles == {"imports/up/INBOX": "The tide", "imports/up/Crew/Résumé": "The quay"}
        box.select("INBOX")
        box.store("1", "-FLAGS", r"(\Flagged)")
        corpus.sync()
        assert next(entry.tags for entry in corpus.list() if "INBOX" in entry.path) == ("urgent",)
        box.store("1", "+FLAGS", r"(\Deleted)")
        corpus.sync()
        assert len(corpus.list()) == 1
        monkeypatch.setenv("BIBLICUS_ACCOUNTS", '{"work": {"host": "127.0.0.1", "user": "ada", "secret": "no"}}')
        with pytest.raises(BiblicusError, match="refuses the account"):
            Corpus.open(corpus.path).sync()
        assert len(corpus.list()) == 1
