"""`python -m benchmarks.hosting [--write]`: what it costs to ask in this process, a daemon, a service, an MCP server.

One corpus (cpp-docs), one recipe (`lexical`), questions that are never asked twice in a round; the load generator runs
on the same cores. Leaves with 1 where a bar of the service is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from urllib.parse import quote

import psutil

from benchmarks.figures import Figure
from benchmarks.page import machine
from benchmarks.searching import asked
from benchmarks.workbench import ROOT, Workbench, opened, run_folder
from biblicus.connectors.python import Corpus

CLIENTS = (1, 4, 16)
SECONDS = 4.0
"""How long each load lasts."""
PATIENCE = 10.0
"""Seconds after which an answer counts as none."""
WARM = 300
"""Questions, one after the other, for p50 and p99."""
PAGE = ROOT / "research" / "hosting.md"
Ask = Callable[[str], Awaitable[int]]
"""Asks one question; gives HTTP's status, or 200."""


@dataclass
class Mode:
    """One way of hosting. Times in ms, `rates` in answers a second by number of clients, `memory` in MB (RSS)."""

    name: str
    cold: float = 0.0
    p50: float = 0.0
    p99: float = 0.0
    rates: dict[int, float] = field(default_factory=dict)
    tails: dict[int, float] = field(default_factory=dict)
    memory: float = 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


# --- processes -------------------------------------------------------------------------------------------------------


def words(*more: str) -> list[str]:
    return [sys.executable, "-m", "biblicus", *more]


def whole(*more: str) -> float:
    """Milliseconds for a whole command."""
    began = time.perf_counter()
    subprocess.run(words(*more), cwd=ROOT, check=True, capture_output=True)
    return (time.perf_counter() - began) * 1000


