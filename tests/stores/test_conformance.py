"""One suite for every store: the same runs, the same evidence, the same errors as the files on this machine.

Scores agree to five digits: a database adds in double precision, the local index in single.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, NotMaterialized, RunPruned
from biblicus.runs import manifests
from tests.folders import write
from tests.sampling import IS_LONG, crossed
from tools.postgres import Server

TEXTS = {
    "tides.txt": "The moon pulls tides.\nThe sun does too, a little.\n\nSpring tides come twice a month.\n",
    "notes/gulls.md": "---\ntags: [birds]\nkeeper: Ada\ntoolkit: rig\ndate: 2026-05-02\n---\n"
    "# Gulls\n\nGrey gulls fly over the harbour.\n\n## Food of gulls\n\n“Fish”, and what tourists drop. 🐟\n",
    "notes/boats.md": "---\ntags: [boats, wood]\nkeeper: [Ada, Bert]\ndate: 2025\n---\n"
    "# Boats of the harbour\n\nA read-only log is kept. Tides lift every boat.\n\n## Ropes\n\nRopes of hemp.\n",
    "notes/ŷ ü.txt": "Ebbe und Flut am Kai. Die Boote liegen im Hafen, und die Möwen warten auf den Fisch.\n",
    "notes/潮.txt": "潮汐由月亮引起。港口里的船随潮水升降。\n",
    "src/tide.py": 'def high_tide(day):\n    """When the tide is high."""\n    return lruCache(day)\n\n\n'
    "class TideTable:\n    pass\n",
    "tests/test_tide.py": "def test_high_tide():\n    assert high_tide(1) == 'tide tide tide'\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.2\n\nTides are computed; the moon was fixed.\n",
    "nul.txt": "A tide with a mark \ufdd0 that is no character, twice: \ufdd01.\n",
    "photo of the harbour.jpg": "no picture",
}
QUESTIONS = (
    "tides", "moon and tides", "what pulls the tides?", '"spring tides"', "read-only log", "high_tide", "lruCache",
    "TideTable class", "gulls food", "the harbour", "Boats of the harbour", "Möwen im Hafen", "潮汐", "潮水 船",
    "changelog tides", "test high tide", "harbuor gulls", '"tides moon" boats', "nothing of the kind", "photo harbour",
    "fish", "ropes of hemp", "tide mark character",
)  # fmt: skip
FILTERS: tuple[dict[str, Any], ...] = (
    {"tag": ("birds",)}, {"tag": ("boats", "wood")}, {"type": ("markdown",)}, {"type": ("text/*",)},
    {"path": ("notes/**",)}, {"path": ("notes/[a-g]*.md",)}, {"language": ("de",)}, {"doctype": ("code",)},
    {"where": {"keeper": "Ada"}}, {"toolkit": ("rig",)}, {"since": "2026"}, {"until": "2025-12"},
    {"tag": ("nosuch",)}, {"source": ("corpus",)},
)  # fmt: skip


STORES = ("local", "postgres", "milvus")
OTHERS = STORES if IS_LONG else STORES[1:]
"""What is compared with files on this machine; these with themselves in `make test-long` alone."""


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The store's name, with all runs in it."""
    if request.param == "postgres":
        server: Server = request.getfixturevalue("postgres")
        monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"postgres": {"by": "postgres", "dsn": server.dsn}}))
    if request.param == "milvus":
        uri = request.getfixturevalue("milvus").uri
        monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"milvus": {"by": "milvus", "uri": uri}}))
    monkeypatch.setenv("BIBLICUS_STORE", request.param)
    return str(request.param)


def filled(folder: Path, texts: dict[str, str] = TEXTS) -> Corpus:
    corpus = Corpus.init(folder)
    write(folder, texts)
    return corpus


@pytest.fixture
def corpus(tmp_path: Path, store: str) -> Iterator[Corpus]:
    with filled(tmp_path / "harbour") as made:
        yield made


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, str], Corpus]:
    """The same files in a corpus whose runs are files on this machine."""

    def copied(folder: Path, recipe: str) -> Corpus:
        twin = tmp_path / "twin"
        shutil.copytree(folder, twin, ignore=lambda _, names: {"local", "runs", "catalog.json"} & set(names))
        monkeypatch.setenv("BIBLICUS_STORE", "local")
        made = Corpus.open(twin)
        made.reindex(recipe)
        return made

    return copied


