"""What a page or section is called, as one term: its telling words, stemmed (`The Zen of Python` is `zen python`)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from biblicus.text.terms import analysis, identifiers, parameters, symbols

MOST = 5
"""Terms of one title."""
_MOST_SPELLED = 24
"""The same where it lists options, as they are spelled: `/w, /W0, /W1 … /WX`."""
MOST_WORDS = 6
"""Words of a term: what is longer is a sentence, and nobody asks for all of it."""

_ASIDE = re.compile(r"(?:\s*[(\[][^)\]]*[)\]]){1,4}\s*$")
_NUMBER = re.compile(
    r"(?:chapter|appendix|part|section)?\s*(?:\(?\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|(?<=\s)[A-Z])[.:)]?\s+", re.IGNORECASE
)
_VERSION = re.compile(r"\s+v?\d+(?:\.\d+)+\s*$", re.IGNORECASE)
_EXTENSION = re.compile(r"(?<=[^\s.])\.[a-z]\w{0,4}$", re.IGNORECASE)
_DEFINING = (
    *("abstract", "async", "class", "classmethod", "const", "def", "enum", "exception", "fn", "func", "function"),
    *("method", "property", "static", "staticmethod", "struct", "type"),
)
_DEFINED = re.compile(rf"(?:(?:{'|'.join(_DEFINING)}) )*@?((?:\w+(?:\.|::))*(\w+)) ?(?:\(.*)?$", re.DOTALL)
_CONSTRUCTOR = re.compile(r"(?:.*(?:\.|::))?(\w+)(?:\.|::)\1")
"""What makes a thing, and is no name of that: `Slip::Slip`."""
_OPTIONS = re.compile(r"(?<=\w)\s+(?:\[[^\]]*\]\S*|<\w[^>]*>\S*|--?\w\S*|\.\.\.|[|(){}]|\s)+$")
_OPTION_MARK = re.compile(r"[\[<|(){}-]|\.\.\.|\s$")
"""What one of these options has at least."""
_ARGUMENTS = re.compile(r"(?:\s+\[?[A-Z][A-Z_|-]+[\].…]*)+$")
_VALUE = re.compile(r"(?<=\w)[ =](?:[A-Z][A-Z_]*|[a-z][\w.-]*|<[^>]*>|\[[^\]]*\])$")
_OF_A_KIND = re.compile(
    r"(?:the )?(\S+) (?:(directive)|option|setting|parameter|function|method|class|command|variable|macro|attribute"
    r"|module|property|keyword|type|event|hook|operator|statement|tag|element|extension|plug-?in|package|library"
    r"|middleware|interface|structure|struct|enum|trait|component|widget|exception|signal|flag)\W*",
    re.IGNORECASE,
)
_MANUAL = re.compile(r"\s*([\w.+-]+)\(\d\w{0,4}\)\s*")
"""What a manual page is called, with the number of its section."""
_PARTS = re.compile(r"\s+(?:[–—|]|-{1,3})\s+|:\s+")
_DIVIDES = re.compile(r"[–—|:-]")
_THREE_DIGITS = re.compile(r"\d{3}")
_CODE = re.compile(r"(?<!\w)(?=\w*[a-z])(?=\w*\d{3})\w+")
_CODED = re.compile(
    r"(?:[A-Z]{1,4}\d{1,5}(?:\.\d{1,3})?(?:[ \t]*[,/][ \t]*|[ \t]+(?:and[ \t]+)?)){1,8}(?=[A-Z(][^\d\s])"
)
"""Codes with what they stand for: `M6 Tool change`, `M3, M4, M5 Spindle control`."""
_ONE_CODE = re.compile(r"[a-z]{1,4}\d{1,5}(?:\.\d{1,3})?")
_LEADERS = "...."
_MOST_MARKS, _LONGEST = 6, 101
"""Marks and characters of a heading in Markdown at most."""
LONGEST = 300
"""Characters of a heading that count where it is shown; what is longer is a paragraph with a mark before it."""
_MARKUP = re.compile(
    r"(?P<code>`{1,8})(?P<verbatim>[^`]+)(?P=code)"
    r"|!?\[(?P<link>[^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])"
    r"|</?(?:a|b|br|code|em|font|i|img|kbd|small|span|strong|sub|sup|u)\b[^<>]*>"
    r"|<(?-i:[A-Z])[\w.]*\s+[\w-]+=[^<>]*>|<(?-i:[A-Z])[\w.]*\s*/>|</(?-i:[A-Z])[\w.]*>"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?<!\w)_{1,2}(?P<emphasis>[^_]+)_{1,2}(?!\w)"
    r"|\{[#.:][^{}]*\}|\*{1,3}|~~",
    re.IGNORECASE,
)
MARKED = re.compile(r"[`*_\[<\\&{~]")
"""What a heading in Markdown has that is not its plain words."""
MARKDOWN = ("text/markdown", "text/troff", "text/asciidoc", "text/org", "text/x-info", "text/x-wiki")
"""Types whose text is Markdown as it is read."""
WRITTEN = ("text/plain", "text/x-rst", *MARKDOWN)
"""Types that people write as text."""
PAGES = (
    *("text/html", "application/xhtml+xml", "multipart/related", "application/docbook+xml", "application/dita+xml"),
    *("application/tei+xml", "application/jats+xml", "application/x-mallard+xml"),
)
"""Types whose text is that of a page of the web."""
_UNDERLINED = re.compile(r"^(?![.\s])(.{2,100})\n([=~^*+#_:.`'\"-])\2{2,}[ \t]*$", re.MULTILINE)
NUMBERED_LINE = re.compile(
    r"^[ \t]*(?:\d{1,2}(?:\.\d{1,3}){1,4}\.?|[A-Z](?:\.\d{1,3}){1,4}\.?)[ \t\xa0]+"
    r"(?=[^\W\d_])((?:[^\s]+[ \t]+){0,9}[^\s]+)(?<![.,;:!?])[ \t]*$(?!\n[ \t]*[a-zà-öø-ÿα-ωа-яё])",
    re.MULTILINE,
)
"""A line of a PDF or a page that is a heading by the two numbers before it at least, with no line that goes on from it:
`4.11. Shared data`."""
PDF = "application/pdf"
_ALONE = re.compile(
    r"(?:\A|(?<=\n\n))([A-Z0-9\u2026\u00c0-\u04ff][^\n|]{2,100})\n\n(?![-*|`])"
    r"(?=[^\n]{60}|(?:[^\n]{1,59}\n\n)?1\. |[^\n|]{1,40}: \| )"
)
_TAGGED = re.compile(
    r"^[ \t]{0,8}(?:<(?:div|p|center|a)\b[^<>\n]{0,200}>[ \t]*)?(<h([1-6])\b[^<>]{0,300}>)"
    r"((?:(?!</?h[1-6]\b).){1,800}?)</h\2[ \t]*>",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_UNSEEN = re.compile(r"^[ \t]{0,8}<!--|-->|^ {0,3}<pre\b|</pre\b", re.MULTILINE | re.IGNORECASE)
_CLOSES = {"<!--": "-->", "<pre": "</pre"}
_INDENTED, _ABOVE = 3, 2_000
"""Blanks before a tag at most, where it is no code; characters above that are looked at."""
_TAGS, _ALT = re.compile(r"<[^<>]*>|!?\[\]\([^()]*\)"), re.compile(r"\balt=\"([^\"<>]{1,100})\"")
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.|ura)|table|tab\.|tabelle|tabla|tabela|tableau|tabella|abb(?:ildung|\.)|example|beispiel|ejemplo"
    r"|exemplo|exemple|esempio|рис(?:унок|\.)|таблица|пример|图|圖|図|表|例) ?\d",
    re.IGNORECASE,
)
"""What stands below a figure or above a table."""
_APART = re.compile(r"(?:\A|(?<=\n\n))([^\W_][^\n|]{2,100})(?<![.,;])\n\n(?=[^\n])")
"""A line of a PDF that stands apart, as its extraction sets its headings."""

_OPTION = r"[`*]{0,3}(?:--?|/)[A-Za-z][\w-]*(?:[ =]?[<\[A-Z][^`*,/|:\s]{0,30})?[`*]{0,3}"
_OPTION_ITEM = re.compile(
    rf"^[ \t]{{0,8}}(?:[-*+][ \t]+|\|[ \t]*)(?P<names>{_OPTION}(?:[ \t]*(?:,|/|\||or\b)[ \t]*{_OPTION}){{0,3}})",
    re.MULTILINE,
)
"""How an item of a list, or a row of a table, begins that tells of an option: `* `-t/--trim`: …`, `|**/MD**|`."""
_NAMED_ROW = re.compile(
    r"^[ \t]{0,8}\|[ \t]*(?:\*\*|\[)?`(?P<name>[^`|\s]{2,60})`(?:\*\*|\]\(#[^()|\s]{0,200}\))?[ \t]*\|"
    r"(?=[^|\n]*[^\W\d])",
    re.MULTILINE,
)
"""A row of a table whose first cell is a name in code alone: `| `json-file` | The default driver. |`. What leads to
another page is told there."""
_BEGIN_OPTIONS = ("`-", " -", "*-", "|-", "`/", "*/", "|/")
"""What stands in each text whose options are told of."""
_NAMED_ENTRY = re.compile(r"\n[ \t]*+(?:[-*+][ \t]++|\|[ \t]*+)(?:[*`]|\[`|(?:--?|/)[A-Za-z])")
"""How the line of each of these begins, and an item of a list that begins with a name (see `defining`)."""

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
    entries, too; of pages the short lines by themselves above longer ones and the numbered ones, of PDF these and
    the lines that stand apart. None in others."""
    if media_type == "text/plain":
        from biblicus.text.headings import plain_headings  # lazy: a question needs none

        return [heading.title for heading in plain_headings(text)]
    if media_type in PAGES:
        lines = (match[1] for match in _ALONE.finditer(text))
        alone = [line for line in lines if line[-1] not in ".,;:!" and not _CAPTION.match(line)]
        return [*dict.fromkeys((*alone, *(line for line in _numbered(text) if f"{line}\n\n" in text)))]
    if media_type == PDF:
        apart = (match[1] for match in _APART.finditer(text))
        return [*dict.fromkeys((*(NUMBERED_LINE.sub(r"\1", line) for line in _numbered(text)), *apart))]
    if media_type == "text/x-rst":
        underlined = [match[1] for match in _UNDERLINED.finditer(text)]
        return [*underlined, *(match[3] for match in ENTRIES.finditer(text) if match[3])]
    if media_type not in MARKDOWN:
        return []
    at = 0 if text.startswith("#") else text.find("\n#") + 1 or -1
    fences: list[int] | None = None
    headings = []
    while at >= 0:
        end = text.find("\n", at)
        if heading := _hashed(text[at : end if end >= 0 else None]):
            if fences is None and at:
                fences = _fence_lines(text)
            if not fences or not bisect_left(fences, at) % 2:
                headings.append(heading)
        at = text.find("\n#", end) + 1 or -1 if end >= 0 else -1
    if media_type == MARKDOWN[0]:
        if told := parameters.parameters(text):
            headings += [one.name for one in parameters.outside(told, _fences(text))]
        headings += [" ".join(_TAGS.sub(" ", words).split()) for _, _, _, words in tagged(text)]
    return headings


