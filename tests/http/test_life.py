"""A service over time: overload, jobs, events, and its end."""

import http.client
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest

from biblicus import Corpus
from biblicus.service.admission import Limits
from tests.http.conftest import Running, Serve, corpus

SEARCH = "/search?q=moon"


def test_at_twice_saturation_everybody_is_answered_and_it_recovers(serve: Serve, folder: Path):
    limits = Limits(workers=2, waiting=6, seconds=60, drain=1)
    service = serve({"notes": folder}, limits=limits)
    for _ in range(20):
        service.ask("GET", SEARCH)
    before = psutil.Process().memory_info().rss
    found: Counter[int] = Counter()
    until = time.monotonic() + 60

    def ask() -> None:
        line = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        while (found[200] <= 50 or not found[429] + found[503]) and time.monotonic() < until:
            line.request("GET", SEARCH, headers={"Authorization": f"Bearer {service.token}"})
            got = line.getresponse()
            got.read()
            found[got.status] += 1
        line.close()

    clients = [threading.Thread(target=ask) for _ in range(2 * (limits.workers + limits.waiting))]
    for client in clients:
        client.start()
    for client in clients:
        client.join(60)
    assert found.keys() <= {200, 429, 503}
    assert found[200] > 50
    assert found[429] + found[503] > 0, "it was not saturated"
    assert psutil.Process().memory_info().rss - before < 64 << 20
    assert service.ask("GET", SEARCH).status == 200
    assert service.service.admission.questions.inside == 0


def test_a_job_has_progress_a_result_and_an_end(serve: Serve, tmp_path: Path):
    service = serve({"notes": corpus(tmp_path / "notes")})
    (tmp_path / "notes" / "new.md").write_text("# New\n\nGulls eat fish.\n")
    started = service.ask("POST", "/reindex", {})
    assert started.status == 202
    where = started.headers["location"]
    until = time.monotonic() + 60
    while (job := service.ask("GET", where).json)["state"] not in ("done", "failed") and time.monotonic() < until:
        time.sleep(0.05)
    assert job["state"] == "done"
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", job[name]) for name in ("created_at", "ended_at"))
    assert [entry["path"] for entry in job["result"]["refresh"]["added"]] == ["new.md"]
    found = service.ask("GET", "/search?q=gulls")
    assert found.json["evidence"][0]["path"] == "new.md"
    assert found.headers["index-version"] == job["result"]["runs"][0]["index_version"]
    assert service.ask("POST", f"{where}/cancel").json["state"] == "done"
    assert service.ask("GET", "/jobs/nosuch").status == 404


def test_a_document_is_found_when_the_answer_comes_and_once_only(serve: Serve, tmp_path: Path):
    service = serve({"notes": corpus(tmp_path / "notes")})
    added = service.ask("POST", "/ingest", {"text": "Whales sing at night.", "title": "Whales", "tags": ["sea"]})
    assert (added.status, added.json["outcome"], added.json["chunks"]) == (201, "added", 1)
    assert service.ask("GET", added.headers["location"]).json["title"] == "Whales"
    assert service.ask("GET", "/search?q=whales&tag=sea").json["evidence"][0]["item_id"] == added.json["item_id"]
    again = service.ask("POST", "/ingest", {"text": "Whales sing at night."})
    assert (again.status, again.json["error"]["code"]) == (409, "duplicate")
    assert again.json["duplicate_of"]["item_id"] == added.json["item_id"]
    upsert = {"text": "High water at noon.", "source": "https://tides.example/today"}
    assert [service.ask("POST", "/ingest", upsert).status for _ in range(2)] == [201, 200]
    changed = service.ask("POST", "/ingest", {**upsert, "text": "High water at one."})
    assert (changed.status, changed.json["outcome"]) == (200, "changed")
    for body in ({"text": " "}, {"content_base64": "AAECAwQFBgcICQ=="}):
        assert service.ask("POST", "/ingest", body).status == 422
    raw = service.ask(
        "POST", "/ingest/upload?filename=a.md", b"# Uploaded\n\nSeals bark.", Content_Type="text/markdown"
    )
    assert (raw.status, raw.json["path"].endswith("a.md")) == (201, True)


def told(raw: str) -> list[tuple[str, str]]:
    """The events of a stream: cursor and kind."""
    blocks = [
        dict(line.split(": ", 1) for line in block.splitlines()) for block in raw.split("\n\n") if "id: " in block
    ]
    return [(block["id"], block["event"]) for block in blocks]


def test_events_go_on_from_a_cursor_without_loss_or_repeat(serve: Serve, tmp_path: Path):
    service = serve({"notes": corpus(tmp_path / "notes")})
    every = told(service.ask("GET", "/events?follow=false").raw.decode())
    assert [kind for _, kind in every] == ["item.ingested"] * 3 + ["run.sealed"]
    rest = told(service.ask("GET", f"/events?follow=false&after={every[1][0]}").raw.decode())
    assert rest == every[2:]
    assert told(service.ask("GET", "/events?follow=false", Last_Event_ID=every[2][0]).raw.decode()) == every[3:]
    assert told(service.ask("GET", "/events?follow=false&after=now").raw.decode()) == []
    assert service.ask("GET", "/events?follow=false&after=nonsense").status == 400