def evidence(corpus: Corpus, question: str, recipe: str, **filters: Any) -> Any:
    """What a question brings, but for ids that are each run's own."""
    result = corpus.query(question, recipe=recipe, **filters)
    own = {"run_id", "score", "stage_scores"}
    pieces = [{key: value for key, value in asdict(piece).items() if key not in own} for piece in result.evidence]
    scores = [[piece.score, *map(float, piece.stage_scores.values())] for piece in result.evidence]
    return pieces, scores, result.insufficient, result.notes, result.support


def asked(corpus: Corpus, recipe: str) -> dict[str, Any]:
    told = {question: evidence(corpus, question, recipe) for question in QUESTIONS}
    for filters, question in crossed(FILTERS, ("tides harbour", "gulls boats fish", "潮汐")):
        told[f"{question} {filters}"] = evidence(corpus, question, recipe, **filters)
    return told


def edits(folder: Path) -> Iterator[None]:
    """Edit files in three steps."""
    write(folder, {"tides.txt": "The moon alone pulls tides.\n"})
    yield
    write(folder, {"new.md": "# Nets\n\nNets of gulls and tides.\n", "more/new.md": "Nets of the harbour.\n"})
    yield
    (folder / "notes" / "boats.md").unlink()
    (folder / "new.md").unlink()
    yield


def same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Pieces to the letter; scores to what a text's vector differs in whether it was embedded alone or with others."""
    for question, (pieces, scores, insufficient, notes, support) in expected.items():
        mine = found[question]
        assert mine[0] == pieces, question
        assert mine[1] == [pytest.approx(row, rel=5e-4, abs=5e-5) for row in scores], question
        assert mine[2:4] == (insufficient, notes), question
        assert mine[4] == pytest.approx(support, rel=5e-4, abs=5e-5), question


@pytest.mark.parametrize("store", OTHERS, indirect=True)
@pytest.mark.parametrize("recipe", ["lexical", "hybrid"])
def test_every_question_brings_the_same_evidence(corpus: Corpus, local: Any, recipe: str) -> None:
    corpus.reindex(recipe)
    found = asked(corpus, recipe)
    assert sum(bool(pieces) for pieces, *_ in found.values()) > len(found) // 2
    with local(corpus.path, recipe) as twin:
        same(found, asked(twin, recipe))


@pytest.mark.parametrize("recipe", ["lexical", "hybrid"])
def test_a_run_has_the_same_name_for_what_it_holds(corpus: Corpus, local: Any, recipe: str) -> None:
    here = corpus.reindex(recipe).runs[0].manifest
    with local(corpus.path, recipe) as twin:
        there = twin.runs()[-1]
    assert here.sizes
    for name in ("build_id", "corpus_digest", "chunks_digest", "index_version", "components", "counts", "languages"):
        assert getattr(here, name) == getattr(there, name), name


