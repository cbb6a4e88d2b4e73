"""What commands cost, counted instead of timed: modules, files opened, bytes written, texts read."""

import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.corpus import lines
from biblicus.corpus.changes import file_stats
from biblicus.corpus.extracted import extractions
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import list_items
from biblicus.disk import system
from biblicus.models.requests.items import ListRequest
from biblicus.retrieval.words.lexical_reader import LexicalReader
from biblicus.search import copies
from biblicus.stores import packing
from biblicus.stores.tables import TableReader
from tests.hearing import heard

_PROGRAM = """
import io, json, os, re, sys
root, opened, listed = os.path.realpath(sys.argv[1]) + os.sep, [], []
def hear(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        opened.append(os.path.realpath(os.fsdecode(arguments[0])))
    if event in ("os.scandir", "os.listdir") and isinstance(arguments[0], (str, bytes, os.PathLike)):
        listed.append(os.path.join(os.path.realpath(os.fsdecode(arguments[0])), ""))
sys.addaudithook(hear)
from biblicus.__main__ import main
said, shown = io.StringIO(), sys.stdout
sys.argv, sys.stdout = ["biblicus", *sys.argv[2:]], said
try:
    main()
except SystemExit as leaving:
    code = leaving.code
inside = [[path[len(root):] for path in paths if path.startswith(root)] for paths in (opened, listed)]
compiled = len(re._cache)  # what nothing but `re` knows
print(json.dumps([code, sorted(sys.modules), compiled, *inside]), file=shown)
"""


@dataclass(frozen=True)
class Cost:
    """Of one command, in a process of its own."""

    modules: frozenset[str]
    expressions: int
    opened: list[str]
    listed: list[str]


def cost(folder: Path, *words: str) -> Cost:
    command = [sys.executable, "-c", _PROGRAM, str(folder), "-C", str(folder), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    code, modules, *rest = json.loads(done.stdout)
    assert code == 0
    return Cost(frozenset(modules), *rest)


def bare_modules() -> frozenset[str]:
    """Modules that an interpreter loads by itself: Python's version, locale and environment decide."""
    program = "import sys; print(*sys.modules)"
    return frozenset(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.split())


UNNEEDED = frozenset({"argparse", "asyncio", "click", "concurrent.futures", "decimal", "email", "fractions", "gettext"})
UNNEEDED |= {"html", "html.parser", "http", "http.client", "httpx", "importlib.metadata", "locale", "logging", "numpy"}
UNNEEDED |= {"multiprocessing", "pathspec", "pydantic", "pypdf", "random", "rich", "secrets", "selectors", "shutil"}
UNNEEDED |= {"socket", "ssl", "statistics", "subprocess", "tempfile", "tree_sitter", "typer", "urllib.request", "xml"}
UNNEEDED |= {"yaml", "zipfile", "biblicus.extraction"}
UNNEEDED |= {"biblicus.text.headings"}
"""Modules that a cold question must not import: each costs it milliseconds and serves something else."""


def filled(folder: Path, count: int) -> Path:
    """A corpus of short texts with a run."""
    folder.mkdir()
    for number in range(count):
        path = folder / f"{number:04}.md"
        path.write_text(f"---\ntitle: Gauge {number}\n---\n# Gauge {number}\n\nThe tide at gauge {number}.\n", "utf-8")
    with Corpus.init(folder) as corpus:
        corpus.reindex()
    return folder


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("BIBLICUS_CONFIG_HOME", str(tmp_path / "config"))


def test_a_cold_question_imports_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("BIBLICUS_WORKERS")  # a number in the environment is a text, which a validator converts
    of_question = cost(filled(tmp_path / "few", 3), "query", "tide")
    modules = of_question.modules
    assert (UNNEEDED - bare_modules()) & modules == set()
    assert of_question.expressions <= 180, "compiled"
    assert len([name for name in modules if name.partition(".")[0] == "biblicus"]) <= 150


@pytest.mark.parametrize("words", ["list", "get 0001.md", "runs list"])
def test_a_plain_command_imports_no_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str):
    monkeypatch.delenv("BIBLICUS_WORKERS")  # as above
    assert "typer" not in cost(filled(tmp_path / "few", 3), *words.split()).modules


