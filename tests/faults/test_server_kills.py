"""The service is killed while it ingests and reindexes: what it acknowledged is there, and nothing is torn."""

import contextlib
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from tests.faults.figures import Figures
from tests.faults.world import ROOT

pytest.importorskip("starlette", reason="the service needs the extra [serve]")
KILLS = int(os.environ.get("BIBLICUS_KILLS", "50"))


class Service:
    """`biblicus serve` as a process of its own."""

    def __init__(self, corpus: Path) -> None:
        command = [sys.executable, "-m", "biblicus", "serve", str(corpus), "--port", "0", "--allow-ingest"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().rpartition(":")[2])

    def ask(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def kill(self) -> None:
        """The server and its workers, at once, as a machine's end would."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


def _write(service: Service, number: int, acknowledged: list[str], told: threading.Semaphore) -> None:
    """Ingest one document after the other, and reindex in between, until the service is gone; each is told of."""
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        for count in range(1_000):
            text = f"Entry {count} of the log {number}: wind from the west."
            status, answer = service.ask(
                "/ingest", {"text": text, "source": f"log:{number}/{count}", "index": count % 2 == 1}
            )
            assert status == 201, answer
            acknowledged.append(answer["item_id"])
            told.release()
            if count % 3 == 2:
                service.ask("/reindex", {"fresh": True})


def _wrong(corpus: Corpus, acknowledged: list[str], cursor: str | None, known: dict[str, str]) -> tuple[list[str], str]:
    """What is wrong with what stands; and the events' cursor, to go on from."""
    items = {item.item_id: item.sha256 for item in corpus.list()}
    found = [f"{item_id} was acknowledged and is gone" for item_id in acknowledged if item_id not in items]
    found += [f"{problem['path']}: {problem['reason']}" for problem in corpus.check(read_data=True).problems]
    page = corpus.events(cursor, limit=100_000)
    for event in page.events:
        if event.event == "item.ingested" and event.item_id in known:
            found.append(f"{event.item_id} is told of twice")
        if event.event in ("item.ingested", "item.changed"):
            known[event.item_id or ""] = event.sha256 or ""
        if event.event == "item.removed":
            known.pop(event.item_id or "", None)
    if known != items:
        found.append("the events do not lead to the catalog")
    if not corpus.query("lamp").evidence:
        found.append("the run does not answer")
    return found, page.cursor or ""


def test_a_service_that_is_killed_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figures: Figures):
    for name in ("STATE", "CONFIG"):
        monkeypatch.setenv(f"BIBLICUS_{name}_HOME", str(tmp_path / name))
    monkeypatch.setenv("BIBLICUS_WORKERS", "1")
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "lamp.md").write_text("# Lamp\n\nThe lamp burns oil.\n")
    with Corpus.init(folder) as corpus:
        corpus.reindex()
    moments, cursor, total = random.Random(4), None, 0
    known: dict[str, str] = {}
    broken: list[str] = []
    for number in range(KILLS):
        service = Service(folder)
        acknowledged: list[str] = []
        told = threading.Semaphore(0)
        writer = threading.Thread(target=_write, args=(service, number, acknowledged, told))
        writer.start()
        for _ in range(moments.randrange(5)):
            assert told.acquire(timeout=120)
        time.sleep(moments.uniform(0.0, 0.5))
        service.kill()
        writer.join(60)
        with Corpus.open(folder) as corpus:
            wrong, cursor = _wrong(corpus, acknowledged, cursor, known)
        broken += [f"kill {number}: {one}" for one in wrong]
        total += len(acknowledged)
    figure = f"{KILLS} kills, {total} acknowledged, {len(broken)} lost or torn"
    figures.record("exit 0 ⇒ durable", "the service killed during ingest and reindex", figure, kills=KILLS)
    assert total > KILLS // 2
    assert broken == []