@pytest.mark.parametrize("store", OTHERS, indirect=True)
@pytest.mark.parametrize("recipe", ["lexical", "hybrid"])
def test_a_run_after_edits_equals_a_local_one(
    tmp_path: Path, corpus: Corpus, store: str, local: Any, recipe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biblicus.runs.reindex.CHURN_LIMIT", 100.0 if store == "postgres" else 0.0)  # Milvus: all anew
    before = shutil.copytree(corpus.path, tmp_path / "before")
    corpus.reindex(recipe)
    for _ in edits(corpus.path):
        assert corpus.reindex(recipe).runs[0].built == ("incremental" if store == "postgres" else "fresh")
        assert corpus.check(read_data=True).problems == []
    found = asked(corpus, recipe)
    with local(before, recipe) as twin:
        for _ in edits(twin.path):
            twin.reindex(recipe)
        same(found, asked(twin, recipe))
        there, here = twin.runs()[-1], corpus.runs()[-1]
    for name in ("corpus_digest", "chunks_digest", "index_version", "counts"):
        assert getattr(here, name) == getattr(there, name), name


def test_evidence_is_proved(corpus: Corpus) -> None:
    corpus.reindex()
    result = corpus.query("tides harbour")
    assert {verdict.status for verdict in corpus.verify(result)} == {"ok"}


def test_every_verb_that_looks_at_runs_works(corpus: Corpus) -> None:
    first = corpus.reindex().runs[0].manifest.run_id
    write(corpus.path, {"new.md": "# Nets\n\nNets of gulls.\n"})
    second = corpus.reindex().runs[0].manifest.run_id
    folder = CorpusFolder(corpus.path)
    assert folder.store.runs() == folder.store.own() == [first, second]
    assert corpus.stats()["runs"]["lexical"]["materialized"]
    assert corpus.diff_runs(first, second)["items"]["added"] == ["new.md"]
    assert corpus.verify_run(second)["ok"]
    assert corpus.query("nets", run=second).evidence
    assert not corpus.query("nets", run=first).evidence
    assert corpus.check(read_data=True).problems == []
    assert corpus.reindex().runs[0].built == "unchanged"


def test_old_runs_go(corpus: Corpus) -> None:
    made = []
    for number in range(4):
        write(corpus.path, {"new.md": f"Net number {number}.\n"})
        made.append(corpus.reindex().runs[0].manifest.run_id)
    folder = CorpusFolder(corpus.path)
    assert folder.store.runs() == made[-2:]
    with pytest.raises(RunPruned):
        corpus.query("net", run=made[0])
    assert corpus.prune_runs(keep=1)["bytes"] > 0
    assert folder.store.runs() == made[-1:]
    assert corpus.prune_runs(made[-1], latest=True)["bytes"] > 0
    assert folder.store.runs() == []


def test_a_run_that_is_gone_is_built_again(corpus: Corpus) -> None:
    manifest = corpus.reindex().runs[0].manifest
    CorpusFolder(corpus.path).store.drop(manifest.run_id)
    with pytest.raises(NotMaterialized), Corpus.open(corpus.path) as again:
        again.query("tides")
    built = corpus.reindex().runs[0]
    assert (built.built, built.manifest.run_id) == ("rematerialised", manifest.run_id)
    assert corpus.query("tides").evidence


def test_a_run_that_no_manifest_names_is_removed_by_the_next_writer(corpus: Corpus) -> None:
    run_id = corpus.reindex().runs[0].manifest.run_id
    (corpus.path / ".biblicus" / "runs" / f"{run_id}.json").unlink()
    folder = CorpusFolder(corpus.path)
    assert manifests.orphans(folder) == [run_id]
    assert corpus.reindex().runs[0].manifest.run_id != run_id
    assert run_id not in folder.store.runs()


def test_what_fails_while_building_leaves_the_run_before_in_charge(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = corpus.reindex().runs[0].manifest.run_id
    write(corpus.path, {"new.md": "Nets.\n"})
    folder = CorpusFolder(corpus.path)
    with monkeypatch.context() as patch:
        patch.setattr("biblicus.runs.manifests.commit", _fail)
        with pytest.raises(BiblicusError):
            corpus.reindex()
    assert [run.run_id for run in corpus.runs()] == [first]
    assert corpus.query("tides").run_id == first
    second = corpus.reindex().runs[0].manifest.run_id
    assert folder.store.runs() == [first, second]
    assert not list(folder.index.glob("*.tmp"))


def _fail(*_: object) -> None:
    raise BiblicusError("It failed.")


def test_an_empty_corpus_and_one_without_words_are_answered(tmp_path: Path, store: str) -> None:
    with filled(tmp_path / "empty", {}) as corpus:
        assert corpus.reindex("hybrid").runs[0].manifest.counts["chunks"] == 0
        assert not corpus.query("tides", recipe="hybrid").evidence
        write(corpus.path, {"dots.txt": "… — …\n"})
        corpus.reindex("hybrid")
        assert not corpus.query("tides", recipe="hybrid", tag=("x",)).evidence
