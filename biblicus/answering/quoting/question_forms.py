"""What form the answer to a question has: a definition, a contrast, steps, code.

Small tables of words. Definitions and contrasts are known in English, German, French, Spanish, Portuguese, Italian,
Dutch, Russian, Chinese and Japanese, definitions in fifteen more; elsewhere only the words of a question count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from biblicus.answering import question_words
from biblicus.answering.quoting import contrasting
from biblicus.answering.quoting.scores import conditions
from biblicus.text.terms import symbols, tasks

ARTICLE = (
    r"(?:(?:an?|the|any|each|every|eine?[nmrs]?|der|die|das|den|dem|une?|les?|la|l['’]|un[ao]?|el|los|las|os?|as|il"
    r"|lo|i|gli|een|het|de|一个|一种|所谓的?)\s+|l['’]|一个|一种|所谓的?)"
)
_AN_ARTICLE = re.compile(rf"^{ARTICLE}", re.IGNORECASE)
_DEFINITION = re.compile(
    r"(?:^|[.!]\s)\W*(?:"
    rf"(?:what|who)(?:['’]s|\s+(?:exactly\s+)?(?:is|are|was|were))\s+(?:meant\s+by\s+)?{ARTICLE}?(?P<en>.+)"
    rf"|what\s+do(?:es)?\s+(?:{ARTICLE})?(?P<does>.+?)\s+(?:do|mean|stand\s+for|represent|refer\s+to|specify"
    rf"|control|do\s+(?:in|within)\s+(?:the\s+)?[\w.+#-]+(?:\s+[\w-]+)?)"
    rf"|(?:define|explain|describe)\s+(?:what\s+{ARTICLE}?(?P<what>.+?)\s+(?:is|are|means?)"
    rf"|{ARTICLE}?(?P<define>.+))|(?:the\s+)?(?:meaning"
    rf"|definition)\s+of\s+{ARTICLE}?(?P<of>.+)"
    rf"|(?:was|wer)\s+(?:genau\s+)?(?:ist|sind|war|waren|bedeutet|bedeuten|heißt|macht"
    rf"|bewirkt)\s+{ARTICLE}?(?P<de>.+)"
    rf"|was\s+(?:versteht|meint)\s+man\s+unter\s+{ARTICLE}?(?P<unter>.+)"
    rf"|(?:qué|que|quién|quiénes)\s+(?:es|son|era|fue|significan?|hace)\s+{ARTICLE}?(?P<es>.+)"
    rf"|(?:qu['’]est[\s-]ce\s+qu(?:e\s+|['’])|qui\s+(?:est|sont|était)\s+|que\s+(?:signifie|fai(?:t|ont))\s+){ARTICLE}?(?P<fr>.+)"
    rf"|o\s+que\s+(?:é|são|era|foi|significa|faz)\s+{ARTICLE}?(?P<pt>.+)|quem\s+(?:é|foi|era)\s+{ARTICLE}?(?P<quem>.+)"
    rf"|(?:che\s+)?(?:cos['’]è|cosa\s+(?:è|sono|significa|fa))\s+{ARTICLE}?(?P<it>.+)|chi\s+(?:è|era"
    rf"|sono)\s+{ARTICLE}?(?P<chi>.+)"
    rf"|(?:wat|wie)\s+(?:is|zijn|was|betekent|doet)\s+{ARTICLE}?(?P<nl>.+)"
    r"|(?:vad|hvad|hva)\s+(?:är|er|betyder|gör|gjør)\s+(?:ett?\s+|en\s+)?(?P<sv>.+)|mikä\s+on\s+(?P<fi>.+)"
    r"|mi\s+az?\s+(?:az?\s+)?(?P<hu>.+)|ce\s+(?:este|e|sunt|înseamnă)\s+(?:un\s+|o\s+)?(?P<ro>.+)"
    r"|(?:co\s+to\s+(?:jest|są|je)|co\s+(?:je|jsou|znamená|oznacza)(?:\s+to)?|czym\s+(?:jest|są))\s+(?P<pl>.+)"
    r"|apa(?:kah)?\s+(?:itu|yang\s+dimaksud\s+dengan)\s+(?P<id>.+)|що\s+(?:таке|означає|робить)\s+(?P<uk>.+)"
    r"|τι\s+(?:είναι|σημαίνει|κάνει)\s+(?:(?:ο|η|το|οι|τα|ένας|μ[ιί]α|ένα)\s+)?(?P<el>.+)"
    r"|ما(?:ذا)?\s+(?:هو|هي|معنى|تعني|يعني)\s+(?P<ar>.+)|מה\s+(?:זה|הוא|היא)\s+(?P<he>.+)"
    r"|что\s+(?:такое|значит|означает|делает)\s+(?P<ru>.+)|кто\s+так(?:ой|ая|ие)\s+(?P<kto>.+)"
    r"|(?:什么是|何谓|何为|谁是)(?P<zh>.+)|(?P<shi>.+?)(?:是什么(?:意思)?|是谁|的定义|指的?是什么)|(?P<ja>.+?)(?:とは(?:何|なん)?.*|って何.*)"
    r")[\s?？!.。;؟]*$",
    re.IGNORECASE,
)
_DEFINITION_LAST = re.compile(
    r"^\W*(?:"
    r"(?P<vi>\w.*?)\slà\s(?:cái\s)?gì(?:\svậy)?|(?P<tr>\w.*?)\s(?:nedir|ne\sdemek(?:tir)?)|(?P<fa>\w.*?)\sچیست"
    r"|(?P<ko>\w.*?)(?:이?란|은|는)\s(?:무엇|뭐)\S*|(?P<hi>\w.*?)\sक्या\s(?:होता\s|होती\s)?हैं?|(?P<th>\w.*?)คืออะไร"
    r")[\s?？!.。؟]*$",
    re.IGNORECASE,
)
"""The same in languages that ask behind what they ask about."""
_LONGEST = 300
"""Characters of a question that may ask what something is, what comes of it, or when it is used."""
SUBJECT_WORDS, _OF_A_PART = 5, 2
"""Words of a subject at most, and further ones where it is a part of something: `the strop argument of the hoist`."""
_NOT_A_SUBJECT = re.compile(
    r"^(?:name|names|difference|reason|purpose|number|best|way|most|main|first|last|only|some|two|three|my|your"
    r"|their|his"
    r"|her|its|it|this|that|these|those|there|named|unterschied|diferencia|différence|difference|differenza"
    r"|verschil|skillnaden|forskellen|forskjellen"
    r"|разниц\w+)\b|\s(?:quand|lorsque|quando|cuando|när|wenn)\s|\b(?:who|that|which|when|where|called|known|used\s+to)\b",
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
_A_KIND = re.compile(r"\b(?:(?:is|are|does)\s+(?:an?\s+)?|eine?n?\s+|une?\s+|una?\s+|een\s+)$", re.IGNORECASE)
_LISTING = re.compile(
    r"\W*(?:"
    r"(?:(?:in|on|at|for|from|with|by|under)\s+)?(?:which|what)\s+(?:(?!(?:is|does|was|has|should|would"
    r"|could|can|must|may|might|will|did|do)\b)[\w./+-]+\s+){0,3}?(?!(?:happens|causes|makes|goes|does|is|was|has|means)\b)[\w-]+[^\Ws]s"
    r"\s+(?:are|were|do|does|did|can|could|may|must|should|will|have|has|come|exist|support|of|for)\b"
    r"|what\s+are\s+(?:all\s+)?(?:the|some)\s+(?:[\w-]+\s+){0,3}?[\w-]+[^\Ws]s\b"
    r"|(?:list|name|enumerate)\s+(?:all|the|some|every)\s"
    r"|welche[rns]?\s+\w+\s+\w|was\s+sind\s+die\s|qu(?:els|elles)\s|(?:cuáles|qué\s+(?!somos\b)\w{2,}s)\s|qual[ii]s?\s+sono\s"
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
_WHAT_IT_DOES = re.compile(
    r"\bwhat\s+do(?:es)?\b|\bwas\s+(?:macht|bewirkt)\b|\b(?:qué|que)\s+hace\b|\bwat\s+doet\b|что\s+делает"
    r"|\bque\s+fait\b|\bo\s+que\s+faz\b|\bcosa\s+fa\b",
    re.IGNORECASE,
)
START = 160
"""Characters in which a sentence that defines names what it defines."""


@dataclass(frozen=True, slots=True)
class Form:
    """`subject`: what is to be defined, in the question's words, empty where nothing is; `term`: whether it is a
    word or two whose meaning is asked for; `does`: whether by what it does; `named`: whether it is only named, and what
    is called so tells of it; `contrast`: whether sides are to be told apart, `sides`: which, where it says so; `steps`,
    `code`: whether these are asked for; `several`: whether the things of a kind are, which a list may name;
    `condition`: that of which it is asked what comes of it; `usage`: whether it is asked when something is used."""

    subject: str = ""
    term: bool = False
    does: bool = False
    named: bool = False
    contrast: bool = False
    sides: tuple[str, ...] = ()
    steps: bool = False
    code: bool = False
    several: bool = False
    condition: str = ""
    usage: bool = False

    def opens(self, text: str) -> bool:
        """Whether what leads to a list may open one that answers: the things of a kind, or how two differ."""
        return self.several or (self.contrast and contrasting.leads(text))


_ASIDE = re.compile(
    r"\([^()]*\b(?:similar to|like|unlike|as in|such as|cf\.|compare|equivalent)\s[^()]*\)"
    r"|\b(?:similar to|unlike) \S+ \S+",
    re.IGNORECASE,
)
"""What is only compared."""


@lru_cache(maxsize=256)
def form_of(question: str) -> Form:
    """The form that the answer to a question has."""
    is_short = len(question) <= _LONGEST
    if is_short and (asks := conditions.ASKED.search(question)):
        return Form(condition=question[asks.end() :] or question[: asks.start()])
    if is_short and (used := conditions.used(question)):
        form = form_of(f"what is {used} for?")
        return replace(form, named=False, usage=True) if form.subject else Form()
    if subject := question_words.purpose_of(question):
        question = f"what is {subject} for?"
    contrast = contrasting.ASKED.search(question) is not None
    steps = not contrast and (_HOW_TO.search(question) is not None or tasks.is_imperative(question))
    subject, term = ("", False) if contrast or steps else _subject(question)
    name = "" if contrast or steps else symbols.alone(question)
    if name and name != subject and not (subject and subject in name):
        return Form(name, does=True, named=True)
    # What a declaration is, is told in words; the declaration of something is code.
    asked = subject or (_MADE.sub(" ", question) if steps else question)
    code = _ASKS_FOR_CODE.match(asked) if subject else _ASKS_FOR_CODE.search(asked)
    if code and code[0] == subject and _A_KIND.search(question[: question.find(subject)]):
        code = None  # what a signature is, is told in words, too
    does = bool(subject) and (_WHAT_IT_DOES.search(question) or _PURPOSE.search(question)) is not None
    sides = tuple(_AN_ARTICLE.sub("", side) for side in contrasting.sides(question)) if contrast else ()
    is_code = code is not None and not _ASKS_FOR_WORDS.match(question)
    several = not (contrast or steps) and _LISTING.match(question) is not None
    return Form(subject, term, does, contrast=contrast, sides=sides, steps=steps, code=is_code, several=several)


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
    question = " ".join(question.split())
    if len(question) > _LONGEST:
        return "", False
    has = _HAS.match(question)
    asked = f"what is the {has['what']} of {has['whose']}" if has else question
    match = _DEFINITION.search(asked) or _DEFINITION_LAST.match(asked)
    if match is None:
        return "", False
    written = next(text for text in match.groupdict().values() if text)
    subject = written.strip(" \t?？!.。;؟\"'“”„«»`")
    subject, is_purpose = _PURPOSE.subn("", _RUN.sub("", subject))
    if before := _KIND_BEFORE.fullmatch(subject):
        subject = f"{before['whose']} {before[1]}" if before["whose"] else before[1]
    of_what = _OF_WHAT.fullmatch(subject)
    if (of_a_kind := _OF_A_KIND.fullmatch(of_what[1] if of_what else subject)) and is_symbol(of_a_kind[1]):
        subject = f"{of_what[2]} {of_a_kind[1]}" if of_what else of_a_kind[1]
    if (within := _WITHIN.search(subject)) and not _NO_THING.fullmatch(subject[: within.start()]):
        subject = subject[: within.start()]
    words = len(subject.split())
    if (
        words > SUBJECT_WORDS + _OF_A_PART * (of_a_kind is not None)
        or len(subject) > START
        or _NOT_A_SUBJECT.search(subject)
    ):
        return "", False
    is_short = words <= _A_WORD and len(_WIDE.findall(subject)) <= _UNSPACED and not _PARTS.search(subject)
    is_one = "谁" in question or _ASKS_FOR_ONE.search(match.string[: match.start(match.lastgroup or 0)]) is not None
    return subject, is_short and not is_one and not is_purpose


def says_of_a_symbol(text: str, form: Form) -> bool:
    """Whether a text holds the very name of what it is asked to do, and that is no word."""
    return form.does and is_symbol(form.subject) and form.subject in text and not is_aside(text, form)


def is_aside(text: str, form: Form) -> bool:
    """Whether a text holds the very name of what it is asked to do only in brackets, or beside what is like it."""
    if not form.does or not is_symbol(form.subject) or form.subject not in text or is_symbol(text[:1]):
        return False
    return form.subject not in _ASIDE.sub(" ", text)


@lru_cache(maxsize=256)
def without_form(question: str) -> str:
    """A question without the words that only say which form its answer has."""
    if form_of(question).named or form_of(question).usage:
        return form_of(question).subject
    question = _ASKS_MEANING.sub(lambda match: match["rest"] or " ", question)
    question = _OF_A_KIND.sub(lambda match: match[1] if is_symbol(match[1]) else match[0], question)
    for pattern in (contrasting.ASKED, _CODE):
        without = pattern.sub(" ", question)
        question = without if re.search(r"\w{3}", without) else question
    return question
