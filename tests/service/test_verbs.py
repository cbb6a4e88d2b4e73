"""Every verb of the table: what it names is there, is described, and holds the same bounds whoever asks."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass
from datetime import date
from inspect import signature
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from biblicus import Corpus
from biblicus.connectors.python.table import METHODS, Method, made
from biblicus.contracts import Call
from biblicus.errors import UsageError
from biblicus.models.fields import DAY, MOMENT, Request, compact, doc, form, worded
from biblicus.models.plain import encoded, plain, revived
from biblicus.models.reading import Excerpt, FailedText
from biblicus.service.verbs import RUN, VERBS, VERIFY, Verb, adapter
from tests.sampling import each

every_verb = each("verb", VERBS.values())


def schema_of(kind: Any) -> dict[str, Any]:
    return adapter(kind).json_schema()


@every_verb
def test_what_a_verb_names_is_there(verb: Verb[Any, Any]) -> None:
    request: Any = verb.request
    assert issubclass(request, Request)
    assert is_dataclass(request)
    for kind in get_args(verb.reply) or [verb.reply]:
        assert kind is dict or is_dataclass(kind) or issubclass(kind, BaseModel)
    assert list(signature(verb.run).parameters)[1:] == ["request", "call"]


@every_verb
def test_requests_and_replies_have_schemas(verb: Verb[Any, Any]) -> None:
    schema = schema_of(verb.request)
    assert set(schema["properties"]) == {entry.name for entry in fields(verb.request)}
    assert schema["additionalProperties"] is False
    assert schema_of(verb.reply)


@every_verb
def test_every_field_of_a_request_is_described(verb: Verb[Any, Any]) -> None:
    schema = schema_of(verb.request)
    for entry in fields(verb.request):
        description = entry.metadata["description"]
        assert description.endswith((".", "…."))
        assert schema["properties"][entry.name]["description"] == description


PATTERNS = {
    pattern for verb in VERBS.values() for entry in fields(verb.request) if (pattern := entry.metadata.get("pattern"))
}


@pytest.mark.parametrize("pattern", sorted(PATTERNS))
def test_a_form_is_told_in_words(pattern: str) -> None:
    assert pattern not in form(pattern)


def test_a_pattern_that_has_no_words_is_told_as_it_is() -> None:
    document = {"type": "string_pattern_mismatch", "msg": "String should match", "ctx": {"pattern": "^[A-Z]+$"}}
    assert worded(document) == "it takes text that fits ^[A-Z]+$"
    assert form("^(paper|doc)$") == "one of paper, doc"
    assert worded({"type": "literal_error", "msg": "Input should be 'POST'"}) == "input should be 'POST'"
    few = {"type": "too_short", "msg": "Tuple should have at least 1 item after validation, not 0"}
    assert worded(few) == "list should have at least 1 item, not 0"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("receive", "2020-13-45"),
        ("receive", "2026-02-30T08:00:00Z"),
        ("receive", "2026-05-01T99:99"),
        ("receive", "2026-05-01T.Z"),
        ("receive", "2026-05-01\n"),
        ("query", "2026-02-30"),
        ("query", "2026-13"),
        ("query", "1900-02-29"),
    ],
)
def test_a_day_that_there_is_not_is_refused(name: str, text: str) -> None:
    verb, field = VERBS[name], {"receive": "created_at", "query": "since"}[name]
    with pytest.raises(UsageError, match=f"{field}.* takes a day"):
        verb.read({**needed(verb), field: text})


@pytest.mark.parametrize(
    "text", ["2026-05-01", "2026-05-01T08:30", "2026-05-01T08:30:00.5Z", "2000-02-29T08:30:00+02:00"]
)
def test_a_day_or_a_time_is_taken(text: str) -> None:
    assert VERBS["receive"].read({**needed(VERBS["receive"]), "created_at": text}).created_at == text


@pytest.mark.parametrize("year", [1900, 2000, 2023, 2024, 9996])
def test_the_days_of_a_year_are_those_of_the_calendar(year: int) -> None:
    texts = [f"{year}-{month:02}-{day:02}" for month in range(14) for day in range(33)]
    first = date(year, 1, 1).toordinal()
    days = {date.fromordinal(first + number).isoformat() for number in range(366)} & {*texts}
    for pattern in (DAY, MOMENT):
        assert {text for text in texts if re.fullmatch(pattern, text)} == days


@every_verb
def test_a_field_that_nobody_knows_is_refused(verb: Verb[Any, Any]) -> None:
    with pytest.raises(UsageError, match="nosuch"):
        verb.read({**needed(verb), "nosuch": 1})


# --- bounds ----------------------------------------------------------------------------------------------------------

PIECE = {"item_id": "i", "path": "p", "text": "t", "hash": "h", "item_sha256": "s", "span_start": 0, "span_end": 1}
PIECE |= {"line_start": 1, "line_end": 1}
_NEEDED: Mapping[str, Any] = {
    "evidence": (PIECE,),
    "requests": ({"item": "a.txt"},),
    "multiplier": 1.0,
    "note": "0" * 16,
}


def needed(verb: Verb[Any, Any]) -> dict[str, Any]:
    """What a request cannot do without, as JSON would hold it."""
    words = {
        entry.name: _NEEDED.get(entry.name, ("a",) if str(entry.type).startswith("tuple") else "a")
        for entry in fields(verb.request)
        if entry.default is MISSING and entry.default_factory is MISSING
    }
    return {**words, **{"receive": {"text": "a"}, "add_note": {"quote": "a"}}.get(verb.name, {})}


def bounds(entry: Field[Any], one: Any) -> Iterator[tuple[str, Any, Any]]:
    """By the name of a bound: a value that just holds and one that just does not."""
    step = 1 if "int" in str(entry.type) else 1e-6
    for name, bound in entry.metadata.items():
        match name:
            case "ge":
                yield name, bound, bound - step
            case "le":
                yield name, bound, bound + step
            case "gt":
                yield name, bound + step, bound
            case "lt":
                yield name, bound - step, bound
            case "max_length":
                yield name, one * bound, one * (bound + 1)
            case "min_length" if bound:
                yield name, one * bound, one * (bound - 1)
            case "pattern":
                fitting = {
                    "created_at": "2026-05-01",
                    "since": "2026",
                    "until": "2026",
                    "every": "1h",
                    "note": "0" * 16,
                }
                yield name, fitting.get(entry.name, "a"), "\x01/"
            case "json_schema_extra":
                each = bound.get("items", {})
                if "enum" in bound:
                    yield "choices", bound["enum"][0], "nosuch"
                if "enum" in each:
                    yield "choices", tuple(each["enum"]), ("nosuch",)
                elif "maxLength" in each:
                    yield "each", ("a" * each["maxLength"],), ("a" * (each["maxLength"] + 1),)


def bounded() -> Iterator[Any]:
    for verb in VERBS.values():
        for entry in fields(verb.request):
            one: Any = ("doc",) if str(entry.type).startswith("tuple") else "a"
            if entry.name == "hash":
                one = ("0" * 64,)
            if entry.name in ("evidence", "requests"):
                one = (_NEEDED[entry.name][0],)
            for name, inside, outside in bounds(entry, one):
                yield pytest.param(verb, entry, inside, outside, id=f"{verb.name}-{entry.name}-{name}")


@each(("verb", "entry", "inside", "outside"), list(bounded()))
def test_python_and_a_wire_hold_to_the_same_bounds(
    verb: Verb[Any, Any], entry: Field[Any], inside: Any, outside: Any
) -> None:
    words = {name: value for name, value in needed(verb).items() if name != entry.name}
    if entry.name == "content_base64":
        words.pop("text")
    if entry.name == "span" and verb.name == "add_note":
        words.pop("quote")
    for ask in (lambda words: verb.request(**words), verb.read):
        assert ask({**words, entry.name: inside})
        with pytest.raises(UsageError) as caught:
            ask({**words, entry.name: outside})
        assert entry.name in caught.value.message
        assert "\n" not in caught.value.message


def test_every_kind_of_bound_is_among_them() -> None:
    kinds = {str(entry.id).rpartition("-")[2] for entry in bounded()}
    assert kinds == {"ge", "gt", "le", "max_length", "min_length", "pattern", "choices", "each"}


@pytest.mark.parametrize("value", ["1", 1.5, True])
def test_numbers_of_evidence_are_numbers(value: object) -> None:
    with pytest.raises(UsageError, match="span_start"):
        VERIFY.read({"evidence": [{**PIECE, "span_start": value}]})


# --- over a wire and back -------------------------------------------------------------------------------------------

CROSSING: Mapping[str, Mapping[str, Any]] = {
    "query": {"query": "Who pulls the tides?"},
    "context": {"query": "Who pulls the tides?", "format": "xml"},
    "list": {"limit": 2},
    "show": {"item": "gulls.md"},
    "get": {"item": "tides.txt", "lines": (1, 1)},
    "get_batch": {"requests": ({"item": "tides.txt"}, {"item": "nosuch.txt"})},
    "file_part": {"item": "tides.txt", "start": 4, "length": 4},
    "facets": {"tag": ["birds"]},
    "tree": {"max_entries": 1},
    "stats": {},
    "version": {},
    "verify": {},
    "runs": {},
    "run": {"run": "lexical"},
    "recipes": {},
    "events": {},
    "weights": {},
}
"""Verbs that a daemon or a service answers, with what is asked."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("verbs") / "harbour"
    with pytest.MonkeyPatch.context() as patch, Corpus.init(folder) as made:
        patch.setenv("BIBLICUS_STATE_HOME", str(folder.parent / "state"))
        patch.setenv("BIBLICUS_CONFIG_HOME", str(folder.parent / "config"))
        (folder / "tides.txt").write_text("The moon pulls tides.\nThe sun does too, a little.\n", "utf-8")
        (folder / "old.md").write_text("---\ntags: [birds]\n---\n# Gulls\n\nGrey gulls fly.\n", "utf-8")
        (folder / "notes").mkdir()
        (folder / "notes" / "rope.txt").write_text("Ropes rot.", "utf-8")
        made.reindex()
        (folder / "old.md").rename(folder / "gulls.md")
        made.set_weight("tides.txt", 2, ttl_days=1)
        made.set_weight("notes/**", 0.5, namespace="rig")
        made.reindex()
        yield made