def test_where_nothing_changed_no_file_of_the_corpus_is_opened_and_no_parser_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("BIBLICUS_WORKERS")  # as above
    folders = [filled(tmp_path / f"of{count}", count) for count in (20, 120)]
    for folder in folders:
        cost(folder, "reindex")  # the one before it may have met files that had just been written
    few, many = (cost(folder, "reindex") for folder in folders)
    assert [path for path in many.opened if not path.startswith(".biblicus")] == []
    assert [path for path in many.listed if not path.startswith(".biblicus")] == []
    assert len(many.opened) == len(few.opened) <= 25
    unneeded = {"yaml", "multiprocessing", "pycld2", "numpy", "pypdf", "typer", "pydantic", "importlib.metadata"}
    ours = {"biblicus.models.reading", "biblicus.corpus.items", "biblicus.corpus.examine", "biblicus.runs.cutting"}
    ours |= {"biblicus.text.headings", "biblicus.models.evidence"}
    unneeded |= {"shutil", "biblicus.text.kinds", "biblicus.retrieval.words.lexical_reader"}
    assert (unneeded | ours) & many.modules == set()
    assert many.expressions <= 150, "compiled"


def test_to_index_an_edit_of_a_text_takes_no_validator_and_no_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("BIBLICUS_WORKERS")  # as above
    folder = filled(tmp_path / "c", 20)
    with (folder / "0007.md").open("a", encoding="utf-8") as page:
        page.write("So be it.\n")
    edited = cost(folder, "reindex")
    assert "0007.md" in edited.opened
    assert {"pydantic", "biblicus.extraction.workers.pool", "biblicus.corpus.registries"} & edited.modules == set()


def test_after_an_ingest_into_many_items_nothing_is_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = filled(tmp_path / "c", 40)
    for path in folder.glob("*.md"):
        path.write_text(path.read_text("utf-8") + "So be it.\n", "utf-8")  # too new for their stamps to be relied on
    monkeypatch.setattr(file_stats, "_MANY", 40)
    with Corpus.open(folder) as corpus:
        corpus.ingest("-", title="Wind", text="From the west.")
    told = cost(folder, "ingest")
    assert {path for path in told.opened if not path.startswith(".biblicus")} <= {"imports"}  # its stamp alone


@dataclass
class Looks:
    """What a command in this process looks at of a corpus: files whose stamps are taken, folders that are listed, lines
    of the catalog that are parsed."""

    stamped: list[int]
    listed: list[int]
    parsed: list[int]

    def none_yet(self) -> None:
        for counts in (self.stamped, self.listed, self.parsed):
            counts.clear()


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Looks:
    looks = Looks(
        heard(monkeypatch, system.Folder, "numbers", lambda _, names: len(names)),
        heard(monkeypatch, os, "scandir", lambda path: ".biblicus" not in str(path)),
        heard(monkeypatch, lines, "entry", lambda line: 1),
    )
    for module in ("passes", "changes.known_folder"):  # as files of yesterday
        monkeypatch.setattr(f"biblicus.corpus.{module}.is_calm", lambda stamp, started_ns: True)
    return looks


def spread(folder: Path, count: int) -> Path:
    """A corpus of short texts in folders of twenty, whose files are not new."""
    for number in range(count):
        within = folder / f"{number // 20:03}"
        within.mkdir(parents=True, exist_ok=True)
        (within / f"{number:05}.md").write_text(f"# Gauge {number}\n\nThe tide at gauge {number}.\n", "utf-8")
    with Corpus.init(folder) as corpus:
        corpus.ingest()
    return folder


def test_what_is_brought_in_is_looked_for_once_and_then_where_it_was_written(tmp_path: Path, looks: Looks):
    costs = []
    for count in (100, 400):
        with Corpus.open(spread(tmp_path / f"of{count}", count)) as corpus:
            corpus.ingest("-", title="Calm", text="No wind.")
            looks.none_yet()
            added = corpus.ingest("-", title="Wind", text="From the west.").added
        assert [entry["path"] for entry in added] == ["imports/wind.txt"]
        assert sum(looks.stamped) == count + 2, "each file that was there once, and a sidecar"
        costs.append((sum(looks.listed), sum(looks.parsed)))
    assert costs[0] == costs[1]
    assert costs[0] <= (5, 12)


