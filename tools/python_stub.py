"""`connectors/python/methods.pyi`: every method of a corpus, parameter by parameter, from the table of verbs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from dataclasses import Field, fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from biblicus.connectors.python.table import METHODS, Method, signature
from biblicus.models.requests.query import Filters, QueryRequest

MARK = "Written by `make docs` from service/verbs.py and connectors/python/table.py."
_HEAD = '''"""The methods of a corpus, one a verb.

{mark}
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

{imports}
{groups}class Methods:
    """One method a verb."""

    _asker: Here
'''
_GROUPS: tuple[tuple[str, str, type], ...] = (
    ("_Filters", "TypedDict, total=False", Filters),
    ("_Query", "_Filters, total=False", QueryRequest),
)
"""Parameters that several methods share: name and bases of their `TypedDict`, and the request whose fields they are."""
_WIDTH = 120
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
    groups = "".join(_group(name, bases, request, names) for name, bases, request in _GROUPS)
    homes: dict[str, set[str]] = {}
    for name, home in names.items():
        homes.setdefault(home, set()).add(name)
    imports = "".join(f"from {home} import {', '.join(sorted(homes[home]))}\n" for home in sorted(homes))
    return _HEAD.format(mark=MARK, imports=imports, groups=groups) + "".join(bodies)


def _group(name: str, bases: str, request: type, names: dict[str, str]) -> str:
    """Write the `TypedDict` of shared parameters."""
    base = next((other for key, _, other in _GROUPS if bases.startswith(key)), object)
    hints = get_type_hints(request)
    empty = (inspect.Parameter(entry.name, KEYWORD) for entry in _shared(request, base))
    lines = [f"    {_parameter(parameter, hints, names)}\n" for parameter in empty]
    return f"class {name}({bases}):\n{''.join(lines)}\n"


def _shared(request: type, base: type = object) -> list[Field[Any]]:
    """Return the keyword fields of a request that its base does not have."""
    inherited = {entry.name for entry in fields(base)} if is_dataclass(base) else set()
    return [entry for entry in fields(request) if entry.kw_only and entry.name not in inherited]


def _body(method: Method, names: dict[str, str]) -> str:
    hints = get_type_hints(method.verb.request)
    parameters = list(signature(method).parameters.values())[1:]
    group, grouped = "", set[str]()
    if VAR_KEYWORD not in {parameter.kind for parameter in parameters}:
        taken = {each.name: hints.get(each.name) for each in parameters if each.kind is KEYWORD}
        for name, _, request in _GROUPS:
            theirs = get_type_hints(request)
            shared = {entry.name for entry in _shared(request)}
            if all(taken.get(key) == theirs[key] for key in shared):
                group, grouped = name, shared
    written = ["self"]
    starred = False
    for parameter in parameters:
        if parameter.name in grouped:
            continue
        if parameter.kind is KEYWORD and not starred:
            written.append("*")
            starred = True
        starred = starred or parameter.kind is parameter.VAR_POSITIONAL
        written.append(_parameter(parameter, hints, names))
    written += [f"**fields: Unpack[{group}]"] if group else []
    summary = (inspect.getdoc(method.by) or "").partition("\n")[0] if method.by else method.verb.summary
    head, end = f"    def {method.name}(", f") -> {_gives(method, names)}:\n"
    short = head + ", ".join(written) + end
    inner = ", ".join(written)
    if len(short) <= _WIDTH + 1:
        pass
    elif len(inner) + 8 <= _WIDTH:
        short = f"{head}\n        {inner}\n    {end}"
    else:
        short = head + "\n" + "".join(f"        {part},\n" for part in written) + "    " + end
    return f'\n{short}        """{summary}"""\n'


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
KEYWORD, VAR_KEYWORD = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD


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