@pytest.mark.parametrize("name", CROSSING)
def test_a_reply_comes_back_as_it_left(corpus: Corpus, name: str) -> None:
    verb: Verb[Any, Any] = VERBS[name]
    words = dict(CROSSING[name])
    if name == "verify":
        words["evidence"] = tuple(plain(corpus.query("Who pulls the tides?").evidence))
    request = verb.read(words)
    assert verb.read(json.loads(json.dumps(plain(compact(request))))) == request
    reply = corpus._asker.ask(verb, request, Call())
    assert isinstance(reply, verb.reply)
    document = json.loads(encoded(reply))
    assert document == plain(reply)
    again = revived(verb.reply, document)
    assert again == reply
    assert encoded(again) == encoded(reply)


def test_what_crosses_says_something(corpus: Corpus) -> None:
    """So that nothing above is equal for being empty."""

    def ask(name: str) -> Any:
        return corpus._asker.ask(VERBS[name], VERBS[name].read(dict(CROSSING[name])), Call())

    assert [type(entry) for entry in ask("get_batch").results] == [Excerpt, FailedText]
    assert ask("list").next_cursor
    assert ask("tree").truncated
    assert {weight.namespace for weight in ask("weights").weights} == {"global", "rig"}
    assert any(event.came_from == "old.md" for event in ask("events").events)
    assert ask("context").entries