@pytest.mark.parametrize(
    ("act", "listed", "parsed"),
    [
        pytest.param(lambda root: (root / "003" / "00071.md").open("a").write("More.\n"), 0, 12, id="an edit"),
        pytest.param(lambda root: (root / "003" / "new.md").write_text("New.\n"), 2, 12, id="a new file"),
        pytest.param(lambda root: (root / "003" / "00071.md").unlink(), 2, 12, id="one less"),
        pytest.param(lambda root: (root / "003").rename(root / "moved"), 2, 250, id="a folder that was moved"),
    ],
)
def test_growth_is_by_what_changed(
    tmp_path: Path, looks: Looks, act: Callable[[Path], object], listed: int, parsed: int
):
    for count in (100, 400):
        folder = spread(tmp_path / f"of{count}", count)
        act(folder)
        with Corpus.open(folder) as corpus:
            looks.none_yet()
            report = corpus.ingest()
        assert report.added + report.changed + report.removed + report.renamed != []
        assert sum(looks.listed) <= listed
        assert sum(looks.parsed) <= parsed


def test_of_a_list_no_more_is_parsed_than_a_page_and_a_block(tmp_path: Path, looks: Looks):
    folder = spread(tmp_path / "c", 400)
    first = list_items(CorpusFolder(folder), ListRequest(limit=5), Call())
    assert [item.path for item in first.items] == [f"000/{number:05}.md" for number in range(5)]
    assert sum(looks.parsed) <= lines.BLOCK


def test_of_files_that_have_nothing_to_say_nothing_is_kept_but_their_stamps(tmp_path: Path, looks: Looks):
    sizes = []
    for count in (100, 400):
        local = spread(tmp_path / f"of{count}", count) / ".biblicus" / "local"
        sizes.append([(local / name).stat().st_size for name in ("stamps.json", "scan.json", "folder.json")])
    assert sizes[1][0] == sizes[0][0]
    assert sizes[1][1] - sizes[0][1] <= 2, "a digit of each count"
    assert (sizes[1][2] - sizes[0][2]) / 300 <= 45, "32 bytes, a name, its share of a folder"


def contents(folder: Path) -> dict[Path, tuple[int, bytes]]:
    """Inode and bytes of every file that is kept for a corpus."""
    paths = [path for path in (folder / ".biblicus").rglob("*") if path.is_file()]
    return {path.relative_to(folder / ".biblicus"): (path.stat().st_ino, path.read_bytes()) for path in paths}


def written_bytes(before: dict[Path, tuple[int, bytes]], after: dict[Path, tuple[int, bytes]]) -> Counter[str]:
    """Bytes written, by kind of file. Of a file that was appended to, the bytes after those that were there."""
    linked = dict(before.values())
    written: Counter[str] = Counter()
    for path, (inode, data) in after.items():
        known = linked.get(inode, b"")
        kind = "index" if "lexical" in path.parts else path.name if "events" not in path.parts else "events"
        kind = "manifest" if path.parts[0] == "runs" else kind
        if data != known:
            written[kind] += len(data) - len(known) if data.startswith(known) else len(data)
    return written


A_FILE = {"catalog.json": 560, "folder.json": 64}
"""Bytes that a file which was not edited may cost a reindex: half as much again as its line takes; elsewhere 1."""
AN_EDIT = {"delta.db": 40_960, "index": 16_384, "seal.json": 10_240, "manifest": 4_096}
"""Bytes that an edit may cost whatever the number of files; elsewhere 2,048. SQLite writes pages of 4,096."""


def test_one_edit_writes_a_line_for_each_file_and_little_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("biblicus.runs.reindex.FRESH_BELOW", 0)
    written = []
    for count in (400, 1600):  # with fewer, an edit is so many of them that the tables are rewritten
        folder = filled(tmp_path / f"of{count}", count)
        with (folder / "0007.md").open("a", encoding="utf-8") as file:
            file.write("The edited tide.\n")
        before = contents(folder)
        with Corpus.open(folder) as corpus:
            corpus.reindex()
        written.append(written_bytes(before, contents(folder)))
    few, many = written
    kinds = sorted(few | many)
    a_file = {kind: (many[kind] - few[kind]) / 1200 for kind in kinds}
    an_edit = {kind: few[kind] - 400 * a_file[kind] for kind in kinds}
    table = [f"{kind:14}{few[kind]:9}{many[kind]:9}{a_file[kind]:9.2f}{an_edit[kind]:9.0f}" for kind in kinds]
    report = "\n".join(["\nkind           of 400  of 1600   a file  an edit", *table])
    assert [kind for kind in kinds if a_file[kind] > A_FILE.get(kind, 1)] == [], report
    assert [kind for kind in kinds if an_edit[kind] > AN_EDIT.get(kind, 2048)] == [], report


