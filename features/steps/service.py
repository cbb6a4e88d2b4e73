"""Steps about a service over HTTP: who asks it how, and what it answers."""

import http.client
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from biblicus.contracts import Call
from biblicus.service.askers.processes import Processes
from biblicus.service.corpora import Corpora
from biblicus.service.tokens import Made, Tokens
from features.phrase import phrase
from features.steps.commands import Typed
from features.steps.proof import verdicts
from features.surfaces import serving
from features.world import Table, World, rows


@dataclass
class Asked:
    """A service, its token, and what it answered last. `start`: starts it when it is asked first."""

    start: Callable[[], tuple[str, Callable[[], None]]] | None = None
    stop: Callable[[], None] = lambda: None
    tokens: Tokens = field(default_factory=Tokens)
    token: Made | None = None
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    bodies: list[Any] = field(default_factory=list)
    corpora: Corpora | None = None

    @cached_property
    def address(self) -> str:
        assert self.start is not None
        address, self.stop = self.start()
        return address

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> None:
        line = http.client.HTTPConnection(self.address.removeprefix("http://"), timeout=120)
        try:
            line.request(
                method,
                path,
                None if body is None else json.dumps(body),
                {"Content-Type": "application/json", **headers},
            )
            got = line.getresponse()
            self.status, self.headers = got.status, {name.lower(): value for name, value in got.getheaders()}
            self.body = json.loads(got.read())
        finally:
            line.close()

    @property
    def processes(self) -> Processes:
        """What answers for a service of several processes."""
        assert self.corpora is not None
        assert self.corpora.processes is not None
        return self.corpora.processes

    def bearer(self, which: str = "valid") -> dict[str, str]:
        said = {"valid": self.token and self.token.token, "wrong": "biblicus_wrong"}.get(which)
        return {"Authorization": f"Bearer {said}"} if said else {}


@pytest.fixture
def asked() -> Iterator[Asked]:
    found = Asked()
    yield found
    found.stop()


@given(parsers.re(r"a service with a token to (?P<scope>read|ingest)(, of (?P<processes>\d+) processes)?"))
def service(world: World, asked: Asked, scope: Any, processes: str | None) -> None:
    asked.tokens = Tokens(world.folder.parent / "tokens.json")
    asked.token = asked.tokens.new(scope, "test", Call())
    asked.address, asked.stop = serving(
        world.folder,
        asked.tokens,
        processes=int(processes or 1),
        opened=lambda corpora: setattr(asked, "corpora", corpora),
    )


@when("the service is asked")
def ask(asked: Asked, datatable: Table) -> None:
    (row,) = rows(datatable, "method", "address", "token", "host", "origin", "through")
    names = {"host": "Host", "origin": "Origin", "through": "Biblicus-Through"}
    headers = {names[key]: value for key, value in row.items() if key in names and value}
    asked.ask(row["method"], row["address"], **asked.bearer(row["token"]), **headers)


@then(parsers.re(r"it answers (?P<status>\d+)"), converters={"status": int})
def answers(asked: Asked, status: int) -> None:
    assert asked.status == status, asked.body


@then(parsers.parse('it answers {status:d} as "{code}"'))
def answers_as(asked: Asked, status: int, code: str) -> None:
    assert (asked.status, asked.body["error"]["code"]) == (status, code)
    assert asked.headers["content-type"] == "application/problem+json"


@then(phrase('its evidence comes from "{path}"'))
def evidence_from(asked: Asked, path: str) -> None:
    assert [piece["path"] for piece in asked.body["evidence"]] == [path]


@when(phrase('the text of "{path}" is retrieved from the service'))
def retrieve(asked: Asked, path: str) -> None:
    asked.ask("POST", "/retrieve", {"item": path}, **asked.bearer())


@then(parsers.re("its evidence is (?P<judgement>sufficient|insufficient)"))
def evidence_is(asked: Asked, judgement: str) -> None:
    assert asked.body["insufficient"] is (judgement == "insufficient")


@given("the service has opened its indexes")
def opened(asked: Asked) -> None:
    asked.ask("GET", "/health")
    while asked.body["state"] in ("starting", "down", "degraded"):
        asked.ask("GET", "/health")


@then("its answer names its index version")
def names_version(asked: Asked) -> None:
    assert asked.headers["index-version"] == asked.body.get("searched", asked.body)["index_version"]


@then(phrase('the token is nowhere in "{name}"'))
def not_kept(world: World, typed: Typed, name: str) -> None:
    token = json.loads(typed.out)["token"]
    kept = Path(world.folder / name).read_text(encoding="utf-8")
    assert token not in kept
    assert '"sha256"' in kept


@then(phrase('its answer "{text}" cites "{path}"'))
def answer_cites(asked: Asked, text: str, path: str) -> None:
    assert asked.body["answer"] == text
    assert [one["path"] for said in asked.body["statements"] for one in said["citations"]] == [path]


@then("its answer verifies")
def answer_verifies(world: World, asked: Asked) -> None:
    found = verdicts(world, json.dumps(asked.body).encode())["evidence"]
    assert [verdict["status"] for verdict in found] == ["ok"]
