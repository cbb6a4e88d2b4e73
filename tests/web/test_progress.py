"""How far an indexing is, on the first page: a job of the page, and what follows the folder."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.datastructures import QueryParams

from biblicus import Corpus
from biblicus.connectors.http.service import Service
from biblicus.connectors.web import browsing
from biblicus.connectors.web.asking import Asked
from biblicus.connectors.web.pages import Page
from biblicus.contracts import Call
from biblicus.corpus import auto
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import EmbedderUnavailable
from biblicus.service import watching
from biblicus.service.corpora import Corpora
from biblicus.service.jobs import Jobs
from biblicus.service.watching import Watcher
from tests.folders import corpus_of
from tests.visitor import Visitor, no_tokens, page_of


@pytest.fixture
def corpora(tmp_path: Path) -> Iterator[Corpora]:
    folder = tmp_path / "harbour"
    corpus_of(folder, {"tides.md": "The moon pulls the tides.\n"})
    opened = Corpora.open((str(folder),))
    yield opened
    opened.close()


def now(corpora: Corpora, jobs: Jobs, call: Call | None = None) -> object:
    return browsing.home(Asked(corpora, QueryParams(), call or Call()), jobs)["cards"][0]["now"]


def test_a_job_of_the_page_says_how_far_it_is(corpora: Corpora) -> None:
    jobs, reached, end = Jobs(), threading.Event(), threading.Event()

    def work(call: Call) -> None:
        call.progress("embed", 30, 100)
        reached.set()
        end.wait(60)

    job = jobs.start("reindex", "harbour", work)
    assert reached.wait(60)
    address = f"/corpus/jobs/{job.job_id}"
    assert now(corpora, jobs) == {"job": address, "step": "embed", "done": 30, "total": 100}
    assert now(corpora, jobs, Call(guest=True)) is None
    end.set()
    jobs.close(60)
    assert now(corpora, jobs) is None


def test_a_file_that_was_renamed_was_changed_lately_by_its_new_name_alone(corpora: Corpora, tmp_path: Path) -> None:
    (tmp_path / "harbour" / "tides.md").rename(tmp_path / "harbour" / "ebb.md")
    with Corpus.open(tmp_path / "harbour") as corpus:
        corpus.reindex()
    lately = browsing.home(Asked(corpora, QueryParams(), Call()), Jobs())["lately"]
    assert [path for path, _ in lately] == ["ebb.md"]


def test_what_follows_the_folder_says_how_far_it_is(corpora: Corpora, tmp_path: Path) -> None:
    (tmp_path / "harbour" / "gulls.md").write_text("Gulls follow boats.\n", "utf-8")
    asker, jobs, seen = corpora.owners("harbour"), Jobs(), []
    indexed = threading.Event()
    call = Call(progress=lambda *_: seen.append(now(corpora, jobs)))
    watcher = Watcher(asker, lambda report: indexed.set(), call)
    watcher.start()
    assert indexed.wait(60)
    watcher.stop()
    # a file that was written just before the first indexing is read again
    assert any({"job": None, "step": "read", "done": files, "total": files} in seen for files in (1, 2))
    assert now(corpora, jobs) is None


def test_a_sync_with_nothing_new_is_not_under_way_any_more(corpora: Corpora, tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "rule.md").write_text("Boats keep right.\n", "utf-8")
    with Corpus.open(tmp_path / "harbour") as corpus:
        corpus.add_source(str(tmp_path / "rules"), name="rules", allow_local=True, every="1h")
    asker, jobs, seen = corpora.owners("harbour"), Jobs(), []
    watcher = Watcher(asker, call=Call(progress=lambda *_: seen.append(now(corpora, jobs))))
    watcher._intervals.sync_due(0.0, watcher._call)
    assert seen[0]
    assert now(corpora, jobs) is None


def test_an_embedding_that_failed_is_not_under_way_any_more(corpora: Corpora, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(corpus: CorpusFolder, call: Call) -> bool:
        call.progress("embed", 30, 100)
        call.cancel.set()
        raise EmbedderUnavailable("minilm", "it does not answer")

    monkeypatch.setattr(watching, "_LOOK", 0)
    monkeypatch.setattr(watching, "embed_words", fails)
    monkeypatch.setattr(auto, "is_behind", lambda corpus: True)
    jobs, seen = Jobs(), []
    watcher = Watcher(corpora.owners("harbour"), call=Call(progress=lambda *_: seen.append(now(corpora, jobs))))
    watcher._meaning._run()
    assert seen == [{"job": None, "step": "embed", "done": 30, "total": 100}]
    assert now(corpora, jobs) is None


def test_the_first_page_shows_it_and_is_looked_at_again(corpora: Corpora, tmp_path: Path) -> None:
    served: list[Service] = []

    class Served(Page):
        def mount(self, app: Starlette, service: Service) -> None:
            served.append(service)
            super().mount(app, service)

    with page_of(str(tmp_path / "harbour"), page=Served(no_tokens(tmp_path))) as (address, _):
        visitor = Visitor(address)
        assert visitor.ask("GET", "/").page.css_first("[data-now], meta[http-equiv=refresh]") is None
        served[0].corpora.owners("harbour").progress = ("embed", 30, 100)
        visitor.ask("GET", "/")
        assert visitor.texts("[data-now]") == ["Under way: embed, 30 of 100. Look again"]
        assert visitor.nodes("noscript meta[http-equiv=refresh]")
        assert visitor.nodes("progress")[0].attributes["max"] == "100"