def plain_words(line: str) -> str:
    """The plain words of a heading line: no closing marks, links by their text, no emphasis, entities resolved."""
    line = line[: 4 * LONGEST].strip()
    if line.endswith("#"):
        bare = line.rstrip("#")
        line = bare.rstrip() if not bare or bare[-1] in " \t" else line
    if MARKED.search(line):
        line = _MARKUP.sub(_unmarked, line)
    if "&" in line:
        import html  # lazy: a plain question needs no entities

        line = html.unescape(line)
    return " ".join(line.split())[:LONGEST]


def _unmarked(mark: re.Match[str]) -> str:
    return mark["verbatim"] or mark["link"] or mark["escaped"] or mark["emphasis"] or ""


@lru_cache(maxsize=4)
def has_named_entries(text: str) -> bool:
    """Whether an item of a list, or a row of a table, begins with what may be a name: most texts have none, and one
    look at their lines saves those for options, rows and terms."""
    return _NAMED_ENTRY.search(f"\n{text}") is not None


def option_items(text: str, media_type: str) -> list[str]:
    """The options that items of lists, and rows of tables, tell of in a text that is read as Markdown."""
    if media_type not in MARKDOWN or not has_named_entries(text) or not any(sign in text for sign in _BEGIN_OPTIONS):
        return []
    return [match["names"] for match in _OPTION_ITEM.finditer(text)]


