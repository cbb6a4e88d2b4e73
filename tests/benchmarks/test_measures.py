"""Every measurement runs on a small folder, and what it finds is of the right kind."""

import json
import os
import re
import sys
from contextlib import nullcontext

import pytest

from benchmarks import __main__ as command
from benchmarks import growth, hostile, indexing, known, memory, page, postgres, searching, symbols
from benchmarks.figures import Figure
from benchmarks.workbench import Workbench, apart, finished, run_folder
from biblicus.connectors.python import Corpus


def by_name(figures: list[Figure]) -> dict[str, float]:
    return {figure.command: figure.measured for figure in figures}


@pytest.mark.long
def test_indexing_measures_full_edit_and_unchanged(bench):
    found = by_name(indexing.measure(bench))
    assert all(found[name] > 0 for name in ("full", "cores", "edit", "unchanged"))  # times: a machine may be slow


def test_an_edit_is_undone_afterwards(bench):
    folder = bench.copies(1)
    bench.index(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*.md")}
    assert indexing._edit_seconds(bench, folder) > 0
    assert {path: path.read_bytes() for path in folder.rglob("*.md")} == before


@pytest.mark.long
def test_searching_measures_warm_and_cold(bench):
    found = by_name(searching.measure(bench))
    assert all(found[name] > 0 for name in ("warm", "cold"))


@pytest.mark.long
def test_postgres_is_asked_what_the_disk_is(bench, monkeypatch):
    monkeypatch.setattr(postgres, "built", lambda place, name: place)
    monkeypatch.setattr(postgres, "quality", lambda *of: [])
    (figure,) = postgres.measure(bench)
    assert figure.measured > 0
    ((same, asked),) = re.findall(r"(\d+) of (\d+) questions", figure.detail)
    assert int(same) == int(asked) > 0
    assert "BIBLICUS_STORE" not in os.environ


def test_a_line_is_ingested_beside_hostile_files_and_without(bench, monkeypatch):
    monkeypatch.setattr(hostile, "_LINES", 5)
    monkeypatch.setattr(hostile, "hostile_files", lambda: {"broken.pdf": b"%PDF-1.7 broken"})
    (figure,) = hostile.measure(bench)
    assert figure.measured > 0
    assert "BIBLICUS_EXTRACTION_SECONDS" not in os.environ


def test_a_hostile_file_that_gives_a_text_measures_nothing(bench, monkeypatch):
    monkeypatch.setattr(hostile, "hostile_files", lambda: {"calm.txt": b"Wind from the west."})
    with pytest.raises(RuntimeError, match=r"calm\.txt"):
        hostile.measure(bench)


def test_questions_have_four_to_eight_words_and_no_twin(indexed):
    questions = list(searching.asked(run_folder(indexed)))
    assert questions
    assert len(set(questions)) == len(questions)
    assert all(4 <= len(question.split()) <= 8 for question in questions)
    assert questions == list(searching.asked(run_folder(indexed)))


def test_help_loads_none_of_the_heavy_modules(bench):
    (figure,) = searching.measure_help(bench)
    assert figure.measured == 0


def test_the_probe_of_help_would_see_a_heavy_module():
    assert finished(("-c", "import tantivy\n" + searching._HELP)).split() == ["tantivy"]


def test_memory_is_that_of_a_process_and_its_children():
    held = "block = b'x' * 60_000_000; import time; time.sleep(1.5)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {held!r}]); {held}"
    both = f"import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', {held!r}]); {held}; child.wait()"
    assert 120 < memory.peak(("-c", both)) < 180
    assert 60 < memory.peak(("-c", parent)) < 100


@pytest.mark.long
def test_memory_measures_the_peak_once_and_four_times_over(bench):
    once, ratio = memory.measure(bench)
    assert 20 < once.measured < 500
    assert 0.5 < ratio.measured < 2


@pytest.mark.long
def test_growth_measures_ingest_and_reindex_at_three_sizes(bench):
    figures = growth.measure(bench)
    assert [figure.name.split(" a file, ")[1] for figure in figures[:2]] == [
        "40 files against 4",
        "160 files against 40",
    ]
    assert all(figure.measured > 0 for figure in figures)


def test_a_namesake_counts_as_found_where_its_own_definition_comes_first(bench):
    folder = bench.place / "code"
    folder.mkdir()
    (folder / "terminal.py").write_text("class Console:\n    size = 3\n")
    (folder / "status.py").write_text("class Spinner:\n    def console(self):\n        return self._console\n")
    with Corpus.init(folder) as corpus:
        corpus.reindex("lexical")
        first = symbols.namesakes_first(corpus, folder)
        assert len(first) == 40
        # Letters' case tells none apart: `console` finds the class, too.
        assert [question for question, is_first in first.items() if is_first] == ["Console"]
        (folder / "terminal.py").write_text("class Another:\n    pass\n")
        assert not symbols.namesakes_first(corpus, folder)["Console"]


def test_a_sample_has_sizes_spread_as_in_the_whole(bench):
    folder = bench.sample(10)
    sizes = sorted(path.stat().st_size for path in folder.rglob("*.md"))
    everything = sorted(path.stat().st_size for path in bench.documents.rglob("*.md"))
    assert sizes == everything[5::10]


def test_a_process_that_fails_fails_the_measurement(bench):
    with pytest.raises(RuntimeError, match="left with 3"):
        bench.python("-c", "raise SystemExit(3)")
    with pytest.raises(RuntimeError, match="left with 1"):
        memory.peak(("-c", "raise SystemExit(1)"))


def test_measuring_uses_its_own_settings_and_gives_the_environment_back(monkeypatch):
    monkeypatch.setenv("BIBLICUS_DEFAULT_RECIPE", "scan")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    before = dict(os.environ)
    with apart() as place:
        assert "BIBLICUS_DEFAULT_RECIPE" not in os.environ
        assert os.environ["BIBLICUS_STATE_HOME"].startswith(str(place))
    assert dict(os.environ) == before


@pytest.fixture
def canned(monkeypatch, bench):
    """The command with a measurement that takes no time."""

    def measure(_: Workbench) -> list[Figure]:
        return [Figure("full", "full", "×", 9.0, 4.0), Figure("edit", "edit", "%", 1.0, 15.0)]

    monkeypatch.setattr(command, "MEASURES", {("full", "edit"): measure})
    monkeypatch.setattr(command, "opened", lambda runs: nullcontext(bench))


def test_the_command_shows_the_figures_named_and_fails_where_a_bar_is_missed(canned, capsys):
    assert command.main(["edit"]) == 0
    assert "full" not in capsys.readouterr().out
    assert command.main([]) == 1
    assert "miss" in capsys.readouterr().out


def test_the_command_prints_one_json_document(canned, capsys):
    command.main(["--json"])
    data = json.loads(capsys.readouterr().out)
    assert [figure["command"] for figure in data["figures"]] == ["full", "edit"]
    assert data["machine"]


@pytest.mark.parametrize("words", [["no-such"], ["--json", "--write"]])
def test_the_command_refuses_what_it_does_not_know(canned, words):
    with pytest.raises(SystemExit) as left:
        command.main(words)
    assert left.value.code == 2


def test_what_is_measured_again_takes_the_place_of_what_was(canned, monkeypatch, tmp_path):
    monkeypatch.setattr(page, "MEASURED", tmp_path / "measured.json")
    monkeypatch.setattr(page, "PAGE", tmp_path / "page.md")
    command.main(["--write"])
    page.keep([Figure("full", "full", "×", 3.0, 4.0)], ["full", "edit"])
    rows = json.loads(page.MEASURED.read_text("utf-8"))
    assert [(row["command"], row["measured"]) for row in rows] == [("full", 3.0), ("edit", 1.0)]
    assert f"| full | ≤ 4.00× |  | 3.00× | ok |  | {rows[0]['on']} |" in page.PAGE.read_text("utf-8")


def test_what_needs_a_package_that_is_not_here_is_left_out(canned, monkeypatch, bench, capsys):
    def measure(_: Workbench) -> list[Figure]:
        raise ModuleNotFoundError("No module named 'raw_model'")

    monkeypatch.setitem(command.MEASURES, ("embedding",), measure)
    assert [figure.command for figure in command.measured(bench, [])] == ["full", "edit"]
    assert "left out embedding: No module named 'raw_model'" in capsys.readouterr().err


def test_the_page_names_figures_and_machine_and_nothing_of_its_owner():
    text = page.page(
        [Figure("full", "full", "×", 3.0, 4.0), Figure("quality", "quality on cisi", "nDCG@10", 0.4, 0.32)]
    )
    assert "| full | ≤ 4.00× |  | 3.00× | ok |  |  |" in text
    assert text.index("quality on cisi") > text.index("## Quality")
    assert "Python 3." in text
    assert os.uname().nodename not in text
    assert sys.prefix not in text


def test_what_the_tools_beside_the_collections_print_becomes_rows():
    rows = known.item_figures("peps", "42 questions: first 32, in three 41, in ten 42", (42, 33, 40))
    assert [(row.detail, row.verdict) for row in rows] == [("32 of 42", "miss"), ("41 of 42", "ok")]


@pytest.mark.long
def test_five_times_the_folder_holds_no_file_twice(bench, monkeypatch):
    monkeypatch.setattr(indexing, "_TIMES", 2)
    assert {figure.command for figure in indexing.measure_growth(bench)} == {"five", "size"}
    texts = [path.read_bytes() for path in (bench.place / "different-2").rglob("*.md")]
    assert len(texts) == 2 * sum(1 for _ in bench.documents.rglob("*.md"))
    assert len(set(texts)) == len(texts)
