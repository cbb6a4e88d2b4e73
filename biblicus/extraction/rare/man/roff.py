"""The roff layer below macros: requests, conditions, strings and escapes; and the page that macros write.

Output is for a terminal: `.if n` is true, `.if t` and any other condition are false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from biblicus.extraction.kit.texts import nothing
from biblicus.models.extraction import ENTRY, Extraction, Heading, NoExtraction

_ENTRY_MARKS = "####"
_BULLETS = frozenset("•*o○□+·–—-")
_NUMBER = re.compile(r"(?:\(?\d{1,3}[.)]|\[\d{1,3}\]|[a-z][.)])$")
_LONGEST_TERM, _WORDS_OF_A_TERM = 120, 14
_BLANKS = re.compile(r"[ \t]+")
_ROW_ENDS = " |\n"


class Line(NamedTuple):
    """A line of input without escapes. `macro`: its macro, or empty for text; `args`: its arguments, or the text
    alone."""

    macro: str
    args: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.args)


_CALL = re.compile(r"[.'][ \t]*(\\?[^\s\\]+|\\\{)?[ \t]*(.*)$", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)\\[\"#].*$")
_CONDITION = re.compile(r"(!?)([nteo]|\S*)[ \t]*(.*)$", re.DOTALL)
_IGNORED = {"ig": "..", "de": "..", "de1": "..", "am": "..", "am1": ".."}
_MOST_LINES = 400_000
_MOST_CONDITIONS = 16
"""Maximum conditions on a line, since each is searched in the rest of it."""
_LONGEST_STRING = 80
"""Maximum characters of a defined string, since strings may contain others."""

_SPECIAL = {
    "aq": "'", "bu": "•", "em": "—", "en": "–", "hy": "-", "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "dq": '"',
    "co": "©", "rg": "®", "tm": "™", "ti": "~", "ha": "^", "ga": "`", "mi": "-", "pl": "+", "mu": "×", "eq": "=",
    "de": "°", "+-": "±", "->": "→", "<-": "←", "<=": "≤", ">=": "≥", "!=": "≠", "if": "∞", "rs": "\\", "sl": "/",
    "bv": "|", "ba": "|", "br": "|", "ul": "_", "at": "@", "sh": "#", "Do": "$", "Eu": "€", "Po": "£", "la": "⟨",
    "ra": "⟩", "lB": "[", "rB": "]", "lC": "{", "rC": "}", "sq": "□", "ci": "○", "dg": "†", "sc": "§", "ps": "¶",
    "12": "½", "14": "¼", "34": "¾", "Fo": "«", "Fc": "»", "fo": "‹", "fc": "›", "Bq": "„", "bq": "‚", "ss": "ß",
    "ae": "æ", "AE": "Æ", "o/": "ø", "O/": "Ø", "Tp": "þ", "*a": "α", "*b": "β", "*m": "µ", "mc": "µ", "*p": "π",
    "u2014": "—", "tno": "¬", "no": "¬", "or": "|", "ct": "¢", "r!": "¡", "r?": "¿", "S1": "¹", "S2": "²", "S3": "³",
}  # fmt: skip
_ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", ":": "\u0308", "~": "\u0303", ",": "\u0327", "o": "\u030a"}
_STRINGS = {
    "lq": "“", "rq": "”", "Lq": "“", "Rq": "”", "L": "“", "R": "®", "Tm": "™", "Aq": "'", "q": '"', "Ba": "|",
    "Le": "<=", "Ge": ">=", "Lt": "<", "Gt": ">", "Ne": "!=", "Pm": "±", "If": "∞", "Na": "NaN", "Am": "&", "C`": "",
    "C'": "", "-": "-", "PI": "π", "T<": "", "T>": "",
}  # fmt: skip
_NAMED = r"(?:\[([^\]\n]{0,60})\]|\((..)|(.))"
_QUOTED = r"(?:'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"|\.?[^'\"\s])"
_ESCAPE = re.compile(
    rf"\\(?:f{_NAMED}|\*{_NAMED}|(?:\((..)|\[([^\]\n]{{0,60}})\])|s[-+]?(?:\[[^\]\n]{{0,9}}\]|\(\d\d|[-+]?'[^'\n]{{0,9}}'|[1-3]?\d)"
    rf"|[nkFmMgVY][-+]?{_NAMED}|[hvwXDlLobRSHANB]{_QUOTED}|z(.)|C'([^'\n]{{0,60}})'|(.)|$)",
    re.DOTALL,
)
GUARD = "\ue001"
r"""Placeholder for `\&`: the punctuation after it is not special to macros."""
_PLAIN = {
    "&": GUARD, "-": "-", "e": "\\", "\\": "\\", " ": " ", "~": " ", "0": " ", "t": "\t", "'": "´", "`": "`", "_": "_",
    ".": ".",
}  # fmt: skip
"""Values of one-character escapes; any other is removed."""


def lines(source: str) -> Iterator[Line]:
    """Yield the lines of a source that have content, at most 400,000."""
    strings: dict[str, str] = {}
    until = ""
    was_true = skipped = False
    depth = 0
    for number, raw in enumerate(_joined(source)):
        if number > _MOST_LINES:
            return
        if until:
            until = "" if raw.replace("\\", "").strip() in (until, f".{until}", "'..") else until
            continue
        line = _COMMENT.sub(r"\1", raw)
        if raw != line and not line.strip():
            continue
        if depth and skipped:
            depth += line.count("\\{") - line.count("\\}")
            skipped = depth > 0
            continue
        conditions = 0
        while (
            line[:1] in (".", "'")
            and (call := _CALL.match(line))
            and call[1] in ("if", "ie", "el", "while")
            and conditions < _MOST_CONDITIONS
        ):
            conditions += 1
            rest = call[2]
            if call[1] == "el":
                holds = not was_true
            else:
                condition = _CONDITION.match(rest)
                holds, rest = _holds(condition) if condition else (False, "")
                was_true = holds if call[1] == "ie" else was_true
            opened = rest.count("\\{") - rest.count("\\}")
            if not holds:
                depth, skipped = (opened, True) if opened > 0 else (0, False)
                line = ""
                break
            line = rest.replace("\\{", "").lstrip()
            if not line.strip():
                line = ""
                break
        else:
            line = line.replace("\\}", "") if "\\}" in line else line
            if line[:1] in (".", "'") and (call := _CALL.match(line)):
                name = call[1] or ""
                if name in _IGNORED:
                    until = (call[2].split() or [""])[1] if len(call[2].split()) > 1 else _IGNORED[name]
                elif name == "ds":
                    key, _, value = call[2].partition(" ")
                    strings[key] = plain(value.lstrip().removeprefix('"'), strings)[:_LONGEST_STRING]
                elif name:
                    yield Line(name, tuple(plain(arg, strings) for arg in _arguments(call[2])))
                continue
            yield Line("", (plain(line, strings),))


def _joined(source: str) -> Iterator[str]:
    """Yield the lines, joined where a backslash at the end continues them."""
    joined_line = ""
    for line in source.split("\n"):
        line = line.rstrip("\r")
        if line.endswith("\\") and not line.endswith("\\\\"):
            joined_line += line[:-1]
            continue
        yield joined_line + line
        joined_line = ""
    if joined_line:
        yield joined_line


def _holds(condition: re.Match[str]) -> tuple[bool, str]:
    """Return the value of a condition on a terminal, and the text after it."""
    negated, name, rest = condition.groups()
    if name[:1] in "nteo" and len(name) > 1 and name[1:2] in ("\\", "."):
        name, rest = name[0], f"{name[1:]} {rest}"
    return (name == "n") != bool(negated), rest


def _arguments(written: str) -> Iterator[str]:
    """Yield the arguments of a macro; quotes group words, a doubled quote is a literal one."""
    at, end = 0, len(written)
    while at < end:
        if written[at] in " \t":
            at += 1
        elif written[at] == '"':
            close, value = at + 1, ""
            while close < end:
                if written[close] == '"':
                    if written[close + 1 : close + 2] != '"':
                        break
                    close += 1
                value += written[close]
                close += 1
            yield value
            at = close + 1
        else:
            begin = at
            while at < end and written[at] not in " \t":
                at += 2 if written[at] == "\\" else 1
            yield written[begin:at]


def plain(text: str, strings: dict[str, str]) -> str:
    """Return a text with its escapes replaced."""
    if "\\" not in text:
        return text

    def said(match: re.Match[str]) -> str:
        named = match[4] or match[5] or match[6]
        if named is not None:
            return strings.get(named, _STRINGS.get(named, ""))
        special = match[7] or match[8] or match[13]
        if special is not None:
            return _special(special)
        if match[12] is not None:
            return match[12]
        return _PLAIN.get(match[14], "") if match[14] is not None else ""

    return _ESCAPE.sub(said, text)


def _special(name: str) -> str:
    """Return a special character by its roff name."""
    if name in _SPECIAL:
        return _SPECIAL[name]
    if len(name) == 2 and name[0] in _ACCENTS and name[1].isalpha():
        import unicodedata

        return unicodedata.normalize("NFC", name[1] + _ACCENTS[name[0]])
    if match := re.fullmatch(r"u([0-9A-F]{4,6})(?:_[0-9A-F_]+)?", name):
        code = int(match[1], 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
    return ""


class Written:
    """Collects blocks: paragraphs, items, code, headings. The text of a block is joined on one line."""

    def __init__(self) -> None:
        self.title = ""
        self._blocks: list[tuple[str, tuple[int, str] | None]] = []
        self._open: list[str] = []
        self._code: list[str] | None = None
        self._item = ""

    def _add(self, text: str, heading: tuple[int, str] | None = None) -> None:
        """Add a block; a blank line separates it from the rows of a table above."""
        if self._blocks and self._blocks[-1][0].endswith(_ROW_ENDS) and not text.endswith(_ROW_ENDS):
            self._blocks[-1] = f"{self._blocks[-1][0]}\n", None
        self._blocks.append((text, heading))

    def heading(self, words: str, level: int) -> None:
        """Add a section heading; level 1 is the highest."""
        self.end()
        if words := _one_line(words):
            self._add(f"{'#' * (level + 1)} {words}\n\n", (level + 1, words))

    def entry(self, term: str) -> None:
        """Start an entry for an option, a command, a bullet or a number."""
        self.end()
        term = _one_line(term)
        if not term or term in _BULLETS:
            self._item = "- " if term else ""
        elif _NUMBER.match(term):
            self._item = f"{term} "
        elif _is_term(term):
            self._add(f"{_ENTRY_MARKS} {term}\n\n", (ENTRY, term))
        else:
            self._add(f"{term}\n\n")

    def say(self, text: str, *, joined: bool = False) -> None:
        """Add words to the open block, or a line to open code. `joined`: without a space before."""
        lines, text = (
            (self._open, text.strip()) if self._code is None else (self._code, text if joined else text.rstrip())
        )
        if joined and lines:
            lines[-1] += text
        elif text or self._code is not None:
            lines.append(text.rstrip())

    def indent(self) -> None:
        """Start indented text; a short line right before it becomes its term, as in DocBook's output."""
        words = _one_line(" ".join(self._open))
        if self._code is None and words and not self._item and _is_term(words):
            self._open = []
            self.entry(words)
        else:
            self.paragraph()

    def paragraph(self, text: str = "") -> None:
        """End the open block and add a paragraph."""
        if self._code is not None:
            self._code.append("")
            return
        self.end()
        if text:
            self._add(f"{_one_line(text)}\n\n")

    def row(self, cells: list[str]) -> None:
        """Add a row of a table."""
        self.end()
        self._add(f"| {' | '.join(_one_line(cell).replace('|', chr(92) + '|') for cell in cells)}{_ROW_ENDS}")

    def code(self, *, begins: bool) -> None:
        """Start or end code."""
        if begins and self._code is None:
            self.end()
            self._code = []
        elif not begins and self._code is not None:
            lines, self._code = self._code, None
            body = "\n".join(lines).replace(GUARD, "").strip("\n")
            if body.strip():
                self._add(f"```\n{body}\n```\n\n")

    def end(self) -> None:
        self.code(begins=False)
        if words := _one_line(" ".join(self._open)):
            bulleted = f"- {words[2:]}" if words.startswith("• ") else words
            self._add(f"{self._item}{bulleted}\n\n")
            self._item = ""
        self._open = []

    def extraction(self, warnings: tuple[str, ...]) -> Extraction | NoExtraction:
        """Return the page. Its title has the spelling of the section NAME: `GIT-LOG(1)` becomes `git-log(1)`."""
        self.end()
        self._add("")
        name, bracket, rest = self.title.partition("(")
        for (_, heading), (text, _) in zip(self._blocks, self._blocks[1:], strict=False):
            if heading and heading[1] == "NAME" and (written := text[: len(name)]).casefold() == name.casefold():
                self.title = written + bracket + rest
                break
        if self.title:
            self._blocks.insert(0, (f"# {self.title}\n\n", (1, self.title)))
        at, headings = 0, []
        for text, heading in self._blocks:
            headings += [Heading(at, *heading)] if heading else []
            at += len(text)
        full_text = "".join(text for text, _ in self._blocks)
        page = Extraction(full_text, headings=tuple(headings), title=self.title or None, warnings=warnings)
        return page if full_text.strip() else nothing()


def _is_term(words: str) -> bool:
    """Return True if the words are short enough for a term and do not end like a sentence."""
    return len(words) <= _LONGEST_TERM and len(words.split()) <= _WORDS_OF_A_TERM and words[-1] not in ".:;!?"


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", " ".join(text.replace(GUARD, "").split("\n"))).strip()