@contextmanager
def service(folder: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """`biblicus serve`, and its port. `more`: further options."""
    process = subprocess.Popen(
        words("serve", str(folder), "--port", "0", *more),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, int(process.stdout.readline().rpartition(":")[2])
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def memory(pid: int) -> float:
    """Resident MB of a process and of those that it started."""
    process = psutil.Process(pid)
    return float(sum(one.memory_info().rss for one in (process, *process.children(recursive=True))) / 1e6)


# --- asking over HTTP, with as little work as there can be -----------------------------------------------------------


class Line:
    """One connection that is kept open."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._pair: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, question: str) -> int:
        """The status of the answer, which is read to its end."""
        if self._pair is None:
            self._pair = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._pair
        path = f"/search?limit=5&q={quote(question)}"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        if b"connection: close" in head:
            self.close()
        return int(head[9:12])

    def close(self) -> None:
        if self._pair is not None:
            self._pair[1].close()
            self._pair = None


@dataclass
class Load:
    """What a load came to: ms of the good answers, and how many had which status (0: none)."""

    times: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds


async def pressed(asks: Sequence[Ask], questions: Sequence[str], seconds: float) -> Load:
    """Every client asks one question after the other for so long."""
    load, began, supply = Load(), time.perf_counter(), cycle(questions)

    async def client(ask: Ask) -> None:
        while time.perf_counter() - began < seconds:
            start = time.perf_counter()
            try:
                status = await asyncio.wait_for(ask(next(supply)), PATIENCE)
            except (OSError, TimeoutError, asyncio.IncompleteReadError):
                status = 0
            load.statuses[status] = load.statuses.get(status, 0) + 1
            if status == 200:
                load.times.append((time.perf_counter() - start) * 1000)
            else:
                await asyncio.sleep(0.05)

    await asyncio.gather(*(client(ask) for ask in asks))
    load.seconds = time.perf_counter() - began
    return load


async def measured(mode: Mode, asks: Sequence[Ask], questions: Sequence[str]) -> None:
    """The warm latencies of one client, and throughput by number of clients."""
    for question in questions[:50]:
        await asks[0](question)
    times = []
    for question in islice(cycle(questions), WARM):
        began = time.perf_counter()
        await asks[0](question)
        times.append((time.perf_counter() - began) * 1000)
    mode.p50, mode.p99 = percentile(times, 0.5), percentile(times, 0.99)
    for clients in CLIENTS:
        load = await pressed(asks[:clients], questions, SECONDS)
        mode.rates[clients], mode.tails[clients] = load.rate, percentile(load.times, 0.99)


# --- the modes -------------------------------------------------------------------------------------------------------


def threaded(ask: Callable[[str], object]) -> Ask:
    """A blocking question as one that can be waited for."""

    async def asks(question: str) -> int:
        await asyncio.to_thread(ask, question)
        return 200

    return asks


def in_process(folder: Path, questions: Sequence[str]) -> Mode:
    mode = Mode("in this process")
    mode.cold = median(whole("query", "-C", str(folder), question, "--json") for question in questions[-5:])
    with Corpus.open(folder) as corpus:
        ask = threaded(lambda question: corpus.query(question, limit=5))
        asyncio.run(measured(mode, [ask] * max(CLIENTS), questions))
    code = "import sys;from biblicus import Corpus;c=Corpus.open(sys.argv[1])\n"
    code += "for q in sys.stdin: c.query(q,limit=5)\n"
    # Not ru_maxrss, which is at least the peak of whoever started this process.
    code += "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
    asked_of = "\n".join(question for question in questions if question.strip())
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], cwd=ROOT, input=asked_of, capture_output=True, text=True, check=True
    )
    mode.memory = int(done.stdout) / 1000
    return mode


def daemon(folder: Path, questions: Sequence[str]) -> tuple[Mode, float]:
    """The daemon, and a whole command that asks it, in ms."""
    from biblicus.contracts import Call
    from biblicus.models.requests.query import QueryRequest
    from biblicus.service.askers.daemon import Daemon
    from biblicus.service.verbs import QUERY

    mode = Mode("daemon")
    began = time.perf_counter()
    whole("daemon", "start")
    whole("query", "-C", str(folder), "--at", "daemon", questions[0], "--json")
    mode.cold = (time.perf_counter() - began) * 1000
    try:
        asker = Daemon(folder)
        ask = threaded(lambda question: asker.ask(QUERY, QueryRequest(question, limit=5), Call()))
        asyncio.run(measured(mode, [ask] * max(CLIENTS), questions))
        status = subprocess.run(words("daemon", "status", "--json"), cwd=ROOT, check=True, capture_output=True)
        mode.memory = memory(json.loads(status.stdout)["pid"])
        command = median(
            whole("query", "-C", str(folder), "--at", "daemon", question, "--json") for question in questions[-15:]
        )
    finally:
        whole("daemon", "stop")
    return mode, command


def http(folder: Path, questions: Sequence[str]) -> tuple[Mode, dict[str, object]]:
    """The service, and what came of twice as much as it can do."""
    mode = Mode("HTTP service")
    began = time.perf_counter()
    with service(folder) as (process, port):
        asyncio.run(Line(port).ask(questions[0]))
        mode.cold = (time.perf_counter() - began) * 1000
        asyncio.run(measured(mode, [Line(port).ask for _ in range(max(CLIENTS))], questions))
        mode.memory = memory(process.pid)
        overload = asyncio.run(overloaded(process.pid, port, questions, mode))
    return mode, overload


def measure_load(bench: Workbench) -> list[Figure]:
    """The rows `http` and `killed`: a service under load, and one of whose processes one is killed meanwhile."""
    folder = bench.copies(1)
    bench.index(folder)
    os.environ["BIBLICUS_RUNTIME_HOME"] = str(bench.place / "run")
    questions = list(islice(asked(run_folder(folder)), 2_000))
    most = max(CLIENTS)
    load = Load()
    with service(folder) as (_, port):
        for clients in (4, most):  # the first few start what processes there are
            load = asyncio.run(pressed([Line(port).ask for _ in range(clients)], questions, SECONDS))
    with service(folder, "--workers", "2") as (process, port):
        lost = asyncio.run(_with_one_killed(process.pid, [Line(port).ask for _ in range(4)], questions))
    tail, name = percentile(load.times, 0.99), f"HTTP, {most} clients, generator on the same cores"
    failed = sum(count for status, count in lost.statuses.items() if status != 200)
    return [
        Figure("http", name, "/s", load.rate, 380, 500),
        Figure("http", f"{name}: p99", "ms", tail, 70),
        Figure("killed", "a process of a service killed under load: failed requests", "requests", failed, 1, 0,
               f"of {sum(lost.statuses.values()):,}, 4 clients, 2 processes"),
    ]  # fmt: skip


async def _with_one_killed(service_pid: int, asks: Sequence[Ask], questions: Sequence[str]) -> Load:
    """A load, in the middle of which a process of the service that answers is killed."""
    pressing = asyncio.ensure_future(pressed(asks, questions, 2 * SECONDS))
    await asyncio.sleep(SECONDS)
    answering = max(psutil.Process(service_pid).children(recursive=True), key=lambda one: one.cpu_times().user)
    answering.kill()
    return await pressing


async def overloaded(pid: int, port: int, questions: Sequence[str], mode: Mode) -> dict[str, object]:
    """More clients than there are places: statuses, growth of memory, and the latency five seconds later."""
    before, most = memory(pid), 0.0
    stop = threading.Event()

    def watch() -> None:
        nonlocal most
        while not stop.wait(0.1):
            with suppress(psutil.Error):
                most = max(most, memory(pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    load = await pressed([Line(port).ask for _ in range(256)], questions, 2 * SECONDS)
    stop.set()
    watcher.join()
    await asyncio.sleep(5)
    after = await pressed([Line(port).ask], questions, 1.0)
    return {
        "statuses": dict(sorted(load.statuses.items())),
        "growth": most - before,
        "p50": percentile(after.times, 0.5),
        "recovered": percentile(after.times, 0.5) < 2 * mode.p50 + 5,
    }


def agent(folder: Path, questions: Sequence[str]) -> Mode:
    """The MCP server over standard input and output. Its clients are calls under way at once: it has one."""
    mode = Mode("MCP, standard input and output")

    async def talk() -> None:
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters

        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        began = time.perf_counter()
        start = StdioServerParameters(command=sys.executable, args=words("mcp", str(folder))[1:], env=environment)
        async with Client(start) as client:

            async def ask(question: str) -> int:
                await client.call_tool("knowledge_base_query", {"query": question, "limit": 5})
                return 200

            await ask(questions[0])
            mode.cold = (time.perf_counter() - began) * 1000
            await measured(mode, [ask] * max(CLIENTS), questions)
            mode.memory = max(memory(child.pid) for child in psutil.Process().children(recursive=True))

    asyncio.run(talk())
    return mode


# --- the page --------------------------------------------------------------------------------------------------------


def page(modes: Sequence[Mode], command: float, overload: dict[str, object]) -> str:
    """The figures as Markdown."""
    lines = [
        "# What hosting costs",
        "",
        "<!-- Written by `make bench-hosting`. -->",
        "",
        "`lexical` over the 9,746 files of cpp-docs, five pieces of evidence a question.",
        f"{'. '.join(machine())}.",
        "The load generator runs on the same cores.",
        "",
        "| mode | first answer, from nothing | warm p50 | p99 | 1 client | 4 | 16 | p99 at 16 | memory |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for mode in modes:
        rates = " | ".join(f"{mode.rates[clients]:.0f}/s" for clients in CLIENTS)
        lines.append(
            f"| {mode.name} | {mode.cold:.0f} ms | {mode.p50:.1f} ms | {mode.p99:.1f} ms | {rates} | "
            f"{mode.tails[16]:.0f} ms | {mode.memory:.0f} MB |"
        )
    cold = modes[0].cold
    lines += [
        "",
        "Memory counts mapped index files. MCP's clients are calls under way at once over its one connection.",
        "",
        f"* A whole `biblicus query --at daemon`: {command:.0f} ms, {command / cold:.2f}× of a cold one by itself.",
        _overloaded(overload),
        "",
    ]
    return "\n".join(lines)


def _overloaded(found: dict[str, object]) -> str:
    return (
        f"* 256 clients at once on the service, each asking without pause: {found['statuses']} (status: answers), "
        f"{found['growth']:.0f} MB more memory meanwhile; five seconds later p50 {found['p50']:.1f} ms."
    )


def holds(modes: Sequence[Mode], overload: dict[str, object]) -> bool:
    """Whether the service reaches its bars."""
    served = next(mode for mode in modes if mode.name == "HTTP service")
    statuses = overload["statuses"]
    assert isinstance(statuses, dict)
    return (
        served.rates[16] >= 300
        and served.tails[16] <= 80
        and statuses.keys() <= {200, 429, 503}
        and bool(overload["recovered"])
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hosting", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write research/hosting.md")
    asked_for = parser.parse_args(arguments)
    with opened(1) as bench:
        text, good = measure(bench)
    print(text)
    if asked_for.write:
        PAGE.write_text(text, encoding="utf-8")
    return 0 if good else 1


def measure(bench: Workbench) -> tuple[str, bool]:
    """The page, and whether the bars hold."""
    folder = bench.copies(1)
    bench.index(folder)
    os.environ["BIBLICUS_RUNTIME_HOME"] = str(bench.place / "run")
    questions = list(islice(asked(run_folder(folder)), 2_000))
    local = in_process(folder, questions)
    background, command = daemon(folder, questions)
    served, overload = http(folder, questions)
    modes = [local, background, served, agent(folder, questions)]
    return page(modes, command, overload), holds(modes, overload)


if __name__ == "__main__":
    sys.exit(main())
