"""`connectors/python/methods.pyi`: every method of a corpus, parameter by parameter, from the table of verbs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from biblicus.connectors.python.table import METHODS, Method, signature

MARK = "Written by `make docs` from service/verbs.py and connectors/python/table.py."
_HEAD = '''"""The methods of a corpus, one a verb.

{mark}
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

{imports}
class Methods:
    """One method a verb."""

    _asker: Here
'''
_ALSO = {
    "Call": "biblicus.contracts",
    "Filters": "biblicus.models.requests.query",
    "GraphHook": "biblicus.answers.answer_as",
    "Here": "biblicus.service.askers.here",
    "LLMClient": "biblicus.contracts",
    "PackPolicy": "biblicus.models.requests.answer",
    "Answer": "biblicus.models.answers.answer",
    "PersonaAnswer": "biblicus.models.answers.persona",
}
"""Names that the table of methods writes as texts."""


def stub() -> str:
    """The text of the stub."""
    names: dict[str, str] = {"Here": _ALSO["Here"]}
    bodies = [_body(method, names) for method in METHODS]
    homes: dict[str, set[str]] = {}
    for name, home in names.items():
        homes.setdefault(home, set()).add(name)
    imports = "".join(f"from {home} import {', '.join(sorted(homes[home]))}\n" for home in sorted(homes))
    return _HEAD.format(mark=MARK, imports=imports) + "".join(bodies)


def _body(method: Method, names: dict[str, str]) -> str:
    hints = get_type_hints(method.verb.request)
    lines = ["self"]
    starred = False
    for parameter in list(signature(method).parameters.values())[1:]:
        kind = parameter.kind
        if kind is kind.KEYWORD_ONLY and not starred:
            lines.append("*")
            starred = True
        text = _parameter(parameter, hints, names)
        starred = starred or kind is kind.VAR_POSITIONAL
        lines.append(text)
    summary = (inspect.getdoc(method.by) or "").partition("\n")[0] if method.by else method.verb.summary
    body = "".join(f"        {line},\n" for line in lines)
    return f'\n    def {method.name}(\n{body}    ) -> {_gives(method, names)}:\n        """{summary}"""\n'


def _parameter(parameter: inspect.Parameter, hints: dict[str, Any], names: dict[str, str]) -> str:
    if parameter.name in hints:
        kind = hints[parameter.name]
        in_order = parameter.kind is not parameter.KEYWORD_ONLY
        takes_paths = in_order or parameter.name == "reports"
        shown = "str | Path" if _many(kind) == "str" and takes_paths else _many(kind)
        annotation = _type(kind, names, taken=True) if shown is None else f"{shown} | Sequence[{shown}]"
        if parameter.kind is parameter.VAR_POSITIONAL:
            return f"*{parameter.name}: {shown or 'Any'}"
        if kind is str and in_order and parameter.default is _EMPTY:
            annotation = "str | Path"
    else:
        annotation = str(parameter.annotation)
        _note(annotation, names)
        if parameter.kind is parameter.VAR_KEYWORD:
            return f"**{parameter.name}: {annotation}"
    return f"{parameter.name}: {annotation}" + ("" if parameter.default is _EMPTY else " = ...")


_EMPTY = inspect.Parameter.empty


def _many(kind: Any) -> str | None:
    """The type of one entry of a list of any length."""
    inner = get_args(kind)
    return inner[0].__name__ if get_origin(kind) is tuple and inner[1:] == (...,) and inner[0] in (str, int) else None


def _gives(method: Method, names: dict[str, str]) -> str:
    if method.type:
        _note(method.type, names)
        return str(method.type)
    reply: Any = method.verb.reply
    if isinstance(method.gives, str):
        return _type(get_type_hints(reply)[method.gives], names)
    return _type(reply, names)


def _type(kind: Any, names: dict[str, str], *, taken: bool = False) -> str:
    """A type as the stub writes it. `taken`: of a parameter, which takes any sequence for a tuple."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is dict:
        return "dict[str, Any]"
    if kind is type(None):
        return "None"
    if origin in (Union, UnionType):
        return " | ".join(_type(part, names, taken=taken) for part in inner)
    if origin is Literal:
        return f"Literal[{', '.join(repr(part) for part in inner)}]".replace("'", '"')
    if origin is tuple and inner[1:] == (...,):
        return f"{'Sequence' if taken else 'tuple'}[{_type(inner[0], names)}{'' if taken else ', ...'}]"
    if origin is not None:
        name = {"tuple": "tuple"}.get(origin.__name__, origin.__name__)
        return f"{name}[{', '.join(_type(part, names) for part in inner)}]"
    if kind is Any:
        return "Any"
    if kind.__module__.startswith("biblicus"):
        names[kind.__name__] = kind.__module__
    return str(kind.__name__)


def _note(annotation: str, names: dict[str, str]) -> None:
    """Remember where the names of an annotation come from."""
    words: Iterable[str] = re.findall(r"\w+", annotation)
    names.update({word: _ALSO[word] for word in words if word in _ALSO})
