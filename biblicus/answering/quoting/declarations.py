"""What is declared, quoted as it is written: the columns of a table, the fields of a message, the values of a type, and
what an operation of an API takes and gives; of one of them its line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from itertools import islice, takewhile

from biblicus.answering.packs.joining import spanned
from biblicus.answering.quoting import docstrings, entries
from biblicus.answering.quoting.question_terms import QuestionTerms, question_terms, stemmer_for, terms_in
from biblicus.answering.quoting.sections import Section
from biblicus.answering.reader.reading import comments
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import Unit, words
from biblicus.answering.reader.superlatives import Whole
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Span
from biblicus.text import manifest_names
from biblicus.text.terms import code_names

SURE = 0.75
"""How likely a declaration tells of what it declares."""
_PARTS = (
    r"columns?|fields?|members?|values?|constants|keys?|methods?|rpcs?|propert(?:y|ies)|attributes?|parameters?|arguments?"
    r"|states|cases|ind(?:exes|ices)|options|inputs?|outputs?|types?|defaults?|spalten|felder|werte|columnas|campos|valores"
    r"|colonnes|champs|valeurs"
)
_ASKS = re.compile(
    rf"\W*(?:(?:which|what|list|name|show)\b.{{0,30}}?\b(?:{_PARTS})\b|what (?:is|are|does)\b.{{0,60}}?\b"
    rf"(?:{_PARTS}|hold|holds|contain|contains|consist|consists)\b"
    rf"|(?:welche|qué|quels|quelles)\b.{{0,20}}?\b(?:{_PARTS})\b)",
    re.IGNORECASE,
)
_COLUMNS = re.compile(r"\b(?:columns?|spalten?|columnas?|colonnes?)\b", re.IGNORECASE)
_PART = re.compile(
    rf"(?:{_PARTS}|hold|contain|consist|table|message|enum|class|struct|service|schema|input)s?", re.IGNORECASE
)
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_NAME = re.compile(r"[\w$.-]*\w")
_WORD = re.compile(r"\w+")
_SQL = "text/x-sql"
_KEYED = ("application/yaml", "application/json", "application/toml")
_OF_KEYS = tuple(
    (re.compile(rf"(?:{asks})(?!\w)", re.IGNORECASE), keys.split())
    for asks, keys in (
        (r"\bstatus codes?|responses?", "responses"),
        (r"\bparameters?|arguments?|takes?|accepts?|query", "parameters requestBody"),
        (r"\bbody|sent|send|payload", "requestBody parameters"),
        (r"\breturns?|responds?|gives?|answers?|replies", r"20\d|2XX default responses"),
        (r"\b(?:fields?|propert(?:y|ies)|attributes?|members?|columns?|holds?|contains?|in)", "properties allOf"),
        (r"\bvalues?", "enum"),
        (r"\bsecurity|scopes?|authenticat\w+", "security scopes flows"),
        (r"\bdo\W*$|^\W*what (?:is|are)|for\W*$|means?", "summary description"),
    )
)
"""What a question asks of an operation or a schema, and the keys that say it, the best first."""
_IMAGE = "text/x-dockerfile"
_OF_AN_IMAGE = re.compile(r"\b(?:docker\w*|images?|containers?|entry ?points?|ports?)\b", re.IGNORECASE)
_INSTRUCTIONS = tuple(
    (re.compile(rf"\b(?:{asks})\b", re.IGNORECASE), re.compile(rf"[ \t]*(?:{given})\s", re.IGNORECASE))
    for asks, given in (
        ("base images?|built (?:on|from)|based on", "FROM"),
        ("ports?|exposed?", "EXPOSE"),
        ("entry ?points?", "ENTRYPOINT|CMD"),
        ("commands?|runs?|starts?", "CMD|ENTRYPOINT"),
        ("users?", "USER"),
        ("work(?:ing)? ?dir(?:ectory)?|folder", "WORKDIR"),
        ("volumes?", "VOLUME"),
        ("health ?checks?", "HEALTHCHECK"),
    )
)
"""What is asked of an image, and the instruction that says it."""
_NAMING_PEOPLE = frozenset(
    ("maintainers", "owners", "codeowners", "authors", "contributors", "credits", "approvers", "reviewers")
)
"""Files that name people, by their names without what stands behind a dot."""
_WHO = re.compile(
    r"\bwho\b.{0,30}\b(?:maintain\w*|own\w*|approv\w*|review\w*|wrote|written|authors?|contribut\w*|develop\w*|behind)\b"
    r"|\b(?:maintainers?|authors?|owners?|approvers?|reviewers?)\b",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"\b(?:the|an?|this|that|these|our|my)\s+(?!(?:project|package|repo\w*|librar\w+|code\w*|software|module|program|tool|app"
    r"|maintainers?|authors?|owners?|approvers?|reviewers?|people|main|lead|core|current|original)\b)\w",
    re.IGNORECASE,
)
"""Where a question asks so of something else than what the files around are: "the author of the song"."""
_FEW = 3
"""Lines at most that tell of one part."""
_RANK = 4
"""Pieces of evidence that are looked at."""
_PARAMETER = re.compile(
    r"(?P<part>\w+)[`'\"]?\s+(?:keyword\s+)?(?:parameters?|arguments?|params?|args?|kwargs?|keywords?|options?)\s+"
    r"(?:of|in|to|for|from|with)\s+(?:the\s+(?:function\s+|method\s+|class\s+)?)?[`'\"]?(?P<owner>[\w.]*\w)"
    r"|(?:parameter|argument|param|arg|keyword)\s+[`'\"]?(?P<named>\w+)[`'\"]?\s+(?:of|in|to|for|from|with)\s+"
    r"(?:the\s+(?:function\s+|method\s+|class\s+)?)?[`'\"]?(?P<of>[\w.]*\w)"
)
"""A parameter and what takes it: `sigma parameter of gaussian`, `argument weight of Graph.add_edge`."""
_COMES_BACK = re.compile(
    r"\W*what\s+(?:kind\s+of\s+\w+\s+|type\s+)?(?:does|do|will|is|are)\s+(?:the\s+)?[`'\"]?(?P<owner>[\w.]*\w)(?:\(\))?"
    r"[`'\"]?(?:\s+(?:function|method))?\s+(?P<does>return|yield|give back|raise|throw)s?(?:\s+(?:if|when)\s.+|\W*)\Z"
    r"|.{0,20}\b(?:what|which)\s+(?:exceptions?|errors?)\s+(?:does|do|can|may|might|will|could|is)\s+(?:the\s+)?[`'\"]?"
    r"(?P<of>[\w.]*\w)(?:\(\))?[`'\"]?(?:\s+(?:function|method))?\s+(?P<throws>raise|throw)\W*\Z",
    re.IGNORECASE,
)
"""What it is asked of a function that it gives back, or raises."""
DOCUMENTED = 0.85
"""How likely what a docstring says of a part answers what is asked of that."""
_PYTHON = "text/x-python"
_ALL_PARAMETERS = re.compile(r"\b(?:parameters|arguments|args|options|keywords|attributes|inputs)\b", re.IGNORECASE)
_SIGNATURE = re.compile(r":[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_DEFAULT_OF = re.compile(
    r"\bdefaults?(?:\s+value)?\s+(?:of|for)\s+(?:the\s+)?[`'\"]?(?P<part>\w+)(?:=|\b)[`'\"]?"
    r"(?:\s+(?:keyword\s+)?(?:parameter|argument|param|arg|kwarg|keyword|option))?"
    r"(?:\s+(?:of|in|to|for|from|with)\s+(?:the\s+)?[`'\"]?(?P<owner>[\w.]*\w)(?:\(\))?[`'\"]?)?\W*\Z",
    re.IGNORECASE,
)
"""A parameter whose default is asked for, and what takes it."""
_WHERE = re.compile(
    r"\W*(?:where|in\s+(?:which|what)\s+(?:file|module|class))\s+(?:is|are|was)\s+(?:the\s+)?"
    r"(?:(?:function|method|class|type|struct|macro|constant)\s+)?[`'\"]?(?P<name>[\w.]*\w(?:\(\))?)[`'\"]?"
    r"(?:\s+(?:function|method|class|type|struct|macro|constant))?\s+(?:defined|implemented|declared)\W*\Z",
    re.IGNORECASE,
)
"""Asks where in code something is."""
_SIGNED = re.compile(r":[ \t]*(?:#[^\n]*)?\Z")
"""What the last line of a signature ends with."""
_NO_CODE = re.compile(r"\s*(?:--|//|/?\*|#|\"{3})")


def quoted(question: str, parts: Sequence[Section], most: int) -> tuple[Section, Unit] | None:
    """The declaration of what a question names whose parts it asks for, or the lines of those that it names; as much as
    `most` words. None where it asks for no parts, or nothing that is called so is declared."""
    asks = _ASKS.match(question) is not None
    keys = next((keys for asked, keys in _OF_KEYS if asked.search(question)), [])
    words = set(_NAME.findall(question))
    for section in parts:
        piece = section.piece
        terms = question_terms(question, stemmer_for(piece.language, ()))
        if piece.media_type in _KEYED:
            if keys and _is_named(section.heading, question, words) and (lines := _of_keys(piece.text, keys)):
                return section, _unit(piece.text, list(_fitting(piece.text, lines, most)))
            if not terms.form.steps and _is_asked_for(section, terms):
                lines = [line.span() for line in _LINE.finditer(piece.text)]
                return section, _unit(piece.text, list(_fitting(piece.text, lines, most)))
        elif section.start == 0 and (lines := _of_file(question, piece)):
            return section, _unit(piece.text, list(_fitting(piece.text, lines, most)))
        elif asks and section.start == 0 and piece.doctype == "code" and _declares(section, words, question):
            unit = _listed(section, question, most) or _of(
                section, section.heading.rpartition(".")[2], question, terms, most
            )
            if not _lacks_default(question, section, unit) and not _is_body(section, unit):
                return section, unit
    return None


def documented(question: str, parts: Sequence[Section], most: int, whole: Whole | None) -> Section | None:
    """What the docstring of a function says of the parameter that a question asks for, of what comes back or is raised,
    as much as `most` words. None where it asks for none, or no docstring among the best pieces says it."""
    part = _PARAMETER.search(question)
    back = _COMES_BACK.match(question) if part is None else None
    if part is None and back is None:
        return None
    owner = (part and (part["owner"] or part["of"])) or (back and (back["owner"] or back["of"])) or ""
    documents = list[Section]()
    for section in parts:
        piece = section.piece
        if section.start or piece.rank > _RANK or piece.media_type != _PYTHON or not _takes(section.heading, owner):
            continue
        piece = _definition(piece, section.heading, whole)
        if part is not None:
            span = docstrings.parameter(piece.text, part["part"] or part["named"])
        else:
            raises = back is not None and (back["throws"] or back["does"].lower() in ("raise", "throw"))
            span = docstrings.section(piece.text, docstrings.RAISES if raises else docstrings.RETURNS)
        if span is not None:
            documents.append(Section(piece, section.heading, 0, [_documented(piece.text, span, most)]))
    of = owner.split(".")[-2:-1]
    named = [part for part in documents if of and _is_within(part, of[0])] or documents
    if not of:  # a function of a module before a class's method
        named = [part for part in named if part.heading.count(".") == 1] or named
    # of several that are called so, and tell other things, none is what is meant
    return named[0] if named and all(_is_alike(named[0], other) for other in named[1:]) else None


def _is_alike(one: Section, other: Section) -> bool:
    """Whether two parts say the same of a parameter, but for less than half of their words."""
    told, others = ({*_WORD.findall(part.units[0].reads)} for part in (one, other))
    return 2 * len(told & others) >= max(len(told), len(others))


def default(question: str, parts: Sequence[Section], most: int, whole: Whole | None) -> Section | None:
    """What says the default of a parameter of a function of Python that a question asks for: the docstring, where it
    tells one, else the signature. None where it asks for none, or neither among the best pieces says it."""
    of_default = _DEFAULT_OF.search(question)
    if of_default is None:
        return None
    name, owner = of_default["part"], of_default["owner"] or ""
    signed = re.compile(rf"^[^\n#]*\b{re.escape(name)}\s*(?::[^=\n]{{1,200}})?=\s*[^\s,)=][^\n]*", re.MULTILINE)
    signature: Section | None = None
    for section in parts:
        if section.start or section.piece.media_type != _PYTHON or not (not owner or _takes(section.heading, owner)):
            continue
        piece = _definition(section.piece, section.heading, whole)
        text = piece.text
        span = docstrings.parameter(text, name)
        if span is not None and entries.DEFAULT.search(text, span.start, span.end):
            return Section(piece, section.heading, 0, [_documented(text, span, most)])
        begin = _begin(text, section.heading.removesuffix(".__init__").rpartition(".")[2])
        ends = _SIGNATURE.search(text, begin)
        line = signed.search(text, begin, ends.end()) if ends else None
        if signature is None and line is not None and (span is not None or owner):
            end = line.start() + len(line[0].rstrip(" ,"))
            signature = Section(piece, section.heading, 0, [_unit(text, [(line.start(), end)])])
    return signature


def definition(question: str, parts: Sequence[Section]) -> tuple[Section, Unit] | None:
    """How what a question asks the place of is declared in source code: the lines up to the end of its signature."""
    of_place = _WHERE.match(question)
    if of_place is None:
        return None
    *of, name = of_place["name"].removesuffix("()").split(".")
    for section in parts:
        text, (*around, called) = section.piece.text, section.heading.split(".")
        if section.start or section.piece.doctype != "code" or called != name or (of and of[-1] not in around):
            continue
        if code_names.defined_as(section.heading, text) is None:
            continue
        begin = _begin(text, name)
        ends = _SIGNATURE.search(text, begin) if section.piece.media_type == _PYTHON else None
        lines = [line.span() for line in _LINE.finditer(text, begin, ends.end() if ends else len(text))]
        return section, _unit(text, lines if ends else lines[:1])
    return None


def _is_within(section: Section, name: str) -> bool:
    """Whether what a section defines is of a class or a file that is called so."""
    stem = section.piece.path.rpartition("/")[2].partition(".")[0]
    return name.casefold() in {stem.casefold(), *map(str.casefold, section.heading.split(".")[:-1])}


def _takes(heading: str, owner: str) -> bool:
    """Whether what a heading defines is what takes a parameter: a function, or a class by how it is made."""
    *others, called = heading.removesuffix(".__init__").split(".")
    *of, name = owner.split(".")
    is_of_class = bool(of) and of[-1][:1].isupper()
    return called == name and (not is_of_class or others[-1:] == of[-1:])


def _definition(piece: Evidence, heading: str, whole: Whole | None) -> Evidence:
    """A piece with all of what it defines."""
    extraction = whole(piece) if whole is not None else None
    if extraction is None:
        return piece
    starts = [known.offset for known in extraction.headings]
    at = bisect_right(starts, piece.span_start) - 1
    if at < 0:
        return piece
    begin = starts[at]
    end = starts[at + 1] if at + 1 < len(starts) else len(extraction.text)
    line = extraction.text.count("\n", 0, begin) + 1
    return spanned(piece, extraction.text[begin:end], begin, line, extraction.spots)


def _lacks_default(question: str, section: Section, unit: Unit) -> bool:
    """Whether a default is asked for and code that does something is found, which names none."""
    does = comments.is_source(section.piece.media_type) and section.piece.media_type != _SQL
    return does and entries.ASKS_DEFAULT.search(question) is not None and not entries.DEFAULT.search(unit.reads)


def _listed(section: Section, question: str, most: int) -> Unit | None:
    """What the docstring of a definition lists of its parameters, where these are asked for; its signature without."""
    piece = section.piece
    if piece.media_type != _PYTHON or not _ALL_PARAMETERS.search(question):
        return None
    if (span := docstrings.section(piece.text, docstrings.PARAMETERS)) is not None:
        return _documented(piece.text, span, most)
    lines = [line.span() for line in _LINE.finditer(piece.text, _begin(piece.text, section.heading.rpartition(".")[2]))]
    ends = next((at for at, line in enumerate(lines) if _SIGNED.search(piece.text, *line)), None)
    return _unit(piece.text, lines[: ends + 1]) if ends is not None else None


def _documented(text: str, span: Span, most: int) -> Unit:
    """What a docstring says at a place, as much as `most` words."""
    lines = [line.span() for line in _LINE.finditer(text, span.start, span.end)]
    end = list(_fitting(text, lines, most))[-1][1]
    reads = docstrings.readable(text, Span(span.start, end))
    return Unit(span.start, end, Kind.FACT, reads, words(reads))


def _is_body(section: Section, unit: Unit) -> bool:
    """Whether all of a function of Python is what was found: it declares nothing that is asked for."""
    if section.piece.media_type != _PYTHON or unit.kind is not Kind.CODE or "\n" not in unit.reads:
        return False
    is_function = code_names.defined_as(section.heading, section.piece.text) == "function"
    return is_function and not _SIGNED.search(unit.reads.splitlines()[-1])


def _declares(section: Section, words: Set[str], question: str) -> bool:
    """Whether a piece of source code declares what one of some words names, in capitals or not where it is of SQL."""
    name, piece = section.heading.rpartition(".")[2], section.piece
    is_named = name in words or (piece.media_type == _SQL and name.casefold() in {word.casefold() for word in words})
    is_part = any(name == part for word in words if "." in word for part in word.split("."))
    return (is_named or is_part) and piece.rank <= _RANK and _is_of_kind(section, question)


def _is_of_kind(section: Section, question: str) -> bool:
    """Whether a piece defines what its heading names; only what has columns, where these are asked for."""
    defined = code_names.defined_as(section.heading, section.piece.text)
    return defined is not None and (defined != "function" or not _COLUMNS.search(question))


def _is_asked_for(section: Section, terms: QuestionTerms) -> bool:
    """Whether a key of a manifest is called what is asked for, but for the name of what it is of."""
    if not manifest_names.is_one(section.heading) or section.start:
        return False
    called = [frozenset(terms_in(name, terms)) for name in section.heading.split(" \u2013 ")]
    return any(name and name <= terms.asked for name in called) and len(terms.asked.difference(*called)) <= 1


def _of_file(question: str, piece: Evidence) -> list[tuple[int, int]]:
    """The lines of an image's instructions that a question asks for, and of a file that only names who is asked for."""
    if piece.media_type == _IMAGE and _OF_AN_IMAGE.search(question):
        wanted = next((given for asks, given in _INSTRUCTIONS if asks.search(question)), None)
        lines = (line for line in _LINE.finditer(piece.text) if wanted and wanted.match(line[0]))
        return [line.span() for line in islice(lines, 1)]
    stem = piece.path.rpartition("/")[2].partition(".")[0].lower()
    if stem in _NAMING_PEOPLE and _WHO.search(question) and not _OF_ANOTHER.search(question):
        return [line.span() for line in _LINE.finditer(piece.text) if not line[0].lstrip().startswith(("#", "//"))]
    return []


