"""What kind of text a chunk is, as far as that makes it worth less than a page that says the same.

Tests, examples, release notes, lock files, workflows and lists of links hold the words of what they are about more
densely than the page that says it; what another document has superseded says it as it was; a message quotes what
another one says. A question that asks for one of them by name gets it undiminished.
"""

from __future__ import annotations

import fnmatch
import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from biblicus.text.terms import analysis, file_names, symbols


class Kind(NamedTuple):
    """`worth`: what its scores are multiplied by, at most 1. `asked`: the words of a question that asks for it."""

    worth: float
    asked: frozenset[str] = frozenset()


(
    PLAIN, TEST, EXAMPLE, RELEASE, LOCK, NAVIGATION, GLOSSARY, GENERATED, SUPERSEDED, TRANSLATION, LICENCE, COPY,
    QUOTED, WORKFLOW, SOURCE, LOG,
) = range(16)  # fmt: skip

ASIDE = frozenset(range(16)) - {PLAIN, GLOSSARY, SOURCE}
"""Kinds of files that hold the words of what another file is about."""


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_EXAMPLES = """example examples sample samples demo demos benchmark benchmarks beispiel beispiele ejemplo ejemplos
    exemple exemples пример примеры 示例 样例"""
KINDS = {
    PLAIN: Kind(1.0),
    TEST: Kind(0.55, _words("test tests tested testing testcase unittest pytest conftest spec specs")),
    EXAMPLE: Kind(0.75, _words(_EXAMPLES)),
    RELEASE: Kind(
        0.8,
        _words("release releases released changelog changelogs changes news history deprecated deprecations"),
    ),
    LOCK: Kind(0.5, _words("lock lockfile locked pinned dependency dependencies requirements version")),
    NAVIGATION: Kind(0.8, _words("index contents toc sidebar navigation list links")),
    GLOSSARY: Kind(0.85, _words("glossary terminology term terms acronym acronyms abbreviation abbreviations")),
    GENERATED: Kind(0.4),
    SUPERSEDED: Kind(
        0.85, _words("superseded obsolete obsoleted deprecated replaced old older former formerly original history")
    ),
    TRANSLATION: Kind(0.6, _words("translation translations translated translate locale locales msgid po xliff")),
    COPY: Kind(0.8, _words("print source sources")),
    WORKFLOW: Kind(
        0.7, _words("workflow workflows ci job jobs pipeline pipelines action actions github gitlab nightly")
    ),
    SOURCE: Kind(1.0),
    LOG: Kind(1.0),
    QUOTED: Kind(0.6, _words("quote quotes quoted quoting")),
    LICENCE: Kind(
        0.7,
        _words(
            "license licenses licensed licensing licence licences copyright copyrights copying warranty gpl lgpl agpl"
            " fdl gfdl mit bsd apache mpl lizenz licencia лицензия"
        ),
    ),
}

# Expressions that few questions and few names are held against are compiled when they first are.
_MEANING = re.compile(
    r"\W*(?:what(?:['’]s| is| are| does| do)\b|define\b|(?:the )?(?:meaning|definition) of\b"
    r"|was (?:ist|sind|bedeutet|heißt|versteht)\b|qué (?:es|son|significa)\b|qu['’]est-ce|que signifie\b"
    r"|что (?:такое|значит|означает)\b|什么是|.{1,40}是什么)",
    re.IGNORECASE,
)

