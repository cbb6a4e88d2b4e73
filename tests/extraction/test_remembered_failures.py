"""A file that breaks its limits is parsed once, and again where something else may come of it. Parses are counted."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus, plugins
from biblicus.connectors.cli.front.app import run
from biblicus.contracts import Call
from biblicus.errors import NoText
from biblicus.extraction.workers.pool import ExtractionPool
from biblicus.models.extraction import NoExtraction
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.service.verbs import RECEIVE
from tests.extraction import hanging_plugin
from tests.sampling import some

RECIPE = "name: own\nbuild:\n  extraction: {hanging: {}}\n  chunking: {default: {by: whole}}\n  legs: {lexical: {}}\n"


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    """Where parses look what to do: `end` makes them end their worker."""
    folder = tmp_path / "marks"
    folder.mkdir()
    (folder / "end").touch()
    return folder


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often a file was handed to the plug-in until now: each gives an outcome, if only by its worker's end."""
    ended: list[object] = []
    extract = ExtractionPool.extract

    def counted(pool: ExtractionPool, jobs: Any) -> Any:
        for job, outcome in extract(pool, jobs):
            ended.extend([outcome] if plugins.find("extraction", job.extractor) is hanging_plugin else [])
            yield job, outcome

    monkeypatch.setattr(ExtractionPool, "extract", counted)
    return lambda: len(ended)