def row_names(text: str, media_type: str) -> list[str]:
    """The names in code that rows of tables begin with in a text that is read as Markdown, but for options."""
    if media_type != MARKDOWN[0] or "`" not in text or "|" not in text or not has_named_entries(text):
        return []
    return [match["name"] for match in _NAMED_ROW.finditer(text) if not match["name"].startswith("-")]


def tagged(text: str, start: int = 0) -> Iterator[tuple[int, int, int, str]]:
    """The headings that Markdown has as tags of HTML, outside of code: where each begins and ends, its level, what
    stands within. The name of a picture stands for one that has no words."""
    if "<" not in text or ("<h" not in text and "<H" not in text):
        return
    fences, unseen = _fences(text), _unseen(text)
    for match in _TAGGED.finditer(text, start):
        at = match.start(1)
        line = text.rfind("\n", 0, at) + 1
        if bisect_left(unseen, at) % 2 or (text[line:at].isspace() and at - line > _INDENTED and _is_code(text, line)):
            continue
        within = match[3]
        if _TAGS.sub("", within).isspace() or not _TAGS.sub("", within):
            within = " ".join(_ALT.findall(within))
        if within and not bisect_left(fences, line) % 2:
            yield line, match.end(), int(match[2]), within


def _numbered(text: str) -> Iterator[str]:
    """The lines that are headings by their numbers."""
    return (match[0].strip() for match in NUMBERED_LINE.finditer(text) if _LEADERS not in match[0])


