"""Names from source code as a question and a text spell them: options, joined names, operations, and toolkits."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

from biblicus.text.terms import identifiers

_MARK = "symbol"
_FUNCTIONS = ("def", "function", "func", "fn", "fun", "sub", "macro_rules!")
_TYPES = ("class", "interface", "struct", "enum", "trait", "type", "object", "protocol", "record", "union")
KINDS = dict.fromkeys((*_FUNCTIONS, "method", "property", "decorator"), "function") | dict.fromkeys(_TYPES, "type")
"""What a keyword, or a word of a question, says of the name beside it."""
_ASKING = """
what what's whats when why how which is are be do does done can could should would will must may i you we one people
they it me to of in on for by the a an this that exactly mean means meaning purpose good set turn turns enable enables
happen happens default defaults value
option flag switch setting parameter argument directive command variable attribute macro decorator keyword fixture field
annotation property constant
was wie wozu wofür wann warum ist sind macht bewirkt bedeutet soll sollte kann muss ich man der die das den ein eine
qué que para cómo cuándo es son hace debo puedo el la los un una por à quoi sert comment quand est-ce fait le les une
pour что такое делает зачем для чего нужен нужна нужно нужны служит служат предназначен предназначена как когда
cosa che come como hoe wat waarvoor doet czego służy
befehl funktion schalter einstellung orden función opción parámetro fonction commande paramètre
функция команда параметр переменная настройка
"""
"""Words that only ask, of a name."""
_ASKING_ABOUT = """
use used using usage need needed needs work works working about tell explain describe define definition funktioniert
brauche verwenden benutzen benutze dient sirve funciona usar uso sert fonctionne utiliser работает работают
использовать используется funziona werkt gebruik działa
"""
"""Words that only ask of anything: "How does X work?"."""
_ABOUT = frozenset(_ASKING_ABOUT.split())
_ASK = _ABOUT.union(_ASKING.split())
_OF_A_NAME = re.compile(r"(?:\W*(?:use|usage|need|work)|.*\b(?:using|used|needed|working))\s+", re.IGNORECASE)
"""Words of these that stand right before a word that names something by itself: `using declaration`, `use case`."""
_HOW_TO = re.compile(
    r"\W*(?:how (?:to|do|can|could|should|would|must)|wie (?:kann|macht|muss|soll)"
    r"|(?:cómo|comment|как)(?! (?:funciona|fonctionne|работа[ею]т)))\b",
    re.IGNORECASE,
)
"""What asks how something is done: `using X` says that, X alone does not."""
_DOES = (
    r"(?i)\W*what\s+do(?:es)?\s+(?P<the>the\s+)?(?P<name>\S+)(?P<kind>\s+(?:option|flag|setting|parameter|rule|error"
    r"|warning|check|command|directive|variable|keyword))?\s+(?:affect|allow|ban|catch|change|check|complain about"
    r"|control|configure|describe|detect|determine|disable|disallow|enforce|find|forbid|govern|indicate|limit|look for"
    r"|prevent|prohibit|refer to|report|require|restrict|say|signal|tell|validate|verify"
    r"|warn about)(?:\s+for)?[\s?!.]*"
)
"""Asks what a rule, a setting or an error does in the words of what such do: `What does MD013 check?`."""
_FEW = 3
"""Words at most of a question that only names something."""
_UNSPACED = "[\u2e80-\u9fff\uac00-\ud7a3]"
_ENDS = "¿¡?!.,;:()[]{}`'\"“”„«»*"
OPTION = re.compile(r"(?<![\w-])--?\w[\w-]*|(?<![\w/.:<~)}\]-])/[A-Za-z?][\w-]*+(?!/|\.\w)")
"""An option, also as Windows has them: `--strict`, `/MD`. No path and no end of a tag."""
_OPERATION = re.compile(r"\b(GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS)[ \t]+(/[\w{}/.:-]*)")
"""An operation of an API: `GET /boats/{id}`."""
_WORDS = re.compile(r"[^\W_]+")
_NAMED = re.compile(
    r"`(?P<quoted>[^`\n]{1,200})`"
    r"|(?<![\w.])(?:"
    r"(?P<joined>\w++(?:(?:::|->|[.#\\])\w++)+|_*[^\W_]++_\w*|_+\w+|(?:[^\W_a-z][^\W_A-Z]+){2,}|[^\W_A-Z]++[A-Z]\w*)"
    r"|(?P<called>\w++)(?=\(\)))"
)
_JOINER = re.compile(r"[_.#\\:-](?:(?<=_)|(?<=[.#\\])\w|(?<=:):\w|(?<=-)>\w)")
"""What a joined name has."""
_ASKED = 16
"""Names of one question."""


@lru_cache(maxsize=256)
def alone(question: str) -> str:
    """The one name that a question asks about, where its other words only ask: `--strict` of "When should I use
    --strict?", `git log --oneline` with the command that the option is of. A question of a few words that ask nothing
    names something, too. Empty where there is none, where it is asked how something is done, and in scripts without
    spaces."""
    if not question.isascii() and re.search(_UNSPACED, question):  # compiled when first used: 3 ms
        return ""
    words = [word.strip(_ENDS) for word in question.split()]
    telling = [word for word in words if word and word.lower() not in _ASK]
    if len(telling) == len(words) <= _FEW:
        return " ".join(telling)
    if _HOW_TO.match(question):
        return ""
    if "what" in question.casefold() and (does := re.fullmatch(_DOES, question)) and _does(does):
        return does["name"].strip(_ENDS)
    if 1 < len(telling) <= _FEW and len(words) > len(telling) and OPTION.fullmatch(telling[-1]):
        return " ".join(telling)
    if len(telling) != 1:
        return ""
    is_part = _OF_A_NAME.fullmatch(question.partition(telling[0])[0]) is not None
    if spelled_as_a_name(telling[0]):
        return "" if is_part and len(words) == 2 else telling[0]
    return telling[0] if not is_part and any(word.lower() in _ABOUT for word in words) else ""


def _does(match: re.Match[str]) -> bool:
    """Whether what is asked about is called as rules, settings and errors are: spelled as names are, or joined by
    hyphens (`no-tar`); but no word of a language (`the by-law`) and nobody (`OSHA`), where no kind is named."""
    name, is_of_a_kind = match["name"].strip(_ENDS), match["kind"] is not None
    if "-" in name.strip("-") and name.islower():
        return is_of_a_kind or match["the"] is None
    return spelled_as_a_name(name) and (is_of_a_kind or not (name.isalpha() and name.isupper()))


def spelled_as_a_name(word: str) -> bool:
    """Whether a word is spelled as only names are: an option, joined, humped or in capitals."""
    is_in_capitals = word.isupper() and len(word) > 1
    return bool(is_in_capitals or OPTION.fullmatch(word) or _NAMED.fullmatch(word) or identifiers.camels(word))


def exact(text: str, name: str = "") -> list[str]:
    """The options, joined names and operations (`GET /boats`) in a text, as terms that only the same spelling has:
    `=--strict`, `=/MD`, `=a.b_c`; names in any case of letters, options in their own. `name`: one that is told by its
    capitals, too: `=Value`."""
    names = OPTION.findall(text) if "-" in text or "/" in text else []
    if text and _JOINER.search(text):
        names += [name.lower() for _, name, _ in _NAMED.findall(text) if name and _JOINER.search(name)]
    if "/" in text:
        names += [" ".join(operation) for operation in _OPERATION.findall(text)]
    if name.isascii() and name.isidentifier() and not name.islower():
        names.append(name)
    return [f"={name}" for name in dict.fromkeys(names)][:_ASKED]


def about(toolkit: str) -> str:
    """The term of every chunk that is about a toolkit: its own pages seldom say its name."""
    return _digest(f"about {' '.join(words_of(toolkit))}")


def words_of(name: str) -> list[str]:
    """The words of a toolkit's name as people may write it: `Scikit-Learn` is `scikit learn`."""
    return _WORDS.findall(name.casefold())


