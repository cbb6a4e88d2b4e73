"""What a function is asked while a test runs: heard on the way, and answered as ever."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest


def heard(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, what: Callable[..., Any]) -> list[Any]:
    """Return a list of what `what` takes from the arguments of each call of `owner.name`. It grows with each call."""
    calls: list[Any] = []
    original = getattr(owner, name)

    @wraps(original)
    def hearing(*words: Any, **options: Any) -> Any:
        calls.append(what(*words, **options))
        return original(*words, **options)

    monkeypatch.setattr(owner, name, hearing)
    return calls