@pytest.fixture
def folder(tmp_path: Path, marks: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a text and two PDFs that no worker survives."""
    monkeypatch.setitem(plugins.OURS["extraction"], "pdf", hanging_plugin.__name__)
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "tides.txt").write_text("The moon pulls tides.")
    for name in ("one", "two"):
        (folder / f"{name}.pdf").write_text(f"%PDF-1.4\n{marks}\n{name}")
    return folder


@pytest.fixture
def corpus(folder: Path) -> Iterator[Corpus]:
    with Corpus.init(folder) as corpus:
        yield corpus


def again(corpus: Corpus) -> Corpus:
    """The corpus as another command opens it."""
    return Corpus.open(corpus.path)


def _get(corpus: Corpus) -> None:
    with pytest.raises(NoText):
        corpus.get("one.pdf")


def test_one_command_parses_a_file_once(corpus: Corpus, parses: Callable[[], int]) -> None:
    (run,) = corpus.reindex().runs
    assert parses() == 2
    assert {note.path: note.reason for note in run.manifest.failed} == {
        "one.pdf": "crashed: the parser ended (exit code 3)",
        "two.pdf": "crashed: the parser ended (exit code 3)",
    }


@pytest.fixture
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are as of yesterday: none is read again for having been written just now."""
    monkeypatch.setattr("biblicus.corpus.passes.is_calm", lambda stamp, started_ns: True)


@pytest.mark.parametrize(
    ("mark", "reason"),
    some([("kill", "the parser crashed (SIGKILL)"), ("hang", "it took longer than 2 s")], 2),
)
@pytest.mark.usefixtures("calm")
def test_what_a_busy_machine_may_have_caused_is_tried_twice(
    corpus: Corpus,
    parses: Callable[[], int],
    marks: Path,
    monkeypatch: pytest.MonkeyPatch,
    mark: str,
    reason: str,
) -> None:
    monkeypatch.setenv("BIBLICUS_EXTRACTION_SECONDS", "2")
    (marks / "end").rename(marks / mark)
    (run,) = again(corpus).reindex().runs
    assert parses() == 2
    assert [note.reason.partition(": ")[2] for note in run.manifest.failed] == [reason] * 2
    again(corpus).reindex()
    assert parses() == 4
    again(corpus).reindex(fresh=True)
    assert parses() == 4


@pytest.mark.usefixtures("calm")
def test_a_machine_that_was_busy_once_costs_no_file(corpus: Corpus, parses: Callable[[], int], marks: Path) -> None:
    (marks / "end").rename(marks / "kill")
    corpus.reindex()
    (marks / "kill").unlink()
    (run,) = again(corpus).reindex().runs
    assert (parses(), run.manifest.failed) == (4, [])


def test_a_parser_that_stumbles_over_its_own_files_is_not_tried_again(
    corpus: Corpus, parses: Callable[[], int], marks: Path
) -> None:
    (marks / "end").rename(marks / "stumble")
    (run,) = corpus.reindex().runs
    again(corpus).reindex()
    assert parses() == 2
    assert [note.reason for note in run.manifest.failed] == ["failed: no such font"] * 2


@pytest.mark.usefixtures("calm")
def test_what_could_not_be_opened_is_looked_at_again(
    corpus: Corpus, marks: Path, parses: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    (marks / "end").unlink()
    with monkeypatch.context() as patch:
        unread = NoExtraction("failed", "could not be read: too many open files")
        patch.setattr(ExtractionPool, "extract", lambda self, jobs: ((job, unread) for job in jobs))
        (run,) = corpus.reindex().runs
        assert len(run.manifest.failed) == 2
    (run,) = again(corpus).reindex().runs
    assert (parses(), run.manifest.failed) == (2, [])


def test_equal_content_is_parsed_once(corpus: Corpus, parses: Callable[[], int]) -> None:
    (corpus.path / "copy.pdf").write_bytes((corpus.path / "one.pdf").read_bytes())
    (run,) = corpus.reindex().runs
    assert parses() == 2
    assert len(run.manifest.failed) == 3


@pytest.mark.parametrize(
    "command",
    [
        lambda corpus: corpus.reindex(),
        lambda corpus: corpus.reindex(fresh=True),
        lambda corpus: corpus.reindex("scan"),
        lambda corpus: corpus.ingest(),
        lambda corpus: corpus.ingest(text="A line of its own."),
        lambda corpus: corpus._asker.ask(RECEIVE, ReceiveRequest(text="A line of its own."), Call()),
        _get,
        lambda corpus: [corpus.reindex("scan"), corpus.query("moon", recipe="scan")],
        lambda corpus: (corpus.path / "one.pdf").rename(corpus.path / "renamed.pdf") and corpus.reindex(),
    ],
    ids=["reindex", "fresh", "other recipe", "refresh", "text", "one document", "get", "scan", "renamed"],
)
def test_no_later_command_parses_it_again(
    corpus: Corpus, parses: Callable[[], int], command: Callable[[Corpus], Any]
) -> None:
    corpus.reindex()
    before = parses()
    command(again(corpus))
    assert parses() == before


def test_who_debugs_sees_it_fail_again(corpus: Corpus, parses: Callable[[], int]) -> None:
    corpus.reindex()
    before = parses()
    assert run(["-C", str(corpus.path), "reindex", "--debug"]) == 0
    assert parses() > before


def test_other_limits_are_another_chance(
    corpus: Corpus, parses: Callable[[], int], marks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.reindex()
    (marks / "end").unlink()
    monkeypatch.setenv("BIBLICUS_EXTRACTION_SECONDS", "60")
    (run,) = again(corpus).reindex().runs
    assert parses() == 4
    assert run.manifest.failed == []


def test_each_limit_is_tried_once(corpus: Corpus, parses: Callable[[], int], monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.reindex()
    for seconds in ("20", "30", "20"):
        monkeypatch.setenv("BIBLICUS_EXTRACTION_SECONDS", seconds)
        again(corpus).reindex()
    assert parses() == 4


def test_another_version_of_the_parser_is_another_chance(
    corpus: Corpus, parses: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.reindex()
    monkeypatch.setattr(hanging_plugin, "VERSION", 2)
    again(corpus).reindex()
    assert parses() == 4


def test_a_person_may_ask_for_another_chance(corpus: Corpus, parses: Callable[[], int], marks: Path) -> None:
    corpus.reindex()
    (marks / "end").unlink()
    (run,) = again(corpus).reindex(retry_failed=True).runs
    assert parses() == 4
    assert run.manifest.failed == []
    assert {piece.path for piece in again(corpus).query("whale").evidence} == {"one.pdf", "two.pdf"}
    assert parses() == 4


def test_who_asks_in_vain_waits_once(corpus: Corpus, parses: Callable[[], int]) -> None:
    corpus.reindex()
    again(corpus).reindex(retry_failed=True)
    assert parses() == 4


def test_another_chance_for_a_recipes_own_extractor(
    corpus: Corpus, parses: Callable[[], int], marks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(plugins.OURS["extraction"], "pdf", "biblicus.extraction.pdf")
    monkeypatch.setitem(plugins.OURS["extraction"], "hanging", hanging_plugin.__name__)
    (corpus.path / ".biblicus" / "recipes").mkdir()
    (corpus.path / ".biblicus" / "recipes" / "own.yml").write_text(RECIPE)
    corpus.reindex("own")
    again(corpus).reindex("own")
    assert parses() == 2
    (marks / "end").unlink()
    (run,) = again(corpus).reindex("own", retry_failed=True).runs
    assert (run.differs, run.manifest.failed, parses()) == (("texts",), [], 4)
    (unchanged,) = again(corpus).reindex("own").runs
    assert unchanged.built == "unchanged"


def test_where_nothing_can_be_kept_one_command_still_parses_once(corpus: Corpus, parses: Callable[[], int]) -> None:
    cache = corpus.path / ".biblicus" / "local" / "cache"
    cache.mkdir(parents=True)
    (cache / "extractions").touch()
    corpus.reindex()
    assert parses() == 2