def _digest(name: str) -> str:
    digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=7).digest()
    return f"{_MARK}{int.from_bytes(digest)}"


_ERRORS = (
    "error", "fatal", "excep", "fail", "refused", "rejected", "denied", "time", "trace", "cannot", "could not",
    "unable", "no such", "not found", "not recogni", "abort", "panic", "fault", "fehler", "fehlge", "abgelehnt",
    "erreur", "échec", "refus", "denegado", "fallo", "ошибка", "错误", "エラー",
)  # fmt: skip
_ERROR_LINE = (
    r"(?is)(?!.*\?\s*\Z)(?!\W*(?:what|how|why|when|where|who|which|was|wie|warum|wann|wo|wer|comment|pourquoi|cómo|qué"
    r"|por qu[eé]|как|почему|что)\b)"
    r".*(?:\b(?:error|fatal|exception|fail(?:ed|ure)|refused|rejected|denied|timed out|timeout|traceback|cannot"
    r"|could not|unable to|no such|not (?:found|recogni[sz]ed)|abort(?:ed)?|panic|segfault|fehler|fehlgeschlagen"
    r"|abgelehnt|erreur|échec|refusée?|denegado|fallo)\b|\w(?:Error|Exception)\b|ошибка|错误|エラー)"
)
"""What lines of logs have that say that something failed, and how they read; compiled when it may be one."""


def is_error_line(question: str) -> bool:
    """Whether a question reads like a line of a log that says what failed, and asks nothing."""
    lower = question.lower()
    return any(mark in lower for mark in _ERRORS) and re.match(_ERROR_LINE, question) is not None
