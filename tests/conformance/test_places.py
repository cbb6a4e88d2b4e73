"""One suite for every place that answers: this process, the daemon, a service. Same evidence to the byte, same errors.

Timings aside: they are each place's own.
"""

import json
import os
import select
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
from urllib.request import urlopen

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, DeadlineExceeded, PlaceDown
from biblicus.models.evidence import Pending
from biblicus.models.plain import plain
from biblicus.models.requests.items import GetRequest, ListRequest
from biblicus.models.requests.query import QueryRequest
from biblicus.service.askers import Asker, daemon
from biblicus.service.askers.daemon import address
from biblicus.service.askers.in_turn import asker_of
from biblicus.service.askers.loops import all_items, followed, proved
from biblicus.service.verbs import (
    ANSWER,
    CONTEXT,
    EVENTS,
    GET,
    GET_BATCH,
    LIST,
    QUERY,
    RECIPES,
    RUN,
    RUNS,
    SHOW,
    STATS,
    TREE,
    VERSION,
    WEIGHTS,
    Verb,
)
from tests.folders import write

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
        patch.setenv("BIBLICUS_MEANING", "off")
        yield Path(name)


@pytest.fixture(scope="module")
def corpus(homes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("places") / "harbour"
    write(folder, TEXTS)
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
        try:
            address = process.stdout.readline().decode().split()[-1]
            urlopen(f"{address}/livez", timeout=60).close()  # from here on it heeds SIGTERM
            yield address
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


@pytest.fixture(params=["daemon", "service"])
def elsewhere(request: pytest.FixtureRequest, corpus: Path) -> Asker:
    """A place other than this process; falling back would be no proof, so it fails."""
    said = request.getfixturevalue("warm") if request.param == "daemon" else request.getfixturevalue("service")
    return asker_of(str(corpus), said or "daemon", pytest.fail)


@pytest.fixture
def here(corpus: Path) -> Asker:
    return asker_of(str(corpus), "local", pytest.fail)


Ask = Callable[[Asker], Any]


def asking(verb: Verb[Any, Any], *words: Any, **named: Any) -> Ask:
    """Asks a verb, with its request's fields. The request is made when it is asked: it may be refused by itself."""
    return lambda asker: asker.ask(verb, verb.request(*words, **named), Call())


def _pieces(asker: Asker) -> list[dict[str, Any]]:
    pieces: list[dict[str, Any]] = plain(asking(QUERY, "Who pulls the tides?")(asker))["evidence"]
    return pieces


ASKED: dict[str, Ask] = {
    "a question": asking(QUERY, "Who pulls the tides?"),
    "a phrase": asking(QUERY, '"grey gulls"'),
    "a question in other letters": asking(QUERY, "Ebbe “fish” 🐟 \x00\x1b"),
    "a long question": asking(QUERY, "tides " * 5_000),
    "nothing found": asking(QUERY, "submarines"),
    "filters": asking(
        QUERY,
        "gulls fish",
        tag=("birds",),
        type=("markdown",),
        doctype=("doc",),
        language=("en",),
        path=("notes/**",),
        where={"keeper": "Ada"},
    ),
    "budgets": asking(QUERY, "tides", limit=1, max_tokens=5, max_characters=12, max_per_source=1),
    "weights of legs": asking(QUERY, "tides", leg_weights={"lexical": 0.7}),
    "a recipe without an index": asking(QUERY, "tides", recipe="scan"),
    "all items": lambda asker: all_items(asker, ListRequest(), Call()),
    "filters by item": asking(QUERY, "gulls fish", toolkit=("rig",), source=("corpus",), since="2026", until="2026-05"),
    "some items": lambda asker: all_items(asker, ListRequest(path=("notes/**",), where={"keeper": "Ada"}), Call()),
    "a page of items": asking(LIST, limit=2),
    "the largest items": asking(LIST, sort="size", limit=2),
    "an item": asking(SHOW, "notes/gulls.md"),
    "an item without text": asking(SHOW, "blob.bin"),
    "a name in other letters": asking(SHOW, "notes/ŷ ü.txt"),
    "all text": asking(GET, "tides.txt"),
    "lines": asking(GET, "tides.txt", lines=(2, 3)),
    "a span": asking(GET, "notes/gulls.md", span=(10, 30)),
    "several texts": asking(GET_BATCH, requests=(GetRequest("tides.txt", lines=(1, 1)), GetRequest("nosuch.txt"))),
    "the tree": asking(TREE),
    "a part of the tree": asking(TREE, "notes", depth=1),
    "a page of the tree": asking(TREE, max_entries=2),
    "counts": asking(STATS),
    "which version": asking(VERSION),
    "a pack": asking(CONTEXT, "Who pulls the tides?", format="xml", max_tokens=300),
    "an answer": asking(ANSWER, "Who pulls the tides?"),
    "the weights": asking(WEIGHTS),
    "proof": lambda asker: proved(
        asker, [*_pieces(asker), {**_pieces(asker)[0], "text": "The moon pulls wires.", "rank": 9}], Call()
    ),
    "the runs": asking(RUNS),
    "a run": asking(RUN, "lexical"),
    "a run that is not there": asking(RUN, "nosuch"),
    "the recipes": asking(RECIPES),
    "what happened": asking(EVENTS),
    "a part of what happened": asking(EVENTS, limit=2),
    "a cursor that is none": asking(EVENTS, "nosuch"),
    "the first events as they come": lambda asker: list(islice(followed(asker, None, Call()), 3)),
    "a blank question": asking(QUERY, "  "),
    "an unknown recipe": asking(QUERY, "tides", recipe="nosuch"),
    "a recipe without a run": asking(QUERY, "tides", recipe="hybrid"),
    "an unknown run": asking(QUERY, "tides", run="nosuch"),
    "an unknown item": asking(SHOW, "nosuch.txt"),
    "lines that are not there": asking(GET, "tides.txt", lines=(1, 90)),
    "a page of a text": asking(GET, "tides.txt", page=1),
    "text of what has none": asking(GET, "blob.bin"),
    "two parts at once": asking(GET, "tides.txt", lines=(1, 1), span=(0, 1)),
    "an unknown folder": asking(TREE, "nosuch"),
}


def outcome(ask: Ask, asker: Asker) -> str:
    """What came, as the bytes that `--json` would print; an error with its class and exit code."""
    try:
        reply = plain(ask(asker))
    except BiblicusError as error:
        return json.dumps([type(error).__name__, error.category, error.exit_code, error.as_object()])
    if isinstance(reply, dict):
        reply.pop("timings", None)
    return json.dumps(reply)


@pytest.mark.parametrize("what", ASKED)
def test_the_answer_is_the_same_to_the_byte(what: str, here: Asker, elsewhere: Asker):
    assert outcome(ASKED[what], elsewhere) == outcome(ASKED[what], here)


def test_half_of_what_is_asked_is_found_and_the_rest_refused(here: Asker):
    """So that the comparison above compares answers as well as errors."""
    answers = [outcome(ask, here) for ask in ASKED.values()]
    assert sum(answer.startswith('["') for answer in answers) == 14


def test_a_deadline_that_has_passed_is_kept(elsewhere: Asker):
    with pytest.raises(DeadlineExceeded):
        elsewhere.ask(QUERY, QueryRequest("tides"), Call(deadline=time.monotonic() - 1))


def test_sixteen_ask_at_once(elsewhere: Asker, here: Asker):
    wanted, found = outcome(ASKED["a question"], here), []
    askers = [threading.Thread(target=lambda: found.append(outcome(ASKED["a question"], elsewhere))) for _ in range(16)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert found == [wanted] * 16


def test_a_new_run_is_picked_up(elsewhere: Asker, corpus: Path):
    (corpus / "new.txt").write_text("Lanterns need paraffin.", "utf-8")
    with Corpus.open(corpus) as found:
        found.reindex()
    assert [piece.path for piece in elsewhere.ask(QUERY, QueryRequest("paraffin"), Call()).evidence] == ["new.txt"]
    (corpus / "new.txt").unlink()
    with Corpus.open(corpus) as found:
        found.reindex()
    assert list(elsewhere.ask(QUERY, QueryRequest("paraffin"), Call()).evidence) == []


def test_whether_the_corpus_is_as_the_run_saw_it(elsewhere: Asker, here: Asker, corpus: Path):
    def pending() -> list[Pending | None]:
        return [asker.ask(QUERY, QueryRequest("moon"), Call()).pending for asker in (elsewhere, here)]

    assert pending() == [Pending(0, 0, 0)] * 2
    (corpus / "late.txt").write_text("Too late.", "utf-8")
    assert pending() == [Pending(1, 0, 0)] * 2
    with Corpus.open(corpus) as opened:
        opened.ingest()
        assert pending() == [Pending(1, 0, 0)] * 2
        (corpus / "late.txt").unlink()
        assert pending() == [Pending(0, 0, 0)] * 2
        opened.ingest()
    assert pending() == [Pending(0, 0, 0)] * 2


def test_without_a_run_of_the_default_recipe_another_one_answers(warm: None, tmp_path: Path):
    with Corpus.init(tmp_path / "scanned") as made:
        made.ingest(text="The moon.")
        made.reindex("scan")
    asker = asker_of(str(tmp_path / "scanned"), "daemon", pytest.fail)
    result = asker.ask(QUERY, QueryRequest("moon", recipe="scan"), Call())
    assert result.evidence
    assert result.pending == Pending(0, 0, 0)


def test_a_daemon_lets_a_deleted_corpus_go(warm: None, tmp_path: Path):
    with Corpus.init(tmp_path / "brief") as made:
        made.ingest(text="Soon gone.")
        made.reindex()
    asker = asker_of(str(tmp_path / "brief"), "daemon", pytest.fail)
    assert asker.ask(QUERY, QueryRequest("gone"), Call()).evidence
    subprocess.run(["rm", "-r", str(tmp_path / "brief")], check=True)
    with pytest.raises(BiblicusError, match="no file or folder"):
        asker.ask(QUERY, QueryRequest("gone"), Call())
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
    pid = daemon.status()["pid"]
    process = os.pidfd_open(pid)
    os.kill(pid, signal.SIGKILL)
    select.select([process], [], [])  # readable once it has ended, and its lock with it
    os.close(process)
    assert daemon.may_start()
    assert address().socket.exists()
    assert asker_of(str(corpus), "daemon", said.append).ask(QUERY, QueryRequest("moon"), Call()).evidence
    assert len(said) == 1
    assert "being started" in said[0]
    assert daemon.start(Call())["running"]
    assert asker_of(str(corpus), "daemon", pytest.fail).ask(QUERY, QueryRequest("moon"), Call()).evidence


def test_events_are_followed_elsewhere_where_a_place_is_down(corpus: Path):
    said: list[str] = []
    asker = asker_of(str(corpus), "http://127.0.0.1:9,local", said.append)
    (event,) = islice(followed(asker, None, Call()), 1)
    assert event.event == "item.ingested"
    assert len(said) == 1


def test_a_daemon_that_hangs_costs_no_more_than_the_deadline(warm: None, corpus: Path):
    pid = daemon.status()["pid"]
    os.kill(pid, signal.SIGSTOP)
    said: list[str] = []
    try:
        began = time.monotonic()
        result = asker_of(str(corpus), "daemon", said.append).ask(
            QUERY, QueryRequest("moon"), Call(deadline=began + 12)
        )
        assert time.monotonic() - began < 12
    finally:
        os.kill(pid, signal.SIGCONT)
    assert result.evidence
    assert "in time" in said[0]


def test_a_place_that_is_down_says_so(corpus: Path):
    with pytest.raises(PlaceDown, match=r"http://127.0.0.1:9 does not answer: connection refused"):
        asker_of(str(corpus), "http://127.0.0.1:9", pytest.fail).ask(QUERY, QueryRequest("moon"), Call())