_DONE = re.compile(
    r"(?:^|\b(?:to|i|we|you)\s)\W*(?:(?:test|sample|benchmark|release|change|list|lock|index)\b"
    r"|(?:run|execute|start|write|add|skip|debug)\s+(?:[\w-]+\s+){0,3}?tests?\b)",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\W*(?:how (?:do|can|should|would|must) (?:i|we|you)|how to|wie (?:kann|muss|soll)? ?(?:ich|man|wir)"
    r"|cómo (?:puedo|se)"
    r"|comment (?:puis-je|faire)|как)\b",
    re.IGNORECASE,
)
_OF_CODE = (
    r"(?i)\W*(?:in )?(?:which|what) (?:class|function|method|struct|module|procedure|subroutine|routine"
    r"|(?:source )?file) (?!is |was |does |has )[a-z]{2,}s\b"
    r"(?! (?:are|is|do|does|did|can|could|should|must|may|will|have|has|were|was|exist)\b)"
    r"|\W*(?:the |a )?(?:class|function|method|struct|procedure|subroutine|routine) (?:that|which)\b"
    r"|\W*where (?:is|are|do|does|in the code)\b.*\b(?:computed|calculated|implemented|defined|declared|parsed"
    r"|evaluated|initiali[sz]ed|enumerated|seriali[sz]ed|deseriali[sz]ed|encoded|decoded|dispatched|allocated|instantiated)\W*\Z"
)
"""What asks for a place in programs: "which class calculates …", "where is … parsed?"; not "which file formats are"."""
_IN_PLACES = ("where", "class", "function", "method", "struct", "module", "routine", "procedure", "file")
"""One of which each of these has."""
_OF_TESTS = (
    r"(?i)\W*(?:in )?(?:which|what) (?:\w+ )?tests? (?:cover|check|exercise|verif|assert|ensure|prove|guard|tests?\b"
    r"|fail)|\W*(?:(?:is|are) there |show |find |list )?(?:me )?(?:an? |any |the |all )?(?:\w+ )?tests?"
    r" (?:for|of|that|which|covering|checking)\b"
    r"|\W*where (?:is|are)\b.*\b(?:tested|covered by (?:a )?tests?)\W*\Z"
)
"""What asks for tests of something: "which test covers …", "where is … tested?"; not "which tests run first"."""
_RELEASED = (
    r"(?i)\b(?:releases?|released|changelog|change[sd]?|new|news|what'?s new|fix(?:ed|es)?|added|removed|deprecated"
    r"|dropped|breaking|introduced|notes|neu(?:es)?|geändert|erschienen|veröffentlicht|nuev[oa]s?|cambi\w+|nouveau\w*|changé)\b"
    r"|нового|изменил\w*|вышла"
)

# Folders and names of files, lower case, by which each kind is known. A name without a dot may have any extension,
# but where it ends with `$`.
_PATHS = (
    (
        TEST,
        "test tests __tests__ _tests testdata",
        "test[_-]* tests[_-]* *[_-]test *[_-]tests *[_-]spec *.test *.tests *.spec conftest",
    ),
    (EXAMPLE, "example examples sample samples benchmark benchmarks demos listings _templates", ""),
    (
        RELEASE,
        """release releases changelog changelogs release_notes release-notes releasenotes relnotes whatsnew whats_new
        whats-new newsfragments""",
        """changes changelog* history news *[0-9][_-]news whatsnew* whats[_-]new* release[_-]notes* releasenotes*
        relnotes* rel[_-]notes* releases release[_-][0-9v]* deprecations version[0-9]* version[_-][0-9]* perl*delta""",
    ),
    (
        LOCK,
        "requirements",
        "requirements requirements[._-]* *.lock package-lock.json pnpm-lock.yaml npm-shrinkwrap.json",
    ),
    (SUPERSEDED, "deprecated obsolete", ""),
    (
        LICENCE,
        "licenses licences",
        """licen[cs]e licen[cs]es licen[cs]e[._-]* unlicense copying copying[._-]* copyright eula gpl gpl[._-]* lgpl
        lgpl[._-]* agpl agpl[._-]* fdl fdl[._-]* gfdl gfdl[._-]*""",
    ),
    (COPY, "_sources _modules", "print.html"),
    (
        WORKFLOW,
        "workflows .circleci issue_template issue_templates merge_request_templates",
        "issue_template* pull_request_template* merge_request_template* conf.py",
    ),
    (
        NAVIGATION,
        "class-use index-files",
        """contents toc perltoc bookindex genindex* modindex* py-modindex* ix0[0-9] sidebar _sidebar nav _nav
        *help[_-]index *author*[_-]index *command*[_-]index *concept*[_-]index *function*[_-]index *general*[_-]index
        *key*[_-]index *name*[_-]index *option*[_-]index *subject*[_-]index *variable*[_-]index *.svg index-all.html
        index-[0-9]*.html deprecated-list.html allclasses*.html allpackages*.html overview-*.html package-tree.html
        package-frame.html package-use.html constant-values.html functions.html functions_*.html globals.html
        globals_*.html annotated.html namespacemembers*.html""",
    ),
    (
        GENERATED,
        "",
        """search*index*.js search*index*.json *-search-index.* *.min.js *.min.css *.js.map *.css.map *.bundle.js tags$
        gtags$ cscope.out *_pb2 *_pb2_grpc *.pb.go *.pb.gw.go *.pb.cc *.pb.h zz_generated* *.qhc *.qhp *.tagfile
        *.generated.* *_generated.* *.g.dart *.freezed.dart *.designer.cs""",
    ),
    (TRANSLATION, "", "*.po *.pot *.xlf *.xliff *.arb"),
    (LOG, "", "*.log *.log.1 *.err"),
    (
        GLOSSARY,
        "",
        "*glossary* *glossar* *glosario* *glossaire* *terminology* *acronyms* *abbreviations* *глоссарий* *术语*",
    ),
)
_FOLDERS = {folder: kind for kind, folders, _ in _PATHS for folder in folders.split()}
_OF_PAGES = (RELEASE, NAVIGATION, GLOSSARY)
"""Kinds whose names programs may have, too: `history.go` keeps one."""
_LOCALES = frozenset(("locale", "locales", "_locales", "i18n", "l10n", "langs", "lang", "translations"))
_SHOWN = (".yml", ".yaml", ".json", ".json5", ".properties", ".strings", ".resx", ".toml", ".xml")
"""Ends of files in such folders with the texts that a program shows."""
_PROGRAMS = """
python typescript c c++ csharp java go rust ruby php kotlin scala perl lua r julia swift objective-c haskell ocaml
erlang elixir clojure lisp fortran pascal zig dart groovy powershell vue
"""
_SOURCES = frozenset(("text/javascript", *(f"text/x-{name}" for name in _PROGRAMS.split())))
"""Types of what is done by programs: how people do something is told elsewhere."""
_TEMPLATES = (
    *(".erb", ".ejs", ".hbs", ".mustache", ".j2", ".jinja", ".jinja2", ".twig", ".haml", ".slim", ".pug", ".jsp"),
    *(".cshtml", ".phtml", ".blade.php", ".rsb", ".rabl", ".jbuilder"),
)
"""Ends of files that programs make pages of."""
_COMPLETIONS = (
    r"(?:^|/)(?:(?:ba|z|fi)?sh[-_])?complet(?:e|ions?)/(?:[\w.-]+/)?_?[a-z\d][\w-]*(?:\.(?:ba|z|fi)sh)?$"
    r"|-completion\.(?:ba|z|fi)?sh$"
)
"""Paths of what shells complete commands by: it has each option, and a few words of it. No command's name begins
with a capital, as that of `README` does."""
_DIGESTS = re.compile(r"\"[0-9a-f]{40,128}\"|\bsha(?:256|512)[-:]")
"""Sums of files: lists of them tell nothing of what is in these."""
_ATTRIBUTES, _FEWEST_TAGS = 6, 2
"""Attributes of each tag, and tags, of such a list at least."""
_IN_PROGRAMS, _BY_PROGRAMS = 0.75, 1.25
"""What it counts where it is asked how people do something, and where a place in programs is asked for."""
_BY_TESTS = _BY_VERSION = 1.5
"""What tests count where those of something are asked for, and release notes where the version is that it came with."""
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha() and code != ord("?"))
_SPACES = b" \t\r\n"
_LETTERS, _ENOUGH = 0.2, 200
"""The share of letters among the characters of a text under which it is columns of numbers, of so many at least."""
_TERM = 3
"""Words of a term at most."""
_BY_LOGS, _NO_TASK = 1.6, 0.6
"""What a log counts where a line of one is asked, and where it is asked how people do something."""
_COMMAND = 3
"""Words at least of a command in English that asks how somebody does something: `cache table` may be a thing's name."""