def _hashed(line: str) -> str:
    """The plain words of a line that begins with `#`; empty where it is no heading."""
    marked = line.lstrip("#")
    words = marked.lstrip(" \t")
    if len(marked) == len(words) or len(line) - len(marked) > _MOST_MARKS or words[:1].isspace():
        return ""
    heading = words.rstrip("#").rstrip(" \t") or words[:1]
    heading = plain_words(heading) if MARKED.search(heading) else heading
    return heading if len(heading) <= _LONGEST else ""


def _fence_lines(text: str) -> list[int]:
    """Where the lines begin that open or close a fence, ascending."""
    begins = set()
    for mark in ("```", "~~~"):
        at = text.find(mark) if mark[0] in text else -1
        while at >= 0:
            line = text.rfind("\n", 0, at) + 1
            if not text[line:at].strip(" >\t"):
                begins.add(line)
            end = text.find("\n", at)
            at = text.find(mark, end) if end >= 0 else -1
    return sorted(begins)


def _fences(text: str) -> list[int]:
    """The same, of those that do: a fence is closed by as many marks at least as opened it, alone on their line."""
    fences, opened = [], ""
    for line in _fence_lines(text):
        end = text.find("\n", line)
        written = text[line : end if end >= 0 else None].strip(" >\t\r")
        rest = written.lstrip(written[0])
        if (written.startswith(opened) and not rest) if opened else (written[0] == "~" or "`" not in rest):
            fences.append(line)
            opened = "" if opened else written[: len(written) - len(rest)]
    return fences


def _unseen(text: str) -> list[int]:
    """Where comments of HTML and what is shown as it is written begin and end, in turn."""
    bounds: list[int] = []
    closes = ""
    for match in _UNSEEN.finditer(text):
        mark = match[0].strip().lower()
        if mark == closes:
            bounds.append(match.end())
            closes = ""
        elif not closes and mark in _CLOSES:
            bounds.append(match.start())
            closes = _CLOSES[mark]
    return bounds[:-1] if closes else bounds


def _is_code(text: str, line: int) -> bool:
    """Whether an indented line is code, and not part of what a tag above it begins."""
    above = text.rfind("\n\n", max(0, line - _ABOVE), line)
    begin = above + 2 if above >= 0 else max(0, line - _ABOVE)
    return not text[begin : begin + _INDENTED + 1].lstrip(" \n").startswith("<")


@lru_cache(maxsize=65_536)
def terms(title: str, stemmer: str, stop_list: str) -> tuple[str, ...]:
    """The terms of a title: of the whole, of what is left without the brackets or the version at its end, a file's
    extension, the number before it, the options after it (`pop [--index]`) or what it is (`KeepAlive Directive`), of
    the parts that a dash or colon divides, of what it defines (`lru_cache` of `@functools.lru_cache(maxsize=128)`), and
    of each code in it (`LNK2019`; three digits at least). Options and joined names are terms as they are spelled, too
    (`=--strict`)."""
    title = analysis.normalised(title)
    bare = without_number(title)
    bare = bare if " " in bare or "." not in bare else _EXTENSION.sub("", bare)
    named = without_kind(bare) if " " in bare else bare
    defined = None if _is_phrase(named) else _DEFINED.match(named)
    names = () if defined is None or _CONSTRUCTOR.fullmatch(defined[1]) else defined.groups()
    is_plain = bare.isascii() and bare.replace(" ", "").isalnum()  # no mark divides it or stands behind it
    wordings: dict[str, None]
    if is_plain:
        parts = [bare]
        wordings = dict.fromkeys((title, *names, without_options(bare), bare, named))
    else:
        parts = _PARTS.split(bare) if _DIVIDES.search(bare) else [bare]
        pages = [match[1] for match in map(_MANUAL.fullmatch, parts) if match] if "(" in bare else ()
        parts = [*pages, *parts, *_names_of_one(bare)]
        wordings = dict.fromkeys((title, *names, without_options(bare), _without_aside(bare), named, *parts))
    whole = []
    for wording in wordings:
        words = telling(identifiers.with_symbols(wording), stemmer, stop_list)
        if 0 < len(words) <= MOST_WORDS:
            whole.append(" ".join(words))
    asked_for = symbols.alone(parts[0]) if parts[0].endswith("?") else ""  # "What is RCU?"
    spelled = symbols.exact("" if is_plain else bare.partition("(")[0], *(names[1:] or (asked_for,)))
    codes = _CODE.findall(title.lower()) if not title.isalpha() and _THREE_DIGITS.search(title) else []
    if coded := _CODED.match(title):
        codes += _ONE_CODE.findall(coded[0].lower())
    most = max(MOST, min(len(spelled) + 1, _MOST_SPELLED))
    return tuple(dict.fromkeys((*whole[:1], *spelled, *whole[1:], *codes)))[:most]