def test_a_follower_hears_of_a_document_at_once(serve: Serve, tmp_path: Path):
    service = serve({"notes": corpus(tmp_path / "notes")})
    line = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    line.request("GET", "/events?after=now", headers={"Authorization": f"Bearer {service.token}"})
    stream = line.getresponse()
    assert stream.getheader("content-type", "").startswith("text/event-stream")
    stream.fp.readline()
    added = service.ask("POST", "/ingest", {"text": "Whales sing at night."}).json
    while not (text := stream.fp.readline()).startswith(b"data: "):
        pass
    assert json.loads(text[6:])["item_id"] == added["item_id"]
    line.close()
    until = time.monotonic() + 60
    while service.service.followers and time.monotonic() < until:
        time.sleep(0.05)
    assert service.service.followers == 0


@pytest.mark.parametrize("how", ["closes", "resets"])
def test_a_follower_that_leaves_costs_no_line_of_the_log(
    serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture, how: str
):
    """A page of events is written at once: a socket that is gone is written to a few times, never once an event."""
    folder = tmp_path / "notes"
    with Corpus.init(folder) as made:
        for number in range(450):
            (folder / f"{number}.md").write_text(f"Tide {number}.\n")
        made.ingest()
    service = serve({"notes": folder})
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", service.port), timeout=60) as line:
            line.sendall(
                f"GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {service.token}\r\n\r\n".encode()
            )
            assert line.recv(4096).startswith(b"HTTP/1.1 200")
            if how == "resets":
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        until = time.monotonic() + 60
        while service.service.followers and time.monotonic() < until:
            time.sleep(0.05)
    assert service.service.followers == 0
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


def test_sigterm_drains_and_leaves_with_0(tmp_path: Path, home: Path):
    folder = corpus(tmp_path / "notes")
    command = [
        sys.executable,
        "-m",
        "biblicus",
        "serve",
        str(folder),
        "--port",
        "0",
        "--token-file",
        str(tmp_path / "t"),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout is not None
    port = int(process.stdout.readline().rsplit(":", 1)[1])
    service = Running(None, port, None)  # type: ignore[arg-type]  # it runs in a process of its own
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if service.ask("GET", "/readyz").status == 200:
                break
        except OSError:
            time.sleep(0.05)
    assert service.ask("GET", SEARCH).status == 200
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", "/events")
    stream = line.getresponse()
    process.send_signal(signal.SIGTERM)
    assert stream.read().endswith(b"\n\n"), "the stream was cut off"
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors


def test_who_sees_the_address_can_end_the_service(tmp_path: Path, home: Path):
    command = [sys.executable, "-m", "biblicus", "serve", str(corpus(tmp_path / "notes")), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Serving notes on http://127.0.0.1:")
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors


def test_who_waits_for_a_model_at_a_forced_stop_is_told(tmp_path: Path, home: Path):
    folder = corpus(tmp_path / "notes")
    with socket.create_server(("127.0.0.1", 0)) as model:
        llm = {"mine": {"by": "openai-compatible", "model": "m", "url": f"http://127.0.0.1:{model.getsockname()[1]}"}}
        command = [sys.executable, "-m", "biblicus", "serve", str(folder), "--port", "0", "--token-file", "t"]
        environment = {**os.environ, "BIBLICUS_LLMS": json.dumps(llm)}
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        process = subprocess.Popen(command, **pipes, env=environment, cwd=tmp_path)
        assert process.stdout is not None
        assert process.stderr is not None
        line = http.client.HTTPConnection("127.0.0.1", int(process.stdout.readline().rsplit(":", 1)[1]), timeout=60)
        line.request("GET", "/answer?q=What+pulls+tides%3F&answerer=llm")
        ready, _, _ = select.select([model, line.sock], [], [])
        assert model in ready, line.getresponse().read()
        asked, _ = model.accept()
        assert asked.recv(10)
        process.send_signal(signal.SIGINT)
        log: list[str] = []
        while "stopping" not in (line_of_log := process.stderr.readline()):
            assert line_of_log, log
            log.append(line_of_log)
        process.send_signal(signal.SIGINT)
        response = line.getresponse()
        problem = json.loads(response.read())
        assert (response.status, response.getheader("content-type")) == (503, "application/problem+json")
        assert (problem["error"]["code"], problem["category"]) == ("stopping", "unavailable")
        _, rest = process.communicate(timeout=60)
        asked.close()
    assert process.returncode == 0, rest
    assert "Traceback" not in "".join(log) + rest
