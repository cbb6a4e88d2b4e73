"""One suite for every place that answers: this process, the daemon, a service. Same evidence to the byte, same errors.

Timings aside: they are each place's own.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, DeadlineExceeded, PlaceDown
from biblicus.models.plain import plain
from biblicus.models.question import Filters, Query
from biblicus.service import daemon
from biblicus.service.askers.daemon import address
from biblicus.service.askers.in_turn import Reader, reading

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {
    "tides.txt": "The moon pulls tides.\nThe sun does too, a little.\n\nSpring tides come twice a month.\n",
    "notes/gulls.md": "---\ntags: [birds]\nkeeper: Ada\ntoolkit: rig\ndate: 2026-05-02\n---\n"
    "# Gulls\n\nGrey gulls fly.\n\n## Food\n\n“Fish”. 🐟\n",
    "notes/ŷ ü.txt": "Ebbe und Flut am Kai.\n",
    "blob.bin": "\0\1\2",
}


@pytest.fixture(scope="module")
def homes() -> Iterator[Path]:
    """A user of our own: settings, keys, runtime folder (short: a socket's path has a limit)."""
    with tempfile.TemporaryDirectory(prefix="bq") as name, pytest.MonkeyPatch.context() as patch:
        for variable in [key for key in os.environ if key.startswith("BIBLICUS_")]:
            patch.delenv(variable)
        for kind in ("state", "config", "runtime"):
            patch.setenv(f"BIBLICUS_{kind.upper()}_HOME", f"{name}/{kind}")
        yield Path(name)


@pytest.fixture(scope="module")
def corpus(homes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("places") / "harbour"
    for path, text in TEXTS.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    with Corpus.init(folder) as made:
        made.reindex()
    return folder


@pytest.fixture(scope="module")
def warm(corpus: Path) -> Iterator[None]:
    daemon.start(Call())
    yield
    daemon.stop(Call())


@pytest.fixture(scope="module")
def service(corpus: Path) -> Iterator[str]:
    pytest.importorskip("uvicorn", reason="the service needs the extra [serve]")
    command = [sys.executable, "-m", "biblicus", "serve", f"harbour={corpus}", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT) as process:
        assert process.stdout is not None
        yield process.stdout.readline().decode().split()[-1]
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


@pytest.fixture(params=["daemon", "service"])
def elsewhere(request: pytest.FixtureRequest, corpus: Path) -> Reader:
    """A place other than this process; falling back would be no proof, so it fails."""
    said = request.getfixturevalue("warm") if request.param == "daemon" else request.getfixturevalue("service")
    return reading(str(corpus), said or "daemon", pytest.fail)


@pytest.fixture
def here(corpus: Path) -> Reader:
    return reading(str(corpus), "local", pytest.fail)


def _pieces(reader: Reader) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = plain(reader.query(Query("Who pulls the tides?"), Call()))["evidence"]
    return found


ASKED: dict[str, Callable[[Reader], Any]] = {
    "a question": lambda reader: reader.query(Query("Who pulls the tides?"), Call()),
    "a phrase": lambda reader: reader.query(Query('"grey gulls"'), Call()),
    "a question in other letters": lambda reader: reader.query(Query("Ebbe “fish” 🐟 \x00\x1b"), Call()),
    "a long question": lambda reader: reader.query(Query("tides " * 5_000), Call()),
    "nothing found": lambda reader: reader.query(Query("submarines"), Call()),
    "filters": lambda reader: reader.query(
        Query("gulls fish", Filters(("birds",), ("markdown",), ("doc",), ("en",), ("notes/**",), {"keeper": "Ada"})),
        Call(),
    ),
    "budgets": lambda reader: reader.query(Query("tides", Filters(), 1, 5, 12, 1), Call()),
    "a recipe without an index": lambda reader: reader.query(Query("tides", recipe="scan"), Call()),
    "all items": lambda reader: reader.items(Filters(), Call()),
    "filters by item": lambda reader: reader.query(
        Query("gulls fish", Filters(toolkits=("rig",), sources=("corpus",), since="2026", until="2026-05")),
        Call(),
    ),
    "some items": lambda reader: reader.items(Filters(paths=("notes/**",), where={"keeper": "Ada"}), Call()),
    "an item": lambda reader: reader.item("notes/gulls.md", Call()),
    "an item without text": lambda reader: reader.item("blob.bin", Call()),
    "a name in other letters": lambda reader: reader.item("notes/ŷ ü.txt", Call()),
    "all text": lambda reader: reader.get("tides.txt", Call()),
    "lines": lambda reader: reader.get("tides.txt", Call(), lines=(2, 3)),
    "a span": lambda reader: reader.get("notes/gulls.md", Call(), span=(10, 30)),
    "the tree": lambda reader: reader.tree("", None, Call()),
    "a part of the tree": lambda reader: reader.tree("notes", 1, Call()),
    "counts": lambda reader: reader.stats(Call()),
    "proof": lambda reader: reader.verify(
        [*_pieces(reader), {**_pieces(reader)[0], "text": "The moon pulls wires.", "rank": 9}], Call()
    ),
    "the runs": lambda reader: reader.told("runs", {}, Call()),
    "a run": lambda reader: reader.told("run", {"run": "lexical"}, Call()),
    "a run that is not there": lambda reader: reader.told("run", {"run": "nosuch"}, Call()),
    "the recipes": lambda reader: reader.told("recipes", {}, Call()),
    "what happened": lambda reader: reader.told("events", {"after": None}, Call()),
    "a part of what happened": lambda reader: reader.told("events", {"limit": 2}, Call()),
    "a cursor that is none": lambda reader: reader.told("events", {"after": "nosuch"}, Call()),
    "the first events as they come": lambda reader: list(islice(reader.follow(None, Call()), 3)),
    "a blank question": lambda reader: reader.query(Query("  "), Call()),
    "an unknown recipe": lambda reader: reader.query(Query("tides", recipe="nosuch"), Call()),
    "a recipe without a run": lambda reader: reader.query(Query("tides", recipe="hybrid"), Call()),
    "an unknown run": lambda reader: reader.query(Query("tides", run_id="nosuch"), Call()),
    "an unknown item": lambda reader: reader.item("nosuch.txt", Call()),
    "lines that are not there": lambda reader: reader.get("tides.txt", Call(), lines=(1, 90)),
    "a page of a text": lambda reader: reader.get("tides.txt", Call(), page=1),
    "text of what has none": lambda reader: reader.get("blob.bin", Call()),
    "two parts at once": lambda reader: reader.get("tides.txt", Call(), lines=(1, 1), span=(0, 1)),
    "an unknown folder": lambda reader: reader.tree("nosuch", None, Call()),
}


def outcome(ask: Callable[[Reader], Any], reader: Reader) -> str:
    """What came, as the bytes that `--json` would print; an error with its class and exit code."""
    try:
        found = plain(ask(reader))
    except BiblicusError as error:
        return json.dumps([type(error).__name__, error.exit_code, error.http_status, error.as_object()])
    if isinstance(found, dict):
        found.pop("timings", None)
    return json.dumps(found)


@pytest.mark.parametrize("what", ASKED)
def test_the_answer_is_the_same_to_the_byte(what: str, here: Reader, elsewhere: Reader):
    assert outcome(ASKED[what], elsewhere) == outcome(ASKED[what], here)


def test_half_of_what_is_asked_is_found_and_the_rest_refused(here: Reader):
    """So that the comparison above compares answers as well as errors."""
    answers = [outcome(ask, here) for ask in ASKED.values()]
    assert sum(answer.startswith('["') for answer in answers) == 13


def test_a_deadline_that_has_passed_is_kept(elsewhere: Reader):
    with pytest.raises(DeadlineExceeded):
        elsewhere.query(Query("tides"), Call(deadline=time.monotonic() - 1))


def test_sixteen_ask_at_once(elsewhere: Reader, here: Reader):
    wanted, found = outcome(ASKED["a question"], here), []
    askers = [threading.Thread(target=lambda: found.append(outcome(ASKED["a question"], elsewhere))) for _ in range(16)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert found == [wanted] * 16


def test_a_new_run_is_picked_up(elsewhere: Reader, corpus: Path):
    (corpus / "new.txt").write_text("Lanterns need paraffin.", "utf-8")
    with Corpus.open(corpus) as found:
        found.reindex()
    assert [piece.path for piece in elsewhere.query(Query("paraffin"), Call()).evidence] == ["new.txt"]
    (corpus / "new.txt").unlink()
    with Corpus.open(corpus) as found:
        found.reindex()
    assert list(elsewhere.query(Query("paraffin"), Call()).evidence) == []


def test_whether_the_corpus_is_as_the_run_saw_it(elsewhere: Reader, here: Reader, corpus: Path):
    found = elsewhere.query(Query("moon"), Call())
    assert elsewhere.is_current(found, Call())
    assert here.is_current(found, Call())
    (corpus / "late.txt").write_text("Too late.", "utf-8")
    with Corpus.open(corpus) as opened:
        opened.ingest()
        assert not elsewhere.is_current(found, Call())
        assert not here.is_current(found, Call())
        (corpus / "late.txt").unlink()
        opened.ingest()
    assert elsewhere.is_current(found, Call())


def test_without_a_run_of_the_default_recipe_another_one_answers(warm: None, tmp_path: Path):
    with Corpus.init(tmp_path / "scanned") as made:
        made.ingest(text="The moon.")
        made.reindex("scan")
    reader = reading(str(tmp_path / "scanned"), "daemon", pytest.fail)
    found = reader.query(Query("moon", recipe="scan"), Call())
    assert found.evidence
    assert reader.is_current(found, Call())


def test_a_daemon_lets_a_deleted_corpus_go(warm: None, tmp_path: Path):
    with Corpus.init(tmp_path / "brief") as made:
        made.ingest(text="Soon gone.")
        made.reindex()
    reader = reading(str(tmp_path / "brief"), "daemon", pytest.fail)
    assert reader.query(Query("gone"), Call()).evidence
    subprocess.run(["rm", "-r", str(tmp_path / "brief")], check=True)
    with pytest.raises(BiblicusError, match="no file or folder"):
        reader.query(Query("gone"), Call())
    assert str(tmp_path / "brief") not in daemon.status()["corpora"]


def test_a_daemon_shows_nothing_to_others(warm: None):
    where = address()
    assert where.folder.stat().st_mode & 0o777 == 0o700
    assert where.socket.stat().st_mode & 0o777 == 0o600
    assert where.log.stat().st_mode & 0o077 == 0
    assert not any("tides" in line for line in daemon.log(1_000))


def test_there_is_one_daemon_at_a_time(warm: None):
    pid = daemon.status()["pid"]
    second = subprocess.run([sys.executable, "-m", "biblicus.connectors.daemon"], cwd=ROOT, capture_output=True)
    assert second.returncode == 1
    assert b"already running" in second.stderr
    assert daemon.start(Call())["pid"] == pid


def test_after_a_crash_this_process_answers_and_another_daemon_starts(warm: None, corpus: Path):
    said: list[str] = []
    os.kill(daemon.status()["pid"], signal.SIGKILL)
    time.sleep(0.1)
    assert address().socket.exists()
    assert reading(str(corpus), "daemon", said.append).query(Query("moon"), Call()).evidence
    assert len(said) == 1
    assert "being started" in said[0]
    assert daemon.start(Call())["running"]
    assert reading(str(corpus), "daemon", pytest.fail).query(Query("moon"), Call()).evidence


def test_events_are_followed_elsewhere_where_a_place_is_down(corpus: Path):
    said: list[str] = []
    reader = reading(str(corpus), "http://127.0.0.1:9,local", said.append)
    (event,) = islice(reader.follow(None, Call()), 1)
    assert event["event"] == "item.ingested"
    assert len(said) == 1


def test_a_daemon_that_hangs_costs_no_more_than_the_deadline(warm: None, corpus: Path):
    pid = daemon.status()["pid"]
    os.kill(pid, signal.SIGSTOP)
    said: list[str] = []
    try:
        began = time.monotonic()
        found = reading(str(corpus), "daemon", said.append).query(Query("moon"), Call(deadline=began + 8))
        assert time.monotonic() - began < 8
    finally:
        os.kill(pid, signal.SIGCONT)
    assert found.evidence
    assert "in time" in said[0]


def test_a_place_that_is_down_says_so(corpus: Path):
    with pytest.raises(PlaceDown, match=r"http://127.0.0.1:9 does not answer: connection refused"):
        reading(str(corpus), "http://127.0.0.1:9", pytest.fail).query(Query("moon"), Call())