def _of_keys(text: str, keys: Sequence[str]) -> list[tuple[int, int]]:
    """The lines of the first key that is there; a summary with the description below it."""
    lines = next((lines for key in keys if (lines := _below(text, key))), [])
    if lines and keys[0] == "summary" and (more := _below(text, "description")):
        lines += more if text[lines[-1][1] : more[0][0]].isspace() else []
    return lines


def _is_named(heading: str, question: str, words: Set[str]) -> bool:
    """Whether a question has one of the names of a heading: `GET /pets`, or the name of an operation or a schema."""
    for name in heading.split(" – "):
        method, _, path = name.partition(" ")
        if path and method in words and re.search(rf"(?<![\w/}}]){re.escape(path)}(?![\w/{{])", question):
            return True
        if not path and name in words:
            return True
    return False


def _below(text: str, key: str) -> list[tuple[int, int]]:
    """The line of a key, and those that stand below it further in."""
    match = re.search(rf"^([ \t]*)[\"']?(?:{key})[\"']?[ \t]*:[^\n]*", text, re.MULTILINE)
    if match is None:
        return []
    below = takewhile(
        lambda line: len(line[0]) - len(line[0].lstrip()) > len(match[1]), _LINE.finditer(text, match.end())
    )
    return [match.span(), *(line.span() for line in below)]