MAIL = ("message/rfc822", "application/mbox", "application/vnd.ms-outlook")
"""`replies.TYPES`, which a question needs not import."""
_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()\s]*\)|`[^`<>]*<[^<>]*>`_{1,2}|:(?:doc|ref):`[^`]*`")
_BRACKETED = re.compile(r"\[[^\[\]]*\]\([^()\s]*\)")
_LINKS, _WORDS_A_LINK = 5, 4
_WORD = re.compile(r"\w+")
_ELSEWHERE = ((".. toctree::", 60), (".. auto", 16), (".. include::", 16))
"""Directives for what stands in other files, with the words of a text at most that has little beside them."""


def of(path: str, text: str, superseded: bool = False, media_type: str = "") -> int:
    """The kind of a chunk, by its path, what it holds, whether its document was superseded, and its type."""
    if media_type in MAIL:
        from biblicus.text import replies  # lazy: a question needs none

        if replies.is_quoted(text):
            return QUOTED
    by_path = of_path(path)
    if by_path != PLAIN:
        return by_path
    if superseded:
        return SUPERSEDED
    if _is_navigation(path, text):
        return NAVIGATION
    if (path.endswith(".json") and len(_DIGESTS.findall(text)) >= _LINKS) or _is_attributes(text):
        return GENERATED
    is_source = media_type in _SOURCES or path.lower().endswith(_TEMPLATES)
    is_source = is_source or ("complet" in path and re.search(_COMPLETIONS, path) is not None)
    if media_type == "text/markdown" and text[:1] in "<{#" and ('="' in text or "={" in text or "escript" in text):
        from biblicus.text.terms import parameters  # lazy: few pages have any

        is_source = is_source or parameters.begins_with_one(text)
    return GENERATED if _is_numbers(text) else SOURCE if is_source else PLAIN


def asks_for_a_meaning(question: str) -> bool:
    """Whether a question asks what a term means, so that a glossary may tell."""
    return _MEANING.match(question) is not None


def asks_how(question: str) -> bool:
    """Whether a question asks how somebody does something."""
    return _TASK.match(question) is not None


@lru_cache(maxsize=256)
def asks_for_a_release(question: str) -> bool:
    """Whether a question asks what a version brought, or when it came."""
    return bool(file_names.versions(question)) and re.search(_RELEASED, question) is not None


@lru_cache(maxsize=256)
def worths(question: str) -> tuple[float, ...]:
    """What the scores of each kind are multiplied by, for a question. What is done asks for no kind: "how do I test it"
    is answered by a page about testing. A glossary is asked what something means, or for a term by itself."""
    text = _DONE.sub(" ", analysis.normalised(question))
    words = frozenset(analysis.plain_analyzer().analyze(analysis.bigrams(text)))
    asked = {kind for kind, (_, words_for_it) in KINDS.items() if words & words_for_it}
    if asks_how(question) or asks_for_a_meaning(question):
        asked.discard(TEST)  # pages tell what a test is and how one is run
    if asks_for_a_release(question) or file_names.came_with(question):  # not for what is locked to a version
        asked = asked - {LOCK} | {RELEASE}
    if len(words) <= _TERM or asks_for_a_meaning(question):
        asked.add(GLOSSARY)
    counts = {kind: 1.0 if kind in asked else KINDS[kind].worth for kind in sorted(KINDS)}
    if (came := file_names.came_with(question)) and came.by_version:
        counts[RELEASE] = _BY_VERSION
    if TEST in asked and re.match(_OF_TESTS, question):
        counts[TEST] = _BY_TESTS
    if _TASK.match(question) or (len(words) >= _COMMAND and _is_command(question)):
        counts[SOURCE], counts[LOG] = _IN_PROGRAMS, _NO_TASK
    elif any(map(question.casefold().__contains__, _IN_PLACES)) and re.match(_OF_CODE, question):
        counts[SOURCE] = _BY_PROGRAMS
    if symbols.is_error_line(question):
        counts[LOG] = _BY_LOGS
    return tuple(counts.values())


def _is_command(question: str) -> bool:
    from biblicus.text.terms import tasks  # lazy: a word or two are no command

    return tasks.is_imperative(question)


@lru_cache(maxsize=1)
def _names() -> re.Pattern[str]:
    """Names of files, the group of each row of `_PATHS` by its number; compiled when first used."""
    rows = (
        "|".join(fnmatch.translate(end) for name in names.split() for end in _with_extensions(name)) or "(?!)"
        for _, _, names in _PATHS
    )
    return re.compile("|".join(f"({row})" for row in rows))


def _with_extensions(name: str) -> tuple[str, ...]:
    is_whole = name.endswith("$") or "." in name.replace("._-", "").lstrip("*.")
    return (name.rstrip("$"),) if is_whole else (name, f"{name}.*")


@lru_cache(maxsize=4_096)
def of_path(path: str) -> int:
    """The kind of all chunks of a path, as far as that tells it."""
    *folders, name = path.lower().split("/")
    is_about = name.startswith("readme")
    for folder in folders:
        if folder in _FOLDERS and not (is_about and _FOLDERS[folder] == TEST):
            return _FOLDERS[folder]
    if name.endswith(_SHOWN) and not _LOCALES.isdisjoint(folders):
        return TRANSLATION
    named = _names().fullmatch(name)
    kind = _PATHS[(named.lastindex or 0) - 1][0] if named else PLAIN
    if kind == TEST:
        return TEST if name.startswith("test_") or _is_code(name) else PLAIN
    return PLAIN if kind in _OF_PAGES and _is_code(name) else kind


def _is_code(name: str) -> bool:
    """Whether a file is a program: notes and tables called tests tell of some."""
    from biblicus.text import media  # lazy: few names need it

    return media.doctype(name, media.of_name(name) or "") == "code"


def _is_navigation(path: str, text: str) -> bool:
    """Whether a text does little but link, or say what a generator puts there."""
    is_rst = path.endswith(".rst")
    if (text.count(":`") + text.count(">`_") if is_rst else text.count("[")) >= _LINKS:
        # Without the marks of the others there can only be links of the one kind that is found fast.
        may_be_others = is_rst or ":`" in text or ">`_" in text
        if may_be_others or text.count("](") >= _LINKS:
            rest, links = (_LINK if may_be_others else _BRACKETED).subn(" ", text)
            if links >= _LINKS and not _has_more_words(rest, _WORDS_A_LINK * links):
                return True
    if text.count("....") + text.count(" . . . ") >= _LINKS and _is_contents(text):
        return True
    return path.endswith((".rst", ".txt")) and any(
        mark in text and len(text.split()) <= most for mark, most in _ELSEWHERE
    )


def _has_more_words(text: str, most: int) -> bool:
    """Whether a text has more words. Those between spaces are counted faster, and are some of them."""
    return sum(map(str.isalnum, text.split())) > most or any(islice(_WORD.finditer(text), most, None))


def _is_contents(text: str) -> bool:
    """Whether the lines of a text lead to numbers of pages, most of them."""
    lines = [line for line in text.split("\n") if line.strip()]
    return 2 * sum("...." in line or " . . . " in line for line in lines) > len(lines)


def _is_attributes(text: str) -> bool:
    """Whether a text is tags with many attributes each, as programs list for others what stands elsewhere."""
    return text.startswith("<") and text.count('="') >= _ATTRIBUTES * max(_FEWEST_TAGS, text.count("<"))


def _is_numbers(text: str) -> bool:
    """Whether a text is columns of numbers and the like."""
    first = text[: len(text) // 3].encode("ascii", "replace")  # what is not ASCII counts as a letter
    if len(first.translate(None, _NO_LETTERS)) >= _LETTERS * len(text):
        return False
    characters = text.encode("ascii", "replace")
    letters = len(characters.translate(None, _NO_LETTERS))
    if letters >= _LETTERS * len(characters):
        return False
    visible = len(characters.translate(None, _SPACES))
    return visible >= _ENOUGH and letters < _LETTERS * visible