def test_fields_of_a_newer_service_are_let_pass(corpus: Corpus) -> None:
    reply = corpus._asker.ask(RUN, RUN.request("lexical"), Call())
    assert revived(RUN.reply, {**json.loads(encoded(reply)), "from_the_future": 1}) == reply


# --- Python's methods -----------------------------------------------------------------------------------------------


class EchoRequest(Request):
    """Say it again."""

    text: str = field(kw_only=False, metadata=doc("What to say."))
    times: int = field(default=1, metadata=doc("How often.", ge=1))


def echo(place: object, request: EchoRequest, call: Call) -> str:
    return request.text * request.times


ELSEWHERE = {"runs": "runs", "run": "runs", "recipes": "recipes", "verify": "verify"}
"""Verbs that `Corpus` has a method of its own for."""
OVER_A_WIRE = {"receive": "ingest", "get_batch": "get"}
"""Verbs whose work another method does here, where nothing has to travel."""


def test_every_verb_is_a_method_of_python() -> None:
    by_table = {method.verb.name for method in METHODS}
    assert VERBS.keys() == by_table | ELSEWHERE.keys() | OVER_A_WIRE.keys()
    assert not by_table & (ELSEWHERE.keys() | OVER_A_WIRE.keys())
    assert all(callable(getattr(Corpus, name)) for name in (*ELSEWHERE.values(), *OVER_A_WIRE.values()))


def test_a_field_of_a_request_is_a_parameter_of_the_method() -> None:
    verb: Verb[Any, str] = Verb("echo", "", "", "", "Say it again.")
    vars(verb).update(request=EchoRequest, reply=str, run=echo)
    method = made(Method("echo", verb))

    class Echoing:
        def ask(self, verb: Verb[Any, Any], request: Any, call: Call) -> Any:
            return echo(None, request, call)

    corpus = SimpleNamespace(_asker=Echoing())
    assert method(corpus, "o", times=3) == "ooo"
    assert list(method.__signature__.parameters) == ["self", "text", "times", "call"]  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="times is at least 1"):
        method(corpus, "o", times=0)
    with pytest.raises(TypeError, match="nosuch"):
        method(corpus, "o", nosuch=1)
