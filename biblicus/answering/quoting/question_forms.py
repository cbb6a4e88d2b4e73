"""What form the answer to a question has: a definition, a contrast, steps, code; and whether a sentence has it.

Small tables of words. Definitions and contrasts are known in English, German, French, Spanish, Portuguese, Italian,
Dutch, Russian, Chinese and Japanese; elsewhere only the words of a question count.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from biblicus.answering import question_words
from biblicus.answering.quoting import contrasting
from biblicus.text.terms import defining, symbols

_ARTICLE = (
    r"(?:(?:an?|the|any|each|every|eine?[nmrs]?|der|die|das|den|dem|une?|les?|la|l['’]|un[ao]?|el|los|las|os?|as|il"
    r"|lo|i|gli|een|het|de|一个|一种|所谓的?)\s+|l['’]|一个|一种|所谓的?)"
)
_DEFINITION = re.compile(
    r"(?:^|[.!]\s)\W*(?:"
    rf"(?:what|who)(?:['’]s|\s+(?:exactly\s+)?(?:is|are|was|were))\s+(?:meant\s+by\s+)?{_ARTICLE}?(?P<en>.+)"
    rf"|what\s+do(?:es)?\s+(?:{_ARTICLE})?(?P<does>.+?)\s+(?:do|mean|stand\s+for|represent|refer\s+to|specify"
    rf"|control|do\s+(?:in|within)\s+(?:the\s+)?[\w.+#-]+(?:\s+(?:module|file|config(?:uration)?))?)"
    rf"|(?:define|explain|describe)\s+(?:what\s+{_ARTICLE}?(?P<what>.+?)\s+(?:is|are|means?)"
    rf"|{_ARTICLE}?(?P<define>.+))|(?:the\s+)?(?:meaning"
    rf"|definition)\s+of\s+{_ARTICLE}?(?P<of>.+)"
    rf"|(?:was|wer)\s+(?:genau\s+)?(?:ist|sind|war|waren|bedeutet|bedeuten|heißt|macht"
    rf"|bewirkt)\s+{_ARTICLE}?(?P<de>.+)"
    rf"|was\s+(?:versteht|meint)\s+man\s+unter\s+{_ARTICLE}?(?P<unter>.+)"
    rf"|(?:qué|que|quién|quiénes)\s+(?:es|son|era|fue|significan?|hace)\s+{_ARTICLE}?(?P<es>.+)"
    rf"|(?:qu['’]est[\s-]ce\s+qu(?:e\s+|['’])|qui\s+(?:est|sont|était)\s+|que\s+signifie\s+){_ARTICLE}?(?P<fr>.+)"
    rf"|o\s+que\s+(?:é|são|era|foi|significa)\s+{_ARTICLE}?(?P<pt>.+)|quem\s+(?:é|foi|era)\s+{_ARTICLE}?(?P<quem>.+)"
    rf"|(?:che\s+)?(?:cos['’]è|cosa\s+(?:è|sono|significa))\s+{_ARTICLE}?(?P<it>.+)|chi\s+(?:è|era"
    rf"|sono)\s+{_ARTICLE}?(?P<chi>.+)"
    rf"|(?:wat|wie)\s+(?:is|zijn|was|betekent|doet)\s+{_ARTICLE}?(?P<nl>.+)"
    r"|что\s+(?:такое|значит|означает|делает)\s+(?P<ru>.+)|кто\s+так(?:ой|ая|ие)\s+(?P<kto>.+)"
    r"|(?:什么是|何谓|何为|谁是)(?P<zh>.+)|(?P<shi>.+?)(?:是什么(?:意思)?|是谁|的定义|指的?是什么)|(?P<ja>.+?)(?:とは(?:何|なん)?.*|って何.*)"
    r")[\s?？!.。]*$",
    re.IGNORECASE,
)
_SUBJECT_WORDS = 5
_NOT_A_SUBJECT = re.compile(
    r"^(?:name|names|difference|reason|purpose|number|best|way|most|main|first|last|only|some|two|three|my|your"
    r"|their|his"
    r"|her|its|it|this|that|these|those|there|named|unterschied|diferencia|différence|difference|differenza"
    r"|verschil"
    r"|разниц\w+)\b|\b(?:who|that|which|when|where|called|known|used\s+to)\b",
    re.IGNORECASE,
)
# Where a thing is what it is, `a promise in JavaScript`; and what is no thing.
_WITHIN = re.compile(
    r"\s+(?:in|within|en|dans|em)\s+(?:the\s+|der\s+|dem\s+)?[\w.+#-]+(?:\s+[\w.+#-]+)?$", re.IGNORECASE
)
# What is asked of a thing is what it does: `conftest.py for`; and what kind of name one is: `--force option`.
_PURPOSE = re.compile(r"\s+(?:(?:used|good|meant|made|there)\s+)?for(?=[\s?!.]*$)", re.IGNORECASE)
_OF_A_KIND = re.compile(
    r"(\S+)\s+(?:(?:command[ -]line|compiler|environment|configuration)\s+)?(?:option|flag|switch|setting|parameter"
    r"|argument|directive|command|function|method|class|variable|attribute|macro|decorator|keyword|fixture|annotation"
    r"|property|enum|struct|interface|trait|constant)\b",
    re.IGNORECASE,
)
_KIND_BEFORE = re.compile(
    r"(?:die\s+|der\s+|la\s+|l['’]|el\s+|a\s+|o\s+|de\s+|il\s+|lo\s+)?(?:option|schalter|parameter|argument|opción|parámetro"
    r"|argumento|paramètre|opzione|parametro|opção|parâmetro|optie|опци[яию]|ключ|параметр|флаг)\s+(-\S+)"
    r"(?:\s+(?:von|bei|in|des|der|de|del|du|d['’]|di|da|do|van|en|em|dans|for|of|у|в|команды|программы)\s*(?P<whose>\S.*))?",
    re.IGNORECASE,
)
"""An option behind the word for what it is, and what it is of: `la opción -i de grep`."""
_OF_WHAT = re.compile(r"(.+?)\s+(?:of|in|for|to)\s+(?:the\s+)?(.+)", re.IGNORECASE)
"""What an option is of: `-i option of git rebase`."""
_HAS = re.compile(
    r"\W*(?:what|which)\s+(?P<what>[\w-]+(?:\s+[\w-]+)?)\s+(?:do|does)\s+(?P<whose>.+?)"
    r"\s+(?:have|use|need|require|support|come\s+with|run\s+on)[\s?]*$",
    re.IGNORECASE,
)
"""Asks for something of a thing: `what license does dask have`, the license of dask."""
_SYMBOL = re.compile(r"[<>\[\]{}=|/\\_]|(?<!\w)-{1,2}\w|\w[.:]+\w")
_NO_THING = re.compile(
    r"(?:new|different|changed?|wrong|special|included|stored|missing|happening|available|used)", re.IGNORECASE
)
_HOW_TO = re.compile(
    r"\bhow\s+(?:to|do|can|could|should|would|must)\s*(?:i|you|we|one|people)?\b|\bsteps?\s+to\b"
    r"|\bwie\s+(?:kann|muss|soll|macht|lässt|geht|ich|man|wir|du)\b|\bhoe\s+(?:kan|moet|maak|ik|je|men|we|wij|u)\b"
    r"|\b(?:cómo|como)\s+(?:\w+(?:ar|er|ir|o)|se|puedo|puede|podemos)\b|\bcomo\s+(?:posso|podemos|faço)\b"
    r"|\bcomment\s+(?:\w+(?:er|ir|re|oir)|puis-je|peut-on|dois-je|faut-il|est-ce\s+que\s+(?:je|on|nous)|je|on)\b"
    r"|\bcome\s+(?:si|posso|possiamo|\w+re)\b|\bcum\s+(?:pot|se|să|putem)\b"
    r"|\b(?:hur|hvordan)\s+(?:kan|ska[lr]?|gör|gjør|\w+\s+(?:jag|jeg|man|vi|du))\b"
    r"|\bкак\s+(?:\w+(?:ть|ться|чь)|можно|мне)\b|\bяк\s+(?:\w+ти(?:ся)?|можна|мені)\b"
    r"|\bjak\s+(?:\w+ć|\w+t|mogę|mohu|można|lze)\b|\bbagaimana\s+(?:cara|saya)\b|\blàm\s+(?:thế\s+nào|sao)\b"
    r"|\bnasıl\s+\w+|어떻게|如何|怎么|怎麼|怎样|怎樣|どうやって|どのように|するには|方法(?:は|を教|[?？]|$)",
    re.IGNORECASE,
)
_TASKS = """
accept access activate add adjust allow apply assign attach authenticate avoid backup back build bundle cache call
cancel change check choose clean clear clone close combine compare compile compress compute configure connect control
convert copy count create customize customise debug declare decode define delete deploy detect disable display download
draw drop edit embed enable encode encrypt enforce ensure escape exclude execute exempt exit expand expose extend
extract fetch filter find fix forbid force forward generate get group handle hide ignore implement import improve
include increase inherit initialize insert inspect install integrate invoke iterate join keep launch limit load loop
lower make manage map measure merge migrate mock modify monitor mount move narrow open optimize order override package
parse pass patch paginate perform pick pin plot prepare preserve prevent profile protect publish pull push query raise
read rebuild receive reconnect record redirect reduce refresh register release reload remove rename render repeat
replace report request require reset resize resolve restart restore restrict retry reuse revert roll rotate run save
scale schedule secure select send separate serialize serve set setup share ship shut silence simulate skip solve sort
specify speed split squash stop store stream subscribe substitute suppress swap switch sync tag throttle track transfer
transform translate trigger troubleshoot truncate turn undo uninstall unlock unpack update upgrade upload use validate
verify view wait warn watch wrap write
"""
"""Verbs with which people say what they want done: "add an index to a model"."""
_TASK = re.compile(rf"\W*(?:{'|'.join(_TASKS.split())})\s+\w[^?？]*$", re.IGNORECASE)
_MADE = re.compile(r"\bcommand(?: line)?\b|\bbefehl\w*\b|\bcomando\b|команд|命令", re.IGNORECASE)
"""What is code, and also what something is done with: "write a management command"."""
_CODE = re.compile(
    r"\b(?:code|snippet|syntax|example|sample|declaration|signature|prototype|command(?: line)?|beispiel\w*|quelltext"
    r"|befehl\w*|exemple|ejemplo|código|sintaxis|comando|exemplo|esempio|codice|voorbeeld)\b|пример|код\w*\b|команд"
    r"|代码|示例|例子|语法|命令|コード",
    re.IGNORECASE,
)
_ASKS_FOR_CODE = re.compile(
    r"\b(?:example|sample|snippet|syntax|declaration|signature|prototype|source code|code (?:for|to|of|that)|command"
    r"|beispiel\w*|befehl|exemple|ejemplo|sintaxis|comando|exemplo|esempio|voorbeeld)\b|пример|команд|代码|示例|例子|语法|命令",
    re.IGNORECASE,
)
_LISTING = re.compile(
    r"\W*(?:"
    r"(?:(?:in|on|at|for|from|with|by|under)\s+)?(?:which|what)\s+(?:(?!is|does|was"
    r"|has)[\w./+-]+\s+){0,3}?(?!(?:happens|causes|makes|goes|does|is|was|has|means)\b)[\w-]+[^\Ws]s"
    r"\s+(?:are|were|do|does|did|can|could|may|must|should|will|have|has|come|exist|support|of|for)\b"
    r"|what\s+are\s+(?:all\s+)?(?:the|some)\s+(?:[\w-]+\s+){0,3}?[\w-]+[^\Ws]s\b"
    r"|(?:list|name|enumerate)\s+(?:all|the|some|every)\s"
    r"|welche[rns]?\s+\w+\s+\w|was\s+sind\s+die\s|qu(?:els|elles)\s|(?:cuáles|qué\s+\w+s)\s|qual[ii]s?\s+sono\s"
    r"|quais\s|welke\s"
    r"|какие\s)|.{0,60}哪[些几]",
    re.IGNORECASE,
)
"""Asks for several things, which a list may name."""
# Whether, why, when, who and where are told in words, whatever is asked about.
_ASKS_FOR_WORDS = re.compile(
    r"\W*(?:is|are|was|were|do|does|did|can|may|must|should|could|will|has|have|why|when|who|whose|where"
    r"|how\s+(?:many|much|long|often)|ist|sind|kann|darf|muss|warum|wann|wer|wo|wie\s+viele?|es|son|puede|hay|quién"
    r"|what\s+(?:did|does|do|has|have)\s.{1,60}?\s(?:say|said|write|written|think|tell|told|mention\w*"
    r"|suggest\w*|propose\w*)"
    r"|cuándo|dónde|cuánt\w+|por\s+qué|est-ce|peut|quand|qui|où|combien|pourquoi|почему|когда|кто|где|сколько"
    r"|можно)\b"
    r"|为什么|什么时候|谁|哪里|多少|是否",
    re.IGNORECASE,
)

_ASKS_MEANING = re.compile(
    r"(?P<rest>\bwhat\s+do(?:es)?\s.{1,60}?)\s(?:means?|stand\s+for|refer\s+to|signify)\b|\bwas\s+bedeute[tn]\b"
    r"|\b(?:qué|que|cosa)\s+(?:significan?|signifi(?:e|ent)|significano)\b|\bwat\s+beteken(?:t|en)\b"
    r"|\bчто\s+(?:значит|означает)\b",
    re.IGNORECASE,
)

# What asks for somebody, or for the one thing that is so: not for what a word means.
_ASKS_FOR_ONE = re.compile(
    r"^\W*(?:who|wer|quién|quiénes|qui|quem|chi|wie|кто)\b"
    r"|\b(?:the|der|die|das|den|dem|les?|la|el|los|las|os?|as|il|lo|i|gli|het|de)\s+$|\bl['’]$",
    re.IGNORECASE,
)
_A_WORD, _UNSPACED = 2, 6
"""Words of a term at most, and characters of a script that writes words together."""
_PARTS = re.compile(r"['’]s\b|的|\b(?:of|von|de|du|d['’]|del|di|van)\b", re.IGNORECASE)
_WIDE = re.compile("[\u2e80-\u9fff]")
_COPULA = re.compile(
    r"(?:\s+|(?<=[\u2e80-\u9fff)])|(?=[:,(])|(?<=\w)(?=是|とは|は))(?:\([^()]{1,80}\)\s*)?(?:,[^,.;]{1,80},\s*)?(?:"
    r"(?P<is>(?:is|are|was|were|ist|sind|war|waren|est|sont|était|es|son|era|fue|é|são|foi|è|sono|zijn|is\s+also)\b"
    r"|(?:—|–)\s*это\b|это\b|явля[её]тся\b|является\b|являются\b|是|とは|は)"
    r"|(?P<means>(?:means?|refers?\s+to|denotes?|stands?\s+for|describes?|represents?|consists?\s+of|defines?"
    r"|specif(?:y|ies)"
    r"|indicates?|identif(?:y|ies)|bedeutet|bezeichnet|beschreibt|bezeichnen|désigne|signifie|significa|designa"
    r"|consiste"
    r"|se\s+refiere|indica|betekent|означает|обозначает|называ[её]тся|представляет)\b|指的?是?|即|意味)"
    r"|(?P<dash>[—–]|(?<=[^\s'\"]):\s|-{1,2}\s)"
    r"|(?P<does>(?:allows?|enables?|provides?|lets?|contains?|causes?|creates?|returns?|determines?|controls?"
    r"|makes?|tells?"
    r"|sets?|uses?|implements?|encapsulates?|supports?|gives?|produces?|performs?|instructs?|turns?|disables?"
    r"|generates?"
    r"|checks?|converts?|compiles?|can\s+be|has|have|holds?|stores?|adds?|removes?|takes?|serves?|helps?|works?"
    r"|ermöglicht"
    r"|erzeugt|enthält|liefert|permet|permite|contiene|позволяет|содержит)\b|用于|用来|允许))",
    re.IGNORECASE,
)
_CLASS = re.compile(
    rf"\s*(?:(?:also|typically|usually|basically|simply|generally|often|just|essentially|eine?\s+art"
    rf"|a\s+kind\s+of)\s+)?"
    rf"(?:{_ARTICLE}|(?-i:[A-Z])[\w.&-]{{0,40}}['’]s?\s|one\s+of|any\b|anything|something|what\b"
    r"|(?:used|designed|intended|meant|responsible)\s+(?:to|for|by|in|when)\b|how\b|when\b|a\s)",
    re.IGNORECASE,
)
_SMALL_WORDS = frozenset(("of", "for", "each", "in", "on", "to"))
_HUMPED = re.compile(r"\b\w*(?:[a-z\d][A-Z]|[A-Z]{2}[a-z]|[^\W_]_[^\W_])\w*")
"""A name of several words written as one: `WinchDrum`, `CWinch`, `winch_drum`."""
_WEAK = re.compile(
    r"\s*(?:not\b|no\b|nicht\b|n['’]est pas|no es\b|не\b|required|available|deprecated|obsolete|located|shown"
    r"|described|listed"
    r"|discussed|documented|optional|needed|the\s+(?:same|following|default|first|last|only|next|most|main)\b"
    r"|an?\s+example"
    r"|also\b|being|used\b(?!\s+(?:to|for)\b)|called\b|now\b|still\b|always\b|never\b|often\b|as\s+follows|generated|defined|declared"
    r"|created)",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"(?:in|for|as|within|under|on|by|bei|im|in\s+der|en|dans|в|при)\s[^,.;:]{1,60},\s*"
    r"|(?:note that|also|briefly|formally)\s*,?\s*"
    r"|(?:the\s+)?(?:term|word|concept|begriff|ausdruck|terme|término|термин|понятие)\s+(?:of\s+|de\s+)?",
    re.IGNORECASE,
)
_FIRST_ARTICLE = re.compile(rf"^\W*{_ARTICLE}", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]*\)")
_NUMBERED = re.compile(r"^\s*\(?\d{1,2}[.)]\s+")
_LONGER_NAME = re.compile(r"\sof\s(?!(?:the|an?|this|that|these|those|its|his|her|their|our|my|your)\s)", re.IGNORECASE)
"""What makes another name of a word before it: `chain of command`, not `the chain of the anchor`."""
_NAMED = re.compile(
    r"\bwe\s+(?:will\s+)?call\s+(?:(?:this|these|it|them)\s+)?|"
    r"\b(?:is|are)\s+(?:also\s+)?(?:called|termed|named|known\s+as|referred\s+to\s+as)\s+|\b(?:called|known\s+as"
    r"|termed)\s+"
    r"|\b(?:wird|werden)\s+(?:als\s+)?|\b(?:se\s+(?:llama|denomina)|llamad[oa]s?|conocid[oa]s?\s+como)\s+"
    r"|appelée?s?\s+|называ\w+\s+|称为|叫做?",
    re.IGNORECASE,
)
_ROLE = re.compile(
    rf"(?-i:[A-ZÀ-ÞА-ЯЁ])[\w.&'’-]*[*_]{{0,2}}\s*\((?:(?:hereinafter|in the following|im folgenden"
    rf"|nachfolgend)\W+)?{_ARTICLE}?"
    r"[\"'“”„«*_]*(?P<is>[^()\"'“”„»*_]{2,40})[\"'“”»*_]*\)",
    re.IGNORECASE,
)
_IN_OTHER_WORDS = re.compile(
    r"\s*(?:[(（](?!see\b|siehe\b|cf\b|e\.\s?g\.|z\.\s?b\.|\d)"
    r"(?=[^()（）]*(?:[^\W\d_]{2,}\W+[^\W\d_]{2,}|[\u2e80-\u9fff]{2}))[^()（）]{2,240}[)）]"
    r"|,\s*(?:or|i\.\s?e\.|that\s+is(?:\s+to\s+say)?|namely|oder|d\.\s?h\.|das\s+heißt|o\s+sea|es\s+decir|ou"
    r"|c['’]est-à-dire"
    r"|то\s+есть|или)\s|,\s*(?:pairs?\s+of\s|(?:a\s+)?kinds?\s+of\s))",
    re.IGNORECASE,
)
_WHAT_IT_DOES = re.compile(
    r"\bwhat\s+do(?:es)?\b|\bwas\s+(?:macht|bewirkt)\b|\b(?:qué|que)\s+hace\b|\bwat\s+doet\b|что\s+делает",
    re.IGNORECASE,
)
# How a sentence begins that says what kind of thing is meant, and one that goes on from something else.
_KIND_FIRST = re.compile(
    rf"\W*(?:{_ARTICLE}|an?\s|any\b|one\s+of\b|some(?:thing|one)\b|synonym\b|abbreviation\b|acronym\b"
    r"|short(?:hand)?\s+for\b|kurzform\b|abkürzung\b|synonyme?\b|sinónimo\b|аббревиатура|сокращение|синоним)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\W*(?:there\s+(?:is|are|was|were)|often|sometimes|normally|usually|occasionally|by\s+default"
    r"|in\s+(?:this|that|these|those|such|some|most|many|addition|general|particular)|however|but|and|also|so"
    r"|now|here"
    r"|for\s+example|note|see|the\s+(?:following|previous|above|next|remaining)|as\s+(?:mentioned|described|noted"
    r"|discussed|shown|explained)|like|suppose|consider|imagine|assume|you|we|if|when|whether|let|to|this|these|that"
    r"|those|it|they)\b",
    re.IGNORECASE,
)
_GOING_ON = 0.15
_START = 160
"""Characters in which a sentence that defines names what it defines."""
_QUALIFIER = 3
"""Words that may stand beside a subject: `an X object`, `the class X`."""


@dataclass(frozen=True, slots=True)
class Form:
    """`subject`: what is to be defined, in the question's words, empty where nothing is; `term`: whether it is a
    word or two whose meaning is asked for; `does`: whether by what it does; `named`: whether it is only named, and what
    is called so tells of it; `contrast`: whether sides are to be told apart, `sides`: which, where it says so; `steps`,
    `code`: whether these are asked for; `several`: whether the things of a kind are, which a list may name."""

    subject: str = ""
    term: bool = False
    does: bool = False
    named: bool = False
    contrast: bool = False
    sides: tuple[str, ...] = ()
    steps: bool = False
    code: bool = False
    several: bool = False


@lru_cache(maxsize=256)
def form_of(question: str) -> Form:
    """The form that the answer to a question has."""
    if subject := question_words.purpose_of(question):
        question = f"what is {subject} for?"
    contrast = contrasting.ASKED.search(question) is not None
    steps = not contrast and (_HOW_TO.search(question) or _TASK.match(question)) is not None
    subject, term = ("", False) if contrast or steps else _subject(question)
    name = "" if contrast or steps else symbols.alone(question)
    if name and name != subject:
        return Form(name, does=True, named=True)
    # What a declaration is, is told in words; the declaration of something is code.
    asked = subject or (_MADE.sub(" ", question) if steps else question)
    code = _ASKS_FOR_CODE.match(asked) if subject else _ASKS_FOR_CODE.search(asked)
    does = bool(subject) and (_WHAT_IT_DOES.search(question) or _PURPOSE.search(question)) is not None
    between = contrasting.SIDES.search(question) if contrast else None
    sides = between.groups() if between else ()
    is_code = code is not None and not _ASKS_FOR_WORDS.match(question)
    several = not (contrast or steps) and _LISTING.match(question) is not None
    return Form(subject, term, does, contrast=contrast, sides=sides, steps=steps, code=is_code, several=several)


def is_task(name: str) -> bool:
    """Whether a heading says what is done, in the words of a task: `Configure with harbour.toml`."""
    return _TASK.match(name) is not None


def is_symbol(name: str) -> bool:
    """Whether a name is an option's, a setting's, a file's or a placeholder's, and no word."""
    return _SYMBOL.search(name) is not None


_RUN = re.compile(
    r"\A(?:the )?(?:make(?:file)? target|target|make|npm (?:run|script)|(?:npm )?script|yarn(?: run)?|rake(?: task)?"
    r"|just)\s+(?=\S+\Z)",
    re.IGNORECASE,
)
"""What a target or a script is run by: `make test`."""


def _subject(question: str) -> tuple[str, bool]:
    """What is to be defined, and whether it is a term; empty where nothing is."""
    has = _HAS.match(question)
    match = _DEFINITION.search(f"what is the {has['what']} of {has['whose']}" if has else question)
    if match is None:
        return "", False
    written = next(text for text in match.groupdict().values() if text)
    subject = written.strip(" \t?？!.。\"'“”„«»`")
    subject, is_purpose = _PURPOSE.subn("", _RUN.sub("", subject))
    if before := _KIND_BEFORE.fullmatch(subject):
        subject = f"{before['whose']} {before[1]}" if before["whose"] else before[1]
    of_what = _OF_WHAT.fullmatch(subject)
    if (of_a_kind := _OF_A_KIND.fullmatch(of_what[1] if of_what else subject)) and is_symbol(of_a_kind[1]):
        subject = f"{of_what[2]} {of_a_kind[1]}" if of_what else of_a_kind[1]
    if (within := _WITHIN.search(subject)) and not _NO_THING.fullmatch(subject[: within.start()]):
        subject = subject[: within.start()]
    words = len(subject.split())
    if words > _SUBJECT_WORDS or len(subject) > _START or _NOT_A_SUBJECT.search(subject):
        return "", False
    is_short = words <= _A_WORD and len(_WIDE.findall(subject)) <= _UNSPACED and not _PARTS.search(subject)
    is_one = "谁" in question or _ASKS_FOR_ONE.search(match.string[: match.start(match.lastgroup or 0)]) is not None
    return subject, is_short and not is_one and not is_purpose


Terms = Callable[[str], list[str]]
"""Makes the terms of a text, as those of the question were made."""


def defines(text: str, subject: frozenset[str], terms: Terms) -> float:
    """How much a sentence defines a subject (0-1): 1 where it says what kind of thing it is.

    `subject`: its terms. Where the subject only stands beside what is defined (`an X object`), or where something else
    is said of it, less.
    """
    start = _LEADING.match(text)
    for begin in (start.end(), 0) if start else (0,):
        head = text[begin : begin + _START]
        for match in _COPULA.finditer(head):
            short = defining.short_form(head, match.start())
            if short and {*terms(short)} == subject:
                return _said(head[match.end() :], match)
            beside = _beside(head[: match.start()], subject, terms)
            if beside is None:
                if len(head[: match.start()].split()) > _SUBJECT_WORDS + _QUALIFIER:
                    break
                continue
            return beside * _said(head[match.end() :], match)
    if _is_one_of(text, subject, terms):
        return 0.9
    return 0.5 if _is_named(text, subject, terms) or _in_other_words(text, subject, terms) else 0.0


def _said(rest: str, match: re.Match[str]) -> float:
    """What is said of a subject after its verb: what kind of thing it is, what it does, or something else."""
    if match["is"]:
        unspaced = match["is"] >= "\u2e80" or match["is"].endswith("это")
        if _WEAK.match(rest):
            return 0.4
        return 1.0 if unspaced or _CLASS.match(rest) else 0.7
    if match["means"]:
        return 0.9
    return 0.8 if match["dash"] else 0.6


def _beside(before: str, subject: frozenset[str], terms: Terms) -> float | None:
    """1 where the words before a verb are the subject, less where others are beside it, None where it is not there."""
    before = _FIRST_ARTICLE.sub("", _NUMBERED.sub("", _ASIDE.sub(" ", before)).strip())
    named = terms(before)
    if not subject <= set(named):
        return None
    parts = frozenset(terms(" ".join(_HUMPED.findall(before))))  # humped names are terms in parts, too
    known = subject | _SMALL_WORDS | (parts if subject & parts else frozenset())
    others = len([term for term in named if term not in known])
    longer = _LONGER_NAME.search(before)
    if longer and subject <= {*terms(before[: longer.start()])}:
        return None
    words = len(before.split())
    most = max(len(subject), 1) + (2 if _SMALL_WORDS & {*named} else 1)
    if not others and words <= most:
        return 1.0
    return 0.6 if others <= _QUALIFIER and words <= len(subject) + _QUALIFIER else None


def _is_one_of(text: str, subject: frozenset[str], terms: Terms) -> bool:
    """Whether a sentence says in brackets right behind a name what that is: `Ada Stone (the "Landlord")`."""
    return any({*terms(match["is"])} == subject for match in _ROLE.finditer(text))


def _is_named(text: str, subject: frozenset[str], terms: Terms) -> bool:
    """Whether a sentence gives something the subject as its name: `… is called an X`."""
    for match in _NAMED.finditer(text):
        after = re.split(r"[,.;:()。，；]", text[match.end() : match.end() + 80], maxsplit=1)[0]
        named = terms(" ".join(after.split()[: len(subject) + 2]))
        if named and subject <= set(named):
            return True
    return False


def _in_other_words(text: str, subject: frozenset[str], terms: Terms) -> bool:
    """Whether a sentence says right after the subject what that is: `X (a kind of Y)`, `X, or Y`, `X, a kind of Y`."""
    for match in _IN_OTHER_WORDS.finditer(text):
        before = text[max(0, match.start() - _START) : match.start()].split()
        if subject <= set(terms(" ".join(before[-max(len(subject), 1) :]))):
            return True
    return False


def says_of_a_symbol(text: str, form: Form) -> bool:
    """Whether a text holds the very name of what it is asked to do, and that is no word."""
    return form.does and is_symbol(form.subject) and form.subject in text


def begins_entry(text: str, does: bool) -> float:
    """How much the first sentence of an entry defines what that is called (0-1): most where it begins with a kind of
    thing, least where it goes on from something else. `does`: what it does is asked, which any other form says."""
    if does:
        return 0.9
    return 0.95 if _KIND_FIRST.match(text) else _GOING_ON if _GOES_ON.match(text) else 0.8


@lru_cache(maxsize=256)
def without_form(question: str) -> str:
    """A question without the words that only say which form its answer has."""
    if form_of(question).named:
        return form_of(question).subject
    question = _ASKS_MEANING.sub(lambda match: match["rest"] or " ", question)
    question = _OF_A_KIND.sub(lambda match: match[1] if is_symbol(match[1]) else match[0], question)
    for pattern in (contrasting.ASKED, _CODE):
        without = pattern.sub(" ", question)
        question = without if re.search(r"\w{3}", without) else question
    return question
