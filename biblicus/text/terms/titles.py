"""What a page or section is called, as one term: its telling words, stemmed (`The Zen of Python` is `zen python`)."""

from __future__ import annotations

import re
from functools import lru_cache

from biblicus.text.terms import analysis, identifiers, symbols

MOST = 5
"""Terms of one title."""
MOST_WORDS = 6
"""Words of a term: what is longer is a sentence, and nobody asks for all of it."""

_ASIDE = re.compile(r"\s*[(\[][^)\]]*[)\]]\s*$")
_NUMBER = re.compile(
    r"(?:chapter|appendix|part|section)?\s*(?:\(?\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|(?<=\s)[A-Z])[.:)]?\s+", re.IGNORECASE
)
_VERSION = re.compile(r"\s+v?\d+(?:\.\d+)+\s*$", re.IGNORECASE)
_EXTENSION = re.compile(r"(?<=[^\s.])\.[a-z]\w{0,4}$", re.IGNORECASE)
_DEFINED = re.compile(
    r"(?:(?:abstract|async|class|classmethod|const|def|enum|exception|fn|func|function|method|property|static"
    r"|staticmethod|struct|type) )*@?((?:\w+(?:\.|::))*(\w+)) ?(?:\(.*)?$",
    re.DOTALL,
)
_OPTIONS = re.compile(r"(?<=\w)\s+(?:\[[^\]]*\]\S*|<\w[^>]*>\S*|--?\w\S*|\.\.\.|[|(){}]|\s)+$")
_ARGUMENTS = re.compile(r"(?:\s+\[?[A-Z][A-Z_|-]+[\].…]*)+$")
_VALUE = re.compile(r"(?<=\w)[ =](?:[A-Z][A-Z_]*|<[^>]*>|\[[^\]]*\])$")
_PARTS = re.compile(r"\s+(?:[–—|]|-{1,3})\s+|:\s+")
_CODE = re.compile(r"(?<!\w)(?=\w*[a-z])(?=\w*\d{3})\w+")
_HASHED = re.compile(r"#{1,6}[ \t]+(\S.{0,100}?)[ \t]*#*$")
_FENCES = ("```", "~~~")
MARKDOWN = ("text/markdown", "text/troff", "text/asciidoc", "text/org", "text/x-info")
"""Types whose text is Markdown as it is read."""
_UNDERLINED = re.compile(r"^(?![.\s])(.{2,100})\n([=~^*+#_:.`'\"-])\2{2,}[ \t]*$", re.MULTILINE)
_ALONE = re.compile(r"(?:\A|(?<=\n\n))([A-Z0-9\u2026\u00c0-\u04ff][^\n|]{2,100})\n\n(?![-*|`])(?=[^\n]{60})")


ENTRIES = re.compile(
    r"^([ \t]*)\.\.[ ]+(?:\w[\w-]*[:-])?(function|(?:class|static)?method|class|exception|data|attribute|property"
    r"|decorator|option|cmdoption|envvar|confval|setting|macro|type|struct|enum|describe|object"
    r"|templatetag|templatefilter|fieldlookup|glossary)::"
    r"(?:[ \t]+(.+?))?[ \t]*$",
    re.MULTILINE,
)
"""A directive of reStructuredText under which a name is explained: what it is indented by, its kind, the name."""


def within(text: str, media_type: str) -> list[str]:
    """The headings in a text that is read as Markdown, plain text or reStructuredText, of this the names of its
    entries, too; of HTML the short lines by themselves above longer ones. None in others."""
    if media_type == "text/plain":
        from biblicus.text.headings import plain_headings  # lazy: a question needs none

        return [heading.title for heading in plain_headings(text)]
    if media_type == "text/html":
        return [match[1] for match in _ALONE.finditer(text) if match[1][-1] not in ".,;:!"]
    if media_type == "text/x-rst":
        underlined = [match[1] for match in _UNDERLINED.finditer(text)]
        return [*underlined, *(match[3] for match in ENTRIES.finditer(text) if match[3])]
    if media_type not in MARKDOWN or "#" not in text:
        return []
    headings, fenced = [], False
    for line in text.split("\n"):
        if line.lstrip(" >\t").startswith(_FENCES):
            fenced = not fenced
        elif not fenced and (match := _HASHED.match(line)):
            headings.append(match[1])
    return headings


@lru_cache(maxsize=65_536)
def terms(title: str, stemmer: str, stop_list: str) -> tuple[str, ...]:
    """The terms of a title: of the whole, of what is left without the brackets or the version at its end, a file's
    extension, the number before it or the options after it (`pop [--index]`), of the parts that a dash or colon
    divides, of what it defines (`lru_cache` of `@functools.lru_cache(maxsize=128)`), and of each code in it
    (`LNK2019`; three digits at least). Options and joined names are terms as they are spelled, too (`=--strict`)."""
    title = analysis.normalised(title)
    bare = _unnumbered(title)
    bare = bare if " " in bare else _EXTENSION.sub("", bare)
    names = defined.groups() if (defined := _DEFINED.match(bare)) else ()
    plain = (without_options(bare), _VERSION.sub("", _ASIDE.sub("", bare)))
    parts = _PARTS.split(bare)
    wordings = dict.fromkeys((title, *names, *plain, *parts))
    called = (telling(identifiers.with_symbols(wording), stemmer, stop_list) for wording in wordings)
    whole = [" ".join(words) for words in called if 0 < len(words) <= MOST_WORDS]
    asked_for = symbols.alone(parts[0]) if parts[0].endswith("?") else ""  # "What is RCU?"
    spelled = symbols.exact(bare.partition("(")[0], *(names[1:] or (asked_for,)))
    return tuple(dict.fromkeys((*whole[:1], *spelled, *whole[1:], *_CODE.findall(title.lower()))))[:MOST]


@lru_cache(maxsize=65_536)
def endings(title: str, stemmer: str, stop_list: str) -> tuple[str, ...]:
    """The ends of a title as terms, each at least half of its telling words: `code conduct` of `Contributor Covenant
    Code of Conduct`, `autoincrement` of `SQLite Autoincrement`. Names of things end with what they are."""
    title = _unnumbered(analysis.normalised(title))
    words = telling(title, stemmer, stop_list)
    if not 1 < len(words) <= MOST_WORDS or symbols.exact(title) or len(words) > len(title.split()):
        return ()
    return tuple(" ".join(words[at:]) for at in range(1, len(words) // 2 + 1))


def _unnumbered(title: str) -> str:
    numbered = _NUMBER.match(title)
    return title[numbered.end() :] if numbered else title


def without_options(name: str) -> str:
    """A command's name without what may stand after it: `pop [--index] [<stash>]` and `pop STASH...` are `pop`,
    `-k EXPRESSION` is `-k`."""
    if name.startswith("-"):
        return _VALUE.sub("", name)
    return _OPTIONS.sub("", _ARGUMENTS.sub("", name) if name[:1].islower() else name)


def telling(text: str, stemmer: str, stop_list: str) -> list[str]:
    """The words of a text, stemmed, that are no stop words; all of them where there are no others."""
    text = analysis.bigrams(analysis.without_endings(text) if stop_list else text)
    return analysis.telling_analyzer(stemmer, stop_list).analyze(text) or analysis.analyzer(stemmer).analyze(text)