def _of(section: Section, name: str, question: str, terms: QuestionTerms, most: int) -> Unit:
    text = section.piece.text
    begin = _begin(text, name)
    lines = [line.span() for line in _LINE.finditer(text, begin)]
    without_kinds = _PART.sub(" ", question)
    own = frozenset(terms_in(name, terms))
    wanted = terms.asked & frozenset(terms_in(without_kinds, terms)) - own
    holding = [span for span in lines[1:] if wanted and wanted <= frozenset(terms_in(text[slice(*span)], terms))]
    shown = holding[:1] if 0 < len(holding) <= _FEW else lines
    return _unit(text, list(_fitting(text, shown, most)))


def _begin(text: str, name: str) -> int:
    """Where the line begins that declares a name: behind the comment above it."""
    for line in _LINE.finditer(text):
        if name in line[0] and not _NO_CODE.match(line[0]):
            return line.start()
    return 0


def _fitting(text: str, lines: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """The first lines, as many as fit."""
    room = most
    for at, (start, end) in enumerate(lines):
        room -= words(text[start:end])
        if at and room < 0:
            return
        yield start, end


def _unit(text: str, lines: Sequence[tuple[int, int]]) -> Unit:
    start, end = lines[0][0], lines[-1][1]
    start += len(text[start:end]) - len(text[start:end].lstrip())
    reads = text[start:end]
    return Unit(start, end, Kind.CODE, reads, words(reads), says=False)
