"""Places in programs as tools write them: frames of stacks, what compilers and searches print, paths with a line."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_LONGEST = 20_000
"""Characters of a question that are looked at; of a longer one half of them from its beginning, half from its end."""
_MOST = 64
"""Frames of one question."""
_SEGMENT = r"[\w.@+$~-]{1,120}"
_PLACES = re.compile(
    r"File (?P<mark>[\"'])(?P<file>[^\"\n]{1,300}?)(?P=mark), line (?P<at>\d{1,7})(?:, in (?P<function>\w{1,120}))?"
    r"|\bat (?:[\w.@-]{1,120}/)?(?P<owner>(?:[\w$]{1,120}\.){1,24})(?P<method>[\w$<>]{1,120})"
    r"\((?P<named>[\w$-]{1,120}\.(?:java|kt|scala|groovy|clj)):(?P<number>\d{1,7})\)"
    r"|(?<![\w/\\.:-])(?:[A-Za-z]:)?"
    rf"(?P<path>(?:/|\\)?(?:{_SEGMENT}[/\\]){{0,24}}{_SEGMENT}\.[A-Za-z]\w{{0,7}})"
    r"(?:(?::(?:line )?|\(|#L|(?: on|,)? line )(?P<line>\d{1,7}))?(?![\w/\\-]|\.\w)"
)
_QUOTED = re.compile(r"(?<=File )\"([^\"\n]{1,300})\"(?=, line \d)")
_CALLS = re.compile(r"\b(?:at|in) ((?:[\w$]{1,120}[.#]){0,4}[\w$]{1,120}) \(")
"""The function before a path: `at Parser.execute (…`."""
_WITHIN = re.compile(r": ?in [`']?(?:[\w$:]{1,120}[.#]){0,4}([\w$]{1,120})")
"""The function behind a path: `:in 'Winch#haul'`, `: in haul`."""
_BESIDE = 300
"""Characters before a path in which its function may stand."""
_SEPARATORS = re.compile(r"[/\\]+")
_MAY = re.compile(
    r"\.[A-Za-z]\w{0,7}(?:[\"'], line |:\d|:line \d|\(\d|#L\d|,? (?:on )?line \d)"
    r"|[\w.~][/\\][\w.@+$~/\\-]{0,200}?\.[A-Za-z]"
)
"""What each of them has."""


class Frame(NamedTuple):
    """A place in a program. `path`: its folders and name, as far as they are told; `line`: None where only the file is
    named; `name`: of the function, empty where none is told."""

    path: tuple[str, ...]
    line: int | None = None
    name: str = ""

    def shared(self, path: str) -> int:
        """How many parts at the end of an item's path are this place's; none where they may be of different files: only
        what is told by its name alone, or lies in no folder, need not share one."""
        own = path.split("/")
        shared = 0
        while shared < min(len(own), len(self.path)) and own[-1 - shared] == self.path[-1 - shared]:
            shared += 1
        return shared if shared > 1 or shared in (len(own), len(self.path)) else 0


@lru_cache(maxsize=256)
def of(question: str) -> tuple[Frame, ...]:
    """The places that a question names, the innermost call first. A path without a line has a folder."""
    if len(question) > _LONGEST:
        question = f"{question[: _LONGEST // 2]}\n{question[-_LONGEST // 2 :]}"
    if not _MAY.search(question):
        return ()
    frames: list[Frame] = []
    is_outermost_first = False
    for match in _PLACES.finditer(question):
        is_outermost_first = is_outermost_first or bool(match["file"]) or question.startswith(": in ", match.end())
        if (frame := _frame(match, question)) is not None and frame not in frames:
            frames.append(frame)
    return tuple(frames[::-1] if is_outermost_first else frames)[:_MOST]


def unquoted(question: str) -> str:
    """A question in which the path of a frame is no phrase that must stand so in a text, and still one of a frame."""
    return _QUOTED.sub(r"'\1'", question) if 'File "' in question else question


def _frame(match: re.Match[str], question: str) -> Frame | None:
    if match["file"]:
        return Frame(_parts(match["file"]), int(match["at"]), match["function"] or "")
    if match["named"]:
        packages = [part for part in match["owner"].split(".")[:-1] if part[:1].islower()]
        return Frame((*packages, match["named"]), int(match["number"]), match["method"])
    path, line = _parts(match["path"]), match["line"]
    if line is None and len(path) < 2:
        return None
    begin = question.rfind("\n", 0, match.start()) + 1
    before = question[max(begin, match.start() - _BESIDE) : match.start()]
    calls = (_WITHIN.match(question, match.end()) or _CALLS.search(before)) if line else None
    return Frame(path, int(line) if line else None, re.split(r"[.#]", calls[1])[-1] if calls else "")


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in _SEPARATORS.split(path) if part not in ("", ".", "..", "~"))