def test_no_more_texts_are_read_than_a_result_shows_and_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    read: list[int] = []
    rows = TableReader._rows

    def counted(reader: TableReader, sql: str, values: Any = ()) -> list[tuple[Any, ...]]:
        result = rows(reader, sql, values)
        if "text" in sql and "FROM chunks" in sql:
            read.append(len(result))
        return result

    folder = tmp_path / "gauges"
    folder.mkdir()
    for number in range(1, 60):
        words = "tide " * number + f"gauge{number} " * (60 - number)
        (folder / f"{number}.txt").write_text(words, "utf-8")
    monkeypatch.setattr(TableReader, "_rows", counted)
    unpacked = heard(monkeypatch, packing, "_unpacked", lambda known, block, *_: block)
    with Corpus.init(folder) as corpus:
        corpus.reindex()
        read.clear()
        unpacked.clear()
        shown = corpus.query("tide", limit=10).evidence
    assert len(shown) == 10
    assert 10 <= sum(read) <= 10 + 8
    assert len(unpacked) == 10, "what is found and not shown stays packed"


def test_chunks_of_a_long_page_beyond_those_that_may_be_shown_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "gauges"
    folder.mkdir()
    long = "\n\n".join(f"## Part {number}\n\n{'tide ' * (60 + number)}{'quay ' * 180}" for number in range(90))
    (folder / "long.md").write_text(f"# Tide\n\n{long}\n", "utf-8")
    for number in range(1, 12):
        (folder / f"{number}.txt").write_text(f"tide {'gauge ' * (9 + number)}", "utf-8")
    with Corpus.init(folder) as corpus:
        corpus.reindex()
        read = heard(monkeypatch, TableReader, "chunks", lambda _, rows: list(rows))
        result = corpus.query("tide", limit=10)
    assert Counter(piece.path == "long.md" for piece in result.evidence) == {True: 3, False: 7}
    dropped = [entry for entry in result.budget["dropped"] if entry["reason"] == "per_source"]
    ordinals = {int(entry["chunk_id"].rpartition(":")[2]) for entry in dropped}
    shown = {int(piece.chunk_id.rpartition(":")[2]) for piece in result.evidence if piece.path == "long.md"}
    assert {entry["path"] for entry in dropped} == {"long.md"}
    assert ordinals | shown == set(range(len(ordinals) + 3)), "in the result without being read"
    assert len(ordinals) >= 80
    assert len(set(chain.from_iterable(read))) <= 10 + 8


def test_a_warm_question_reads_its_chunks_and_their_items_and_little_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    asked = heard(monkeypatch, TableReader, "_rows", lambda _, sql, values=(): sql)
    with Corpus.open(filled(tmp_path / "c", 60)) as corpus:
        for number in range(3):
            corpus.query(f"gauge {number}", limit=10)
        asked.clear()
        stats = heard(monkeypatch, os, "stat", lambda path, **_: path)
        assert len(corpus.query("the tide at gauge 7", limit=10).evidence) == 10
        tables = [sql.rsplit("FROM ", 1)[1].split()[0] for sql in asked]
        assert tables == ["chunks", "items"], "texts, and what they are of"
        assert len(stats) <= 12
        asked.clear()
        assert len(corpus.query("tides of gauge 7", limit=10).evidence) == 10
    assert asked == [], "what the question before it found"


@pytest.mark.parametrize(("count", "reads"), [(20, 1), (60, 1 + 5)])
def test_what_ties_is_put_in_order_by_what_is_read_anyway_unless_it_is_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, reads: int
):
    (tmp_path / "c").mkdir()
    for number in range(10, 10 + count):  # names with a leading zero are longer: they are ranked without it, too
        (tmp_path / "c" / f"{number}.txt").write_text(f"The tide at gauge{number}.", "utf-8")
    with Corpus.init(tmp_path / "c") as corpus:
        corpus.reindex()
        corpus.query("quay", limit=10)  # opens, and finds nothing
        asked = heard(monkeypatch, TableReader, "_rows", lambda _, sql, values=(): sql.rsplit("FROM ", 1)[1].split()[0])
        evidence = corpus.query("tide", limit=40).evidence
    assert len({piece.score for piece in evidence}) == 1
    assert [piece.item_id for piece in evidence] == sorted(piece.item_id for piece in evidence)
    assert [table for table in asked if table in ("chunks", "items")] == ["chunks", "items"] * reads