@lru_cache(maxsize=65_536)
def endings(title: str, stemmer: str, stop_list: str) -> tuple[str, ...]:
    """The ends of a title as terms, each at least half of its telling words: `code conduct` of `Contributor Covenant
    Code of Conduct`, `autoincrement` of `SQLite Autoincrement`. Names of things end with what they are."""
    title = without_number(analysis.normalised(title))
    words = telling(title, stemmer, stop_list)
    if not 1 < len(words) <= MOST_WORDS or symbols.exact(title) or len(words) > len(title.split()):
        return ()
    return tuple(" ".join(words[at:]) for at in range(1, len(words) // 2 + 1))


def _is_phrase(title: str) -> bool:
    """Whether a title is words that define nothing (see `_DEFINED`), as most are."""
    return "(" not in title and " " in title.strip() and title.partition(" ")[0] not in _DEFINING


def _names_of_one(title: str) -> list[str]:
    """The names that a title only lists, each one word and some no plain one: `+short, +noshort`."""
    names = title.split(", ") if ", " in title else []
    are_names = not any(" " in name or name.startswith("-") for name in names)
    return names if are_names and not all(name.isalnum() for name in names) else []


def without_number(title: str) -> str:
    """A title without the number before it: `4.2 Fees`, `Section D  How to claim`."""
    numbered = _NUMBER.match(title)
    return title[numbered.end() :] if numbered else title


def _without_aside(title: str) -> str:
    """A title without the brackets, then without the version, at its end."""
    if ")" in title or "]" in title:
        title = _ASIDE.sub("", title)
    return _VERSION.sub("", title) if "." in title else title


def without_options(name: str) -> str:
    """A command's name without what may stand after it: `pop [--index] [<stash>]` and `pop STASH...` are `pop`,
    `-k EXPRESSION` and `-k name` are `-k`."""
    if name.startswith("-"):
        return _VALUE.sub("", name)
    if name[:1].islower() and not name[-1:].islower():
        name = _ARGUMENTS.sub("", name)
    return _OPTIONS.sub("", name) if _OPTION_MARK.search(name) else name


def without_kind(title: str, *, is_of_a_name: bool = False) -> str:
    """A name without what kind of thing it is: `KeepAlive Directive`, `getUser() method`. A plain word stays as it is,
    for a `window class` is no window; what is called a directive is a name in any spelling, and so `is_of_a_name`."""
    match = _OF_A_KIND.fullmatch(title)
    is_name = match is not None and (
        is_of_a_name or match[2] is not None or symbols.spelled_as_a_name(match[1].strip("`*\"'()"))
    )
    return match[1] if match is not None and is_name else title


def telling(text: str, stemmer: str, stop_list: str) -> list[str]:
    """The words of a text, stemmed, that are no stop words; all of them where there are no others."""
    if stop_list and (options := analysis.options_in(text)):
        return _telling_options(text, stemmer, stop_list, options)
    if not text.isascii() or "'" in text:
        text = analysis.bigrams(analysis.without_endings(text, (stemmer,)) if stop_list else text)
    return analysis.terms(text, stemmer, stop_list) or analysis.terms(text, stemmer)


def _telling_options(text: str, stemmer: str, stop_list: str, options: frozenset[str]) -> list[str]:
    """The same of a text that names options, whose letters may be stop words elsewhere: `winch -a`."""
    text = analysis.bigrams(analysis.without_endings(text, (stemmer,)))
    content = options.union(analysis.plain_analyzer(stop_list).analyze(text))
    words = zip(analysis.plain_analyzer().analyze(text), analysis.analyzer(stemmer).analyze(text), strict=True)
    return [term for word, term in words if word in content]
