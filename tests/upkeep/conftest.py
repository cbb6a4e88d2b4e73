"""A corpus that holds every kind of file, for tests of what becomes of one."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.models.sources.readers import ANYBODY
from biblicus.runs import reindex
from features.model import Meaning
from tests.copies import copied
from tests.front_door import biblicus
from tests.sources.repositories import Repository

QUESTION = "what pulls the tides"


@dataclass
class Rich:
    """A corpus with every kind of file, in a folder with what it draws from. `sound`: a copy that stays as it is."""

    folder: Path
    sound: Path

    @property
    def home(self) -> Path:
        return self.folder / "corpus" / ".biblicus"

    def files(self) -> list[str]:
        return sorted(path.relative_to(self.home).as_posix() for path in self.home.rglob("*") if path.is_file())

    def restore(self) -> None:
        away = Path(tempfile.mkdtemp(dir=self.folder.parent)) / "away"
        self.folder.rename(away)
        shutil.rmtree(away, ignore_errors=True)  # an index may still write its lock
        copied(self.sound, self.folder)


def _lay_out(folder: Path) -> None:
    (folder / "corpus" / "notes").mkdir(parents=True)
    (folder / "corpus" / "tides.md").write_text("# Tides\n\nThe moon pulls the tides, twice a day.\n")
    (folder / "corpus" / "page.html").write_text("<title>Harbour</title><p>The harbour master counts moons.</p>")
    (folder / "outside").mkdir()
    (folder / "outside" / "letter.txt").write_text("The sun pulls, too.\n")
    (folder / "beir" / "qrels").mkdir(parents=True)
    (folder / "beir" / "queries.jsonl").write_text(json.dumps({"_id": "q1", "text": QUESTION}) + "\n")
    (folder / "beir" / "corpus.jsonl").write_text(json.dumps({"_id": "d1", "title": "Moon", "text": "A moon."}) + "\n")
    (folder / "beir" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    repository = folder / "up.git"
    repository.mkdir()
    made = Repository(repository)
    made.git("init", "--quiet", "--bare", "--initial-branch=trunk")
    made.files({"docs/mole.md": b"The mole is a wall.\n"})


def _fill(folder: Path) -> None:
    mirror = folder / "corpus" / ".biblicus" / "local" / "mirrors" / "20261129T000000Z-lexical-000000"
    mirror.mkdir(parents=True)
    (mirror / "facts.json").write_text("{}")  # left of a database that is not used any more
    with Corpus.init(folder / "corpus") as corpus:
        corpus.ingest(folder / "outside" / "letter.txt", tags=["post"])
        corpus.reindex()
        (folder / "corpus" / "tides.md").write_text("# Tides\n\nThe moon and the sun pull the tides.\n")
        corpus.reindex()
        for words in (
            ("weight", "set", "tides.md", "2"),
            ("recipes", "new", "mine"),
            ("alerts", "add", "pull", QUESTION),
            ("note", "add", "tides.md", "Since when?", "--quote", "The moon and the sun pull the tides."),
            ("personas", "new", "keeper"),
            ("datasets", "import", str(folder / "beir")),
            ("sources", "add", str(folder / "up.git"), "--name", "walls", "--allow-local"),
            ("sources", "sync"),
            ("reindex", "--recipe", "mine"),
            ("reindex", "--recipe", "vector"),
            ("reindex",),
            ("eval", "beir", "--report", str(folder / "corpus/.biblicus/datasets/baseline.json")),
        ):
            assert biblicus([*words, "-C", str(folder / "corpus")]) == 0, words
        corpus.keep_runs(*(kept.run_id for kept in corpus.runs()[:1]))
        _publish(corpus, folder / "corpus")
        golden = "golden: [{question: what pulls the tides, expect: {document: tides.md}}]\n"
        (folder / "corpus/.biblicus/datasets/golden.yml").write_text(golden)
        (evaluation,) = (folder / "corpus/.biblicus/local/evaluations").iterdir()
        kept = evaluation.read_bytes()
        evaluation.write_bytes(b"[")
        assert corpus.check(repair=True).problems == []
        evaluation.write_bytes(kept)
        report = corpus.check(read_data=True)
        assert (report.problems, report.notes) == ([], [])
        (folder / "corpus/.biblicus/local/promoting.json").write_bytes(b"")  # of a writer that died as it began


def _publish(corpus: Corpus, folder: Path) -> None:
    """Layers, a promotion, a publication, and what a writer that died was promoting."""
    config = folder / ".biblicus/config.yml"
    layers = "layers: [{name: raw, path: 'drafts/**'}, {name: final, path: 'final/**', from: raw}]\n"
    config.write_text(config.read_text() + layers)
    (folder / "drafts").mkdir()
    (folder / "drafts/mole.md").write_text("The mole is a wall in the sea.\n")
    corpus.promote("drafts/mole.md", to="final")
    corpus.publish("spring")
    (folder / ".biblicus/context.yml").write_text("contexts:\n  final: What the harbour office says.\n")
    (folder / ".biblicus/access.yml").write_text("paths:\n  drafts: [ada]\n")
    corpus.reindex()
    with Corpus.open(folder, reader=ANYBODY) as seen:
        assert "drafts/mole.md" not in [item.path for item in seen.list()]


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Iterator[Rich]:
    folder = tmp_path_factory.mktemp("rich")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biblicus.runs.embedders.find", lambda place, name: Meaning())
        patch.setattr(reindex, "FRESH_BELOW", 0)
        patch.setattr(reindex, "CHURN_LIMIT", 100.0)
        _lay_out(folder / "used")
        _fill(folder / "used")
        shutil.copytree(folder / "used", folder / "sound", symlinks=True)
        yield Rich(folder / "used", folder / "sound")