def test_a_question_that_goes_on_among_more_is_put_to_the_index_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    wanted = heard(monkeypatch, LexicalReader, "search", lambda reader, question, allow, k, call: k)
    queries = heard(monkeypatch, LexicalReader, "_asked", lambda _, question: question)
    folder = filled(tmp_path / "c", 30)
    sections = "".join(f"## Tide {number}\n\n{'The tide at the tide gauge. ' * 60}\n\n" for number in range(30))
    (folder / "tides.md").write_text(f"# Tides\n\n{sections}", "utf-8")
    with Corpus.open(folder) as corpus:
        corpus.reindex()
        assert len(corpus.query("tide", limit=10).evidence) == 10
    assert wanted == [40, 120], "of one page three pieces count"
    assert len(queries) == 1


def test_a_question_asked_again_unpacks_no_record_of_what_has_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = filled(tmp_path / "c", 30)
    for number in range(120):
        (folder / f"weir-{number:03}.png").write_bytes(b"\x89PNG\r\n\x1a\n%d" % number)
    unpacked = heard(monkeypatch, packing, "_record", lambda dictionary, packed, beside, _: ".png" in beside)
    with Corpus.open(folder) as corpus:
        corpus.reindex()
        for number in range(3):
            assert corpus.query(f"weir {number:03}", limit=4).evidence[-1].path == f"weir-{number:03}.png"
        unpacked.clear()
        assert corpus.query("weir 119", limit=4).evidence[-1].path == "weir-119.png"
        assert sum(unpacked) <= 20, "those with a word that begins so, not a hundred and twenty"
        unpacked.clear()
        assert corpus.query("lock at the tide", limit=4).evidence
    assert sum(unpacked) == 0, "nothing is called so"


def test_each_text_is_compared_with_those_of_other_versions_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    compared = heard(monkeypatch, copies, "shingles", lambda text: text)
    for version in ("v1", "v2", "v3"):
        sections = "".join(f"# Sluice {at}\n\n{f'Sluice {at} of {version} opens. ' * 50}\n\n" for at in range(40))
        (tmp_path / "c" / version).mkdir(parents=True)
        (tmp_path / "c" / version / "sluices.md").write_text(sections, "utf-8")
    with Corpus.init(tmp_path / "c") as corpus:
        corpus.reindex()
        assert corpus.query("how a sluice opens", limit=100, max_tokens=90_000, max_per_source=99).evidence
    assert 20 <= len(compared) == len(set(compared))


def test_an_answer_reads_no_whole_text_that_one_before_it_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def table(highest: str) -> str:
        rows = "".join(f"| Weir {number} of the river | {number % 90 + 10} |\n" for number in range(240))
        return f"# Weirs of the river\n\n| weir | height |\n|---|---|\n{rows}| {highest} | 120 |\n"

    page = tmp_path / "c" / "weirs.md"
    page.parent.mkdir()
    page.write_text(table("Ada Sluys"), "utf-8")
    with Corpus.init(page.parent) as corpus:
        corpus.reindex()
        read = heard(monkeypatch, extractions, "read_approved", lambda corpus, path, *_: path)
        first = corpus.answer("Which weir of the river is the highest?")
        assert "Ada Sluys" in first.answer
        assert all("Ada Sluys" not in piece.text for piece in first.result.evidence), "only the whole text says so"
        assert read == ["weirs.md"]
        assert "Ada Sluys" in corpus.answer("Which is the highest weir?").answer
        assert read == ["weirs.md"], "for all questions to a run"
        page.write_text(table("Ben Ouse"), "utf-8")
        assert "Sluys" not in corpus.answer("Which weir of the river is the highest?").answer, "it says so no longer"


def test_a_question_costs_no_more_where_there_are_more_items(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    steps = 0
    opened = TableReader._open

    def stepped() -> None:
        nonlocal steps
        steps += 1

    def counted(reader: TableReader) -> sqlite3.Connection:
        connection = opened(reader)
        connection.set_progress_handler(stepped, 10)
        return connection

    monkeypatch.setattr(TableReader, "_open", counted)
    taken = []
    for count in (100, 400):
        with Corpus.open(filled(tmp_path / str(count), count)) as corpus:
            corpus.query("gauge 7", limit=5)
            steps = 0
            assert corpus.query("gauge 8", limit=5).evidence
            taken.append(steps)
    assert taken[1] <= taken[0] + 50, "tens of SQLite's own steps"
