"""Extractor of source code in languages other than Python: definitions as headings, found with tree-sitter.

Macros that stop the grammars are blanked for a second reading.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.kit.texts import OfText, Options
from biblicus.extraction.source_code import syntax
from biblicus.models.extraction import Extraction, NoExtraction

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

    from biblicus.models.extraction import Heading

_TYPESCRIPT = "tree_sitter_typescript"
_GRAMMARS: Mapping[str, Sequence[tuple[str, str]]] = {
    "text/javascript": [("tree_sitter_javascript", "language")],
    "text/x-typescript": [(_TYPESCRIPT, "language_typescript"), (_TYPESCRIPT, "language_tsx")],
    **{f"text/x-{name}": [(f"tree_sitter_{name}", "language")] for name in ("go", "rust", "java", "ruby")},
    "text/x-c": [("tree_sitter_c", "language"), ("tree_sitter_cpp", "language")],
    "text/x-c++": [("tree_sitter_cpp", "language")],
    "text/x-csharp": [("tree_sitter_c_sharp", "language")],
    "text/x-php": [("tree_sitter_php", "language_php")],
    "text/x-shellscript": [("tree_sitter_bash", "language")],
}
"""Grammars by media type; if one reports errors, the next is tried."""
_MOST_FAULTS = 1_000
_SECONDS, _PATIENCE = 2.0, 5
"""Maximum CPU seconds for all parses of a file, and the factor for wall-clock time on a busy machine. A thousand lines
take 10 ms, but `|-|-|-…` takes time that grows with the square of its length."""
_SLOW = "its grammar could not read it in time: it is cut by lines"
_BLOCK = 1 << 12
"""Bytes read at a time by the parser."""
_MACRO = r"(?<![\w#])(?:[A-Z][A-Z0-9]*_[A-Z0-9_]*|Q_\w+)(?![\w.]|::)"
_ARGUMENTS = r"(?:[ \t]*\((?:[^()\n]|\([^()\n]*\)){0,200}\))?"
_OF_C = re.compile(
    rf"//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
    rf"|^[ \t]*(?P<alone>(?:{_MACRO}{_ARGUMENTS}[ \t]*)+:?)(?=[ \t]*(?://[^\n]*)?$(?!(?<=\))\s*\{{))"
    rf"|(?P<before>{_MACRO}{_ARGUMENTS})(?=\s+(?:[\w:<>,*& \t]{{1,200}}[ \t*&]|[\w:<>, ]{{1,200}}::)"
    r"~?[\w:<>~]{1,100}\s*[\(;={\[])"
    rf"|(?P<default>=[ \t]*\{{\}})(?=\s*[,)])"
    rf"|(?<=[\w)}}])[ \t]+(?P<behind>{_MACRO}{_ARGUMENTS})"
    r"(?=\s*(?:[;{]|=[ \t]*(?:0|default|delete)\b|const\b|override\b|noexcept\b))"
    rf"|\b(?:class|struct|union|enum|namespace)[ \t]+(?P<of_type>{_MACRO}{_ARGUMENTS})(?=\s+\w)",
    re.MULTILINE | re.DOTALL,
)
"""Comments, directives and strings, which are skipped, then macros to blank. Macros count alone on a line, before a
type and a name, after arguments, and between `class` and its name. An empty default argument is blanked as well, as the
grammar does not know it."""
_CONDITION = re.compile(
    r"^(?P<condition>[ \t]*\#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b(?:[^\n\\]|\\(?!\n))*)", re.MULTILINE
)
"""A preprocessor condition on one line."""


class TreeSitter(OfText):
    """Extractor that keeps the parse with most definitions in excess of errors, if none is free of errors."""

    guarded = True

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._seconds = seconds
        modules = sorted({module for grammars in _GRAMMARS.values() for module, _ in grammars})
        names = ["tree_sitter", *modules]
        parts = [f"{name.removeprefix('tree_sitter_')} {version(name.replace('_', '-'))}" for name in names]
        self.fingerprint = f"tree-sitter/7 {' '.join(parts)}"
        self._parsers: dict[tuple[str, str], Parser] = {}

    def read(self, text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
        best: list[Heading] = []
        most = 0
        until = time.thread_time() + self._seconds, time.monotonic() + self._seconds * _PATIENCE
        for written in readings(text, hint.media_type):
            for grammar in _GRAMMARS.get(hint.media_type, ()):
                root = self._root(grammar, written, until)
                if root is None:
                    return Extraction(text, headings=tuple(best), warnings=warnings if best else (*warnings, _SLOW))
                headings, faults = syntax.definitions(text, root), _faults(root)
                if not best or len(headings) - faults > most:
                    best, most = headings, len(headings) - faults
                if not faults:
                    return Extraction(text, headings=tuple(headings), warnings=warnings)
        return Extraction(text, headings=tuple(best), warnings=warnings)

    def _root(self, grammar: tuple[str, str], text: str, until: tuple[float, float]) -> Node | None:
        """Return the syntax tree of a text, or None if time runs out. `until`: CPU time of the thread, and wall-clock
        time."""
        raw = text.encode("utf-8", "replace")
        parser = self._parser(grammar)

        def block(at: int, point: object) -> bytes:  # a copy, since nodes may outlive the buffer
            return raw[at : at + _BLOCK]

        def is_late(at: int, has_error: bool) -> bool:
            return time.thread_time() > until[0] or time.monotonic() > until[1]

        try:
            return parser.parse(block, progress_callback=is_late).root_node
        except ValueError:  # parsing was stopped
            parser.reset()
            return None

    def _parser(self, grammar: tuple[str, str]) -> Parser:
        if grammar not in self._parsers:
            from tree_sitter import Language, Parser

            module, name = grammar
            self._parsers[grammar] = Parser(Language(getattr(import_module(module), name)()))
        return self._parsers[grammar]


def _faults(root: Node) -> int:
    """Return the number of syntax errors, at most 1,000."""
    count, pending = 0, [root]
    while pending and count < _MOST_FAULTS:
        node = pending.pop()
        if node.has_error:
            count += node.is_error or node.is_missing
            pending.extend(node.children)
    return count


def build(options: Options, given: Given) -> Extractor:
    return TreeSitter()


def readings(text: str, media_type: str) -> Iterator[str]:
    """Yield the variants of a text to parse in turn until one has no errors: unchanged, without macros, without
    conditions."""
    yield text
    if media_type in ("text/x-c", "text/x-c++"):
        without = _OF_C.sub(_blanked, text)
        yield from (reading for reading in (without, _CONDITION.sub(_blanked, without)) if reading != text)


def _blanked(match: re.Match[str]) -> str:
    name = match.lastgroup
    if name is None:
        return match[0]
    start, end = match.start(name) - match.start(), match.end(name) - match.start()
    return match[0][:start] + " " * (end - start) + match[0][end:]
