"""A frozen dataclass of ours is, but for what it costs to define, one of the standard library's."""

import copy
import dataclasses
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest
from pydantic import TypeAdapter

from biblicus.models import frozen
from tests.sampling import each

STANDARD, OURS = dataclasses.dataclass, frozen.dataclass


def defined(decorator: Callable[..., Any]) -> dict[str, Any]:
    """Classes of every kind that the package has, by one of the decorators."""

    class Checked:
        def __post_init__(self) -> None:
            if getattr(self, "a", 0) == "bad":
                raise ValueError("bad")

    @decorator(frozen=True)
    class Point(Checked):
        a: Any
        b: int = 2
        c: list[int] = field(default_factory=list, compare=False)
        d: str = field(default="secret", repr=False)

    @decorator(frozen=True, kw_only=True)
    class One:
        a: Any

    @decorator(frozen=True)
    class Nothing:
        pass

    @decorator(frozen=True)
    class Child(Point):
        e: int = 5

    @decorator(frozen=True, order=True)
    class Ordered:
        a: Any

    @decorator(frozen=True)
    class Named:
        a: Any

        def __repr__(self) -> str:
            return "named"

    @decorator
    class Open:
        a: Any

    return {name: kind for name, kind in locals().items() if name not in ("decorator", "Checked")}


ALL = {standard: (kind, defined(OURS)[standard]) for standard, kind in defined(STANDARD).items()}
ATTEMPTS: dict[str, Callable[[Any], Any]] = {
    "shown": lambda kind: repr(kind(a=1)).replace("defined.<locals>.", ""),
    "bad": lambda kind: kind(a="bad").a,
    "too few": lambda kind: kind(),
    "too many": lambda kind: kind(a=1, zz=2),
    "in place": lambda kind: kind(1),
    "same": lambda kind: kind(a=1) == kind(a=1),
    "different": lambda kind: kind(a=1) == kind(a=2),
    "no number": lambda kind: kind(a=float("nan")) == kind(a=float("nan")),
    "of another kind": lambda kind: kind(a=1) == (1, 2, "secret"),
    "not compared": lambda kind: kind(a=1, c=[1]) == kind(a=1, c=[2]),
    "hashed": lambda kind: len({kind(a=1), kind(a=1), kind(a=2)}),
    "hashed by a list": lambda kind: hash(kind(a=[])),
    "set": lambda kind: setattr(kind(a=1), "a", 2),
    "set anew": lambda kind: setattr(kind(a=1), "new", 2),
    "deleted": lambda kind: delattr(kind(a=1), "a"),
    "replaced": lambda kind: dataclasses.asdict(dataclasses.replace(kind(a=1), a=3)),
    "copied": lambda kind: vars(copy.deepcopy(kind(a=[1]))),
    "matched": lambda kind: kind.__match_args__,
    "said": lambda kind: [(one.name, one.default, one.repr, one.compare) for one in dataclasses.fields(kind)],
    "ordered": lambda kind: kind(a=1) < kind(a=2),
    "judged": lambda kind: vars(TypeAdapter(kind).validate_python({"a": 1})),
    "sketched": lambda kind: TypeAdapter(kind).json_schema(),
}


def outcome(attempt: Callable[[Any], Any], kind: Any) -> Any:
    """What comes of it, or the error's class."""
    try:
        return attempt(kind)
    except Exception as error:
        return type(error)


@each("attempt", ATTEMPTS)
@each("name", ALL)
def test_it_does_what_the_standard_one_does(name: str, attempt: str) -> None:
    standard, ours = (outcome(ATTEMPTS[attempt], kind) for kind in ALL[name])
    assert repr(ours).replace(" at 0x", "") == repr(standard).replace(" at 0x", "")


def test_a_copy_refuses_to_change() -> None:
    with pytest.raises(FrozenInstanceError, match="'a'"):
        copy.copy(defined(OURS)["Point"](1)).a = 2


def test_only_what_is_plainly_frozen_is_ours() -> None:
    kinds = defined(OURS)
    assert [name for name in kinds if vars(kinds[name]).get("__setattr__") is frozen._set_once] == [
        "Point",
        "One",
        "Nothing",
    ]
