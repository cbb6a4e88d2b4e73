"""How often a question goes to a database and back: counted on the wire, where every turn of the talk is seen."""

import json
import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from biblicus import Corpus
from tests.stores.test_conformance import TEXTS, filled
from tools.postgres import Server

RECIPES = {
    "exact": "{lexical: {}, vector: {engine: exact, embedder: minilm}}",
    "graph": "{lexical: {}, vector: {engine: hnsw, exact_below: 50, embedder: minilm}}",
    "words": "{lexical: {}}",
}
FILLER = {f"more/{number}.md": f"# Page {number}\n\nBerth {number} of the pier.\n" for number in range(150)}


_MAJOR = 3
"""Of the protocol's version, which the first message names; it alone, and requests for encryption before it, have no
type."""


class Said:
    """What a client says to PostgreSQL. It waits for all of the replies after `Query` and `Sync`; when these come, and
    in how many parts, makes no difference."""

    def __init__(self) -> None:
        self._rest = b""
        self._is_typed = False

    def waits(self, data: bytes) -> int:
        """After how many messages that end with more of what is said it waits."""
        self._rest += data
        count = 0
        while True:
            at = 1 if self._is_typed else 0
            end = at + int.from_bytes(self._rest[at : at + 4])
            if len(self._rest) < max(at + 4, end):
                return count
            if self._is_typed:
                count += self._rest[:1] in (b"Q", b"S")
            else:
                self._is_typed = int.from_bytes(self._rest[4:6]) == _MAJOR
            self._rest = self._rest[end:]


class Wire:
    """Stands between a client and a server's socket. `trips`: how often the client has waited for the server."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.trips = 0
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=[client], daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, selectors.DefaultSelector() as watched:
            try:
                server.connect(self._address)
            except OSError:
                return
            self._open |= {client, server}
            watched.register(client, selectors.EVENT_READ, server)
            watched.register(server, selectors.EVENT_READ, client)
            said = Said()
            with suppress(OSError):
                while True:
                    for key, _ in watched.select():
                        sent = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]  # they are sockets
                        if not sent:
                            return
                        if key.fileobj is client:
                            self.trips += said.waits(sent)
                        key.data.sendall(sent)

    def cut(self) -> None:
        """Break off whatever is being said."""
        for end in [*self._open]:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def close(self) -> None:
        self.cut()
        self._listener.close()


@pytest.fixture
def wire(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    made = Wire(f"{postgres.folder}/.s.PGSQL.5432")
    dsn = postgres.dsn.replace(str(postgres.folder), f"127.0.0.1 port={made.port}")
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": "postgres", "dsn": dsn}}))
    monkeypatch.setenv("BIBLICUS_STORE", "team")
    yield made
    made.close()


@pytest.fixture
def corpus(tmp_path: Path, wire: Wire) -> Iterator[Corpus]:
    with filled(tmp_path / "harbour", {**TEXTS, **FILLER}) as made:
        folder = made.path / ".biblicus" / "recipes"
        folder.mkdir()
        for name, legs in RECIPES.items():
            text = f"name: {name}\nbuild:\n  chunking: {{default: {{by: paragraphs}}}}\n  legs: {legs}\n"
            (folder / f"{name}.yml").write_text(text, "utf-8")
        yield made


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_question_is_one_trip_and_one_more_for_words_that_were_not_counted_yet(
    corpus: Corpus, wire: Wire, recipe: str
) -> None:
    corpus.reindex(recipe)

    def trips(question: str, **filters: tuple[str, ...]) -> int:
        before = wire.trips
        assert corpus.query(question, recipe=recipe, **filters).evidence  # type: ignore[arg-type]  # filters
        return wire.trips - before

    trips("gulls")  # opens the run
    assert trips("tides of the harbour") == 2
    assert trips("tides of the harbour") == 1
    assert trips("tides of the harbour", path=("**",)) == 2  # what fits a filter is asked once
    assert trips("gulls", path=("**",)) == 1
