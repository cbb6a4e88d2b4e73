"""What a question asks for, by its question words; and words of that kind in a text. Small tables, several languages.

English, German, Dutch, French, Spanish, Portuguese, Italian, Russian, Chinese, Japanese, and the plainest ones of
Arabic, Czech, Greek, Hebrew, Hindi, Hungarian, Indonesian, Korean, Persian, Polish, Romanian, Thai, Turkish, Ukrainian,
Vietnamese and the languages of the north; elsewhere no kind is known, and only the words of the question count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from biblicus.answering import kind_words
from biblicus.text.terms.asking import HOW_LARGE

_NUMBER = (
    "how (?:many|much|long|far|often|large|big|(?=(?:old|tall|high|fast|deep|wide|heavy)\\b))",
    "what (?:percentage|percent|number|proportion|fraction|amount|size|temperature)",
    (
        r"what (?=(?:is|are|was) the (?:default |current |allowed )?(?:maximum|minimum|maximal|minimal|largest"
        r"|smallest"
        r"|highest|lowest|longest|shortest|(?:upper |lower |size )?limit)\b)"
        r"|what (?=(?:is|are) the default (?:[\w-]+ ){0,3}?(?:size|port|time-?out|limit|delay|interval|length|depth"
        r"|number|count|width|height|rate|ttl|age|threshold|lifetime)\b)"
        r"|(?:what|which) (?=(?:[\w-]+ )?(?:port|status code|exit (?:code|status))"
        r" (?:does|do|is|are|was|should|must|will|can|has)\b)"
    ),
    (
        r"wie (?=lautet (?:der|die|das) (?:maximale?|minimale?|größte|kleinste)\b)"
        r"|was (?=ist (?:der|die|das) (?:maximale?|minimale?|größte|kleinste)\b|sind maximal)"
        r"|quel(?:le)? (?=est l(?:e |a |['’])(?:\w+ )?(?:maxim|minim|plus (?:grande?|petite?)))"
        r"|(?:cuál|qual) (?=(?:es|è|é) (?:el|la|il|o|a) (?:\w+ )?(?:m[áaà]xim|m[íi]nim|massim))"
        r"|как(?:ой|ая|ово|ов) (?=(?:\w+ )?(?:максимальн|минимальн|наибольш|наименьш))"
    ),
    "wie ?viele?|wie (?:lange?|oft|weit|alt|hoch|groß|tief|breit|schwer)|welche[rn]? (?:anteil|prozentsatz)",
    "hoeveel|hoe (?:lang|oud|groot|hoog|vaak)",
    "combien(?: de temps)?|quel(?:le)? (?:pourcentage|proportion|âge)|quelle distance",
    "cu[áa]nt[oa]s?(?: tiempo)?|quant[oaie]s?(?: tempo)?",
    "qu[ée] (?:porcentaje|proporci[óo]n|edad|cantidad|distancia)|(?:che|quale) (?:percentuale|età|distanza)",
    "(?:que|qual) (?:porcentagem|percentagem|idade|distância)|jaki (?:procent|odsetek)|jak (?:daleko|długo|często)",
    "yüzde kaç|ποιο ποσοστό|(?:ما هي )?نسبة (?=.{0,200}[?؟])|wat(?: is)? (?:het percentage|de leeftijd)|vilken andel",
    "сколько(?: времени)?|како[йв] процент|скільки",
    (
        "bao nhiêu|mấy (?:người|lần|năm|tháng|ngày|loại)|ka[çc](?:tır|a|ı)?|ne kadar|câ[țţt][iăe]?|ile(?= (?:osób|lat"
        "|\\w+(?:ów|ek|ci|ni))\\b)|kolik(?= \\w+(?:ů|í|y)\\b)"
    ),
    "hur (?:många|mycket|stora?|lång[at]?|ofta)|hvor (?:mange|meget|mye|stor[te]?|lang[te]?|ofte)",
    "kuinka (?:monta|paljon)|montako|paljonko|hány|mennyi|berapa(?! tahun)|πόσ(?:ο|η|α|οι|ες|ους|ων)|كم|چند|چقدر|כמה",
)
_TIME = (
    (
        r"when(?= (?:did|do|does|is|are|was|were|will|would|can|could|has|have|had|should|must|may|might|to)\b|\W*$)"
        r"|(?<!\S\s)when|(?:since|until|till|by|from) when|how long ago"
        "|(?:what|which) (?:year|years|date|day|month|century|decade|time)"
    ),
    "wann|welche[mns] (?:jahr|jahren|datum|tag|monat|jahrhundert)|wanneer|welk jaar",
    (
        r"(?<!\S\s)quando?|(?:c['’]est|sais|savez-vous|dites-moi|dis-moi|sai|sapete|sa|dimmi|dirmi|sabes?|sabem)"
        r" quando?|quando?(?=\W*$)|(?:depuis|jusqu['’]à|da|desde|até|fino a|per) quando?|quelle (?:ann[ée]e|date)"
        r"|cuándo|(?<!\S\s)cuando"
        "|qu[ée] (?:a[ñn]o|fecha)|(?:que|em que) ano|(?:che|quale) anno"
    ),
    (
        r"(?<!,\s)когда|(?:(?:под)?скажи(?:те)?|напомни(?:те)?|зна(?:ете|ешь)|помн(?:ите|ишь)|интересно|узнать)"
        r"(?: ли)?(?: вы| ты)?(?:,? пожалуйста)?,? когда|как(?:ом|ой|ого) (?:году?|года|веке|числа)"
    ),
    (
        "khi nào|bao giờ|(?:năm|ngày|tháng) nào|năm bao nhiêu|ne zaman|hangi (?:yıl|tarih|ay|gün|yüzyıl)\\w*|când"
        "|în ce (?:an|dată)"
    ),
    (
        "kiedy|którym roku|kdy|kterém roce|коли(?= (?:був|була|було|були|буде|засн|відб|народ|помер|почал"
        "|закінч)\\w*)"
        "|якому році|när(?= (?:blev|var|är|grund|bygg|föd|dog|började|skedde))|hvornår"
    ),
    "vilket år|hvilket år|milloin|minä vuonna|mikor|melyik évben|tahun berapa",
    "πότε|ποι[αο] (?:έτος|χρονιά|χρόνο)|متى|(?:أي|اي) (?:عام|سنة|تاريخ|قرن|يوم)",
    "چه (?:سال|زمان|تاریخ)ی?|באיזו שנה|מתי",
)
_WHEN_WITHIN = re.compile(
    r"^(?!\W*(?:what|who\w*|how|why|where|which)\b).*"
    r"\b(?:tell(?:\s+me|\s+us)?|know|say|remember|find\s+out|ask|wonder)\s+when\b",
    re.IGNORECASE,
)
"""Asks for a time within another question; not "what did Ada say when …"."""
_NAME = (
    (
        "who|whom|whose|where|(?:what|which) (?:city|country|state|company|team|person)|what (?:is|was) the name"
        "|(?:what|which)(?= (?:\\w+ )?version)"
    ),
    "wer|wem|wen|wessen|wo|wohin|woher|wie (?:heißt|heißen|hieß)|wie|waar",
    "qui|où|qui[ée]n|qui[ée]nes|dónde|(?<!\\S\\s)(?:donde|(?-i:[Oo]u)(?= ))|quem|onde|chi|dove",
    "кто|кого|кому|кем|чей|где|куда|откуда|как (?:зовут|называется)",
    "c[óo]mo se (?:llama|llaman|llamaba|llamaban)|comment s['’]appel\\w+|come si chiam\\w+|como se cham\\w+",
    (
        "qu[ée] (?:ciudad|pa[íi]s|estado|empresa|compa[ñn][íi]a|equipo|persona)"
        "|quel(?:le)? (?:ville|pays|état|entreprise|société|équipe)"
    ),
    "(?:quale|che) (?:città|paese|stato|azienda|squadra)|(?:que|qual) (?:cidade|país|estado|empresa|equip[ea])",
    (
        "kto|kogo|czyj\\w*|gdzie|skąd|jak (?:nazywa|nazywał)\\w* się|kdo|koho|jak se jmen\\w+|vems?|hvem"
        "|kde(?= (?:je|jsou|byl\\w?|se|leží|stojí|žil\\w?|vznikl\\w?)\\b)|kuka(?= (?:on|oli|ovat|\\w+(?:tti|si))\\b)"
        "|missä|siapa"
    ),
    (
        "hangi (?:şehir|ülke|şirket|takım)\\w*|(?:thành phố|quốc gia|nước|công ty|đội) nào|ποι[αο] (?:πόλη|χώρα"
        "|εταιρεία|ομάδα)"
    ),
    "cine(?= (?:a|este|e|sunt|au|s-a)\\b)|di mana|хто|(?<!\\S\\s)де(?= )|(?:أي|أية) (?:مدينة|دولة|بلد|شركة|فريق)",
    (
        "ở đâu|nơi nào|ai (?:là|đã)|là ai|kim(?:dir|ler|in|(?= \\w+[dt][ıiuü]\\W*$))|nere(?:de|ye|den)(?:dir)?"
        "|unde(?= \\w+(?:ă|e|at|it)\\b)"
    ),
    "ποι(?:ος|οι|ον|ους|ας|ου)|πού|من (?:هو|هي|الذي|التي)|أين|اين|چه کسی|کجا|מי|איפה|хто",
)
_REASON = (
    "why|what (?:causes|caused)|warum|weshalb|wieso|waarom|pourquoi|por qu[eê]|por qué|perché|почему|зачем",
    (
        "tại sao|vì sao|neden|niçin|(?<!\\S\\s)de ce(?= (?:a|s-a|au|este|e|nu|sunt|se)\\b)|dlaczego|proč|чому|varför"
        "|hvorfor|miért|mengapa|γιατί|لماذا|چرا|למה"
    ),
)
_OTHER = (
    "what (?:kinds?|types?|sorts?) of|what|which|welke",
    "quel|quelles?|quels|qué|cuáles|cuál|qual|quais|quale|quali",
    "que se passe(?:ra)?-t-il|qu['’]arrive-t-il|qu['’]est-ce qui (?:se passe|arrive)",
)
_MONEY = (
    (
        r"how much (?=.{0,60}\b(?:costs?|pay|pays|paid|spen[dt]|charges?d?|price|fees?|rents?|salary|deposit"
        r"|owe[ds]?|earns?|worth"
        r"|budget|bill|invoice)\b)|what (?=(?:is|was|are|were|does|did|do|will) .{0,60}\b(?:price|costs?|fees?|rent"
        r"|salary"
        r"|deposit|excess|total|amount due|balance)\b)"
    ),
    (
        r"was (?=(?:kostet|kosten|kostete)\b|ha(?:t|ben) .{1,60}\bgekostet\b)"
        r"|wie (?:hoch|teuer|viel) (?=.{0,60}\b(?:\w*(?:kosten|miete|kaution"
        r"|gebühr\w*|betrag|preis"
        r"|gehalt|beitrag|selbstbeteiligung)|kostet|kosten|zahl\w*|bezahl\w*)\b)"
    ),
    (
        r"combien (?=coûte\w*|faut-il payer)|quel (?=est le (?:prix|loyer|montant|coût|total))"
        r"|cuánto (?=cuesta\w*|vale|hay que pagar)|cuál (?=es (?:el precio|la renta|la fianza|el importe))"
    ),
)
"""What asks for an amount of money, by words that stand behind it, which the text that answers may have."""
_TASK = (
    (
        r"what (?=(?:do|does|did|has|have|must|should|needs?) .{1,40}\b(?:ha(?:ve|s) to|needs? to|supposed to|must"
        r"|should) do\b)"
        r"|(?:has|have|needs?|supposed) to do|still open"
    ),
    r"was (?=muss|soll|hat .{1,40}\bzu (?:tun|erledigen))|zu (?:tun|erledigen)|noch offen",
    "reste à faire|doit faire|tiene que hacer|debe hacer|queda por hacer",
    r"(?=to-?dos?\b|open (?:tasks?|points?|items?)\b|tasks?\b|action items?\b|aufgaben?\b|tâches?\b|tareas?\b)",
)
_UNSPACED = {
    "task": "待办|任务",
    "money": "多少钱|いくら",
    "number": "多少|几个|几次|几位|几人|几天|幾個|百分之几|いくつ|何人|何本|いくら|多久"
    "|どれ(?:くらい|ぐらい|だけ)|얼마나|몇(?!\\s*년)"
    "|เท่าไร|เท่าใด|เท่าไหร่|กี่(?!ปีก่อน)|कितन[ाेी]"
    rf"|{HOW_LARGE}",
    "time": "何时|什么时候|什么时间|哪一年|哪年|哪天|几年|いつ|何年|언제|몇\\s*년|เมื่อใด|เมื่อไร|เมื่อไหร่|ปีใด|ปีไหน|ปีอะไร"
    "|(?<![\u0900-\u097f])कब(?![\u0900-\u097f])|किस (?:वर्ष|साल|सन|तारीख|दिन)",
    "name": "谁|誰|哪里|哪儿|哪个|哪位|在哪(?![吒怕])|叫什么|だれ|どこ|누가|누구|어디"
    "|ใคร|ที่ไหน|ที่ใด|कौन|किसने|किसे|कहाँ|कहां",
    "reason": "为什么|为何|なぜ|왜|ทำไม|เพราะเหตุใด|क्यों",
    "": "什么|哪些|哪种|怎么|怎样|如何|どの|どんな|[的了是吗呢]",
}


def _pattern(spaced: Sequence[str], unspaced: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(spaced)})\b|{unspaced}".replace(" ", r"\s+"), re.IGNORECASE)


_ASKED = tuple(
    (kind, _pattern(words, _UNSPACED[kind]))
    for kind, words in (
        ("task", _TASK),
        ("money", _MONEY),
        ("number", _NUMBER),
        ("time", _TIME),
        ("name", _NAME),
        ("reason", _REASON),
        ("", _OTHER),
    )
)

_ASKS_WHO = re.compile(
    r"\b(?:who|whom|whose|wer|wem|wen|wessen|qui|quién(?:es)?|quem|chi|кто|кому|кем)\b|谁|誰"
    r"|\b(?:sa(?:y|ys|id)|wr(?:ite|ites|ote)|written|think|thinks|thought|propos\w+|suggest\w*|recommend\w*"
    r"|agree\w*|disagree\w*|object\w*"
    r"|answer\w*|repl(?:y|ied|ies)|ask(?:ed|s)?|decid\w+|mention\w*|promis\w+|report\w*|complain\w*|announc\w+"
    r"|offer\w*"
    r"|sag(?:t|te|en)|schr(?:eibt|ieb|eiben)|mein(?:t|te)|vorgeschlagen|schl(?:ägt|ug)\b.*\bvor|antwortete?t?"
    r"|dit|écrit|dijo|escribió|ha (?:detto|scritto)|disse|escreveu|сказал\w*|написал\w*)\b",
    re.IGNORECASE,
)
"""Asks for somebody, or for what somebody says."""
_ASKS_ASKING = re.compile(
    r"\b(?:ask(?:ed|s|ing)?|wonder(?:ed|s)?|want(?:ed|s)? to know|fragt(?:e|en)?|gefragt|demand(?:e|é|ait)|pregunt\w+"
    r"|chiede|chiesto|pergunt\w+|спрашива\w+|спросил\w*)\b",
    re.IGNORECASE,
)
_SAYING = re.compile(
    r"(?<=\w )(?:says?|said|writes?|wrote|written|thinks?|thought|tells?|told"
    r"|mention(?:s|ed)?|sagte?n?|gesagt|schrieb|schreibt|geschrieben)"
    r"(?= (?:about|on|regarding|concerning|über|zu[rm]?)\b|\s*[?.!]*$)",
    re.IGNORECASE,
)
"""What somebody does who says something: the text that says it lacks the word."""
_SOURCE = re.compile(r"\b(?:according to|laut|gemäß|d['’]après|selon|según|secondo|segundo|согласно)\b", re.IGNORECASE)
"""What stands before the name of a document that is to tell it, which does not say so of itself."""
_ASKS_SAID = re.compile(
    r"(?P<before>\b(?:what|when) (?:did|does|do|has|have) .{1,60}? )"
    r"(?:say|said|write|written|think|tell|told|mention(?:ed)?"
    r"|suggest(?:ed)?|propose[ds]?|recommend(?:ed)?|announced?|advised?|answer(?:ed)?|reply|replied)\b"
    r"|\bwas (?:sagt|schreibt|meint|schlägt|hat(?!.*\bgekostet\b))\b"
    r"|\bqu['’]a(?:vait)?(?:-t-(?:il|elle))? (?:dit|écrit|répondu|proposé|pensé)\b|\bque (?:dit|pense|écrit|propose)\b"
    r"|\bqué (?:dijo|dice|piensa|escribió|respondió|propuso|opina)\b",
    re.IGNORECASE,
)
"""The same, where what it is about follows in other words: "what does Ada suggest for the pump", "when did she"."""
_TOPIC = re.compile(
    r"\b(?:about|on|regarding|concerning|über|zu[rm]?|sur|sobre|acerca de|à propos d[eu]|de l[ae']|du|des)\s"
    r"(?P<topic>.+)",
    re.IGNORECASE,
)
"""What somebody says something about."""
_ASKS_NEED = re.compile(
    r"^\W*(?:which|what)\s(?:[\w.+#-]+\s){0,3}?versions?\s(?:of\s\S+\s)?"
    r"(?:(?:is|are)\s(?:required|needed|supported)|(?:do|does)\s.{1,40}\s(?:require|need|support)s?\b)",
    re.IGNORECASE,
)
_SAYS_NEED = re.compile(
    r"\b(?:requir\w+|needs?|needed|must|minimum|minimal|at least|prerequisites?|support\w*|depend\w*|compatib\w*"
    r"|(?:and|or) (?:later|newer|higher|above|up)|(?:works?|runs?|tested) (?:with|under|on))\b|>=|\d\+",
    re.IGNORECASE,
)
"""Asks which version is needed; and words of what tells one."""
_SAYS_VERSION = re.compile(r"\d|\bversions?\b", re.IGNORECASE)
_DONE = re.compile(r"\W*(?:\[[xX]\]|DONE\b|CANCEL+ED\b|✅)|~~")
_OPEN = re.compile(r"\W*(?:\[ \]|(?:TODO|TO DO|ACTION|AI|LATER|NOW|DOING|WAITING|OPEN)\b(?: ?ITEM)?)")
_OF_A_TASK = re.compile(
    r"\b(?:tasks?|to-?do|actions?|due|deadline|aufgabe|fällig|zu erledigen|tâche|échéance|tarea|plazo)\b[^:"
    r"|\n]{0,20}[:|]",
    re.IGNORECASE,
)
"""How tasks are marked, those that are done, and the names of columns that tables of them have."""


@lru_cache(maxsize=256)
def kinds(question: str) -> frozenset[str]:
    """Which of `number`, `time`, `name`, `reason` a question asks for."""
    asks_when = ("time",) if _WHEN_WITHIN.search(question) else ()
    return frozenset(kind for kind, pattern in _ASKED if kind and pattern.search(question)).union(asks_when)


def speech(question: str) -> frozenset[str]:
    """What a question asks of what people say: `who` does or says something, what somebody has `said`, or `asked`."""
    patterns = (("who", _ASKS_WHO), ("said", _ASKS_SAID), ("asked", _ASKS_ASKING))
    return frozenset(kind for kind, pattern in patterns if pattern.search(question))


def topic(question: str) -> str:
    """What a question asks about of what somebody says; empty where it does not tell."""
    match = _TOPIC.search(question)
    return match["topic"] if match else ""


@lru_cache(maxsize=256)
def without(question: str) -> str:
    """A question without its question words: a text that answers it lacks them."""
    question = _SAYING.sub(" ", _ASKS_SAID.sub(lambda match: match["before"] or match[0], question))
    question = _SOURCE.sub(" ", question)
    for _, pattern in _ASKED:
        question = pattern.sub(" ", question)
    return question


@lru_cache(maxsize=1_024)
def holds(kind: str, text: str) -> bool:
    """Whether a text holds words of a kind other than `name`."""
    return kind_words.HELD[kind].search(text) is not None


_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_NUMBER_OF = re.compile(r"\b(?:numbers?|amounts?) of\b", re.IGNORECASE)
_REFERENCE = re.compile(
    r"\b(?:sections?|chapters?|figures?|appendix|abschnitte?s?|kapitels?|abbildung|anhang|sectie|hoofdstuk|chapitres?"
    r"|annexe|sección|secciones|capítulos?|figura|apéndice|sezione|capitolo|seção|раздел\w*|глав[аеуы]|рисун\w+|phần"
    r"|chương)\s+(?:[A-Z]\.)?\d+(?:\.\d+)*(?:\s+(?:and|und|et|y|e|и)\s+\d+(?:\.\d+)*)?"
    r"|第\s?[A-Z\d][\d.]*\s?[节節章]|(?-i:(?<=[a-z])(?<!Rs)(?<!rs)(?<!kr))\d+(?:(?:\.\d+)*\b|(?=_))",
    re.IGNORECASE,
)
"""A number that counts nothing: of a part of a text, in a name (`ext4`)."""
_PURPOSE = re.compile(
    r"^\W*(?:"
    r"(?:wozu|wofür) (?:dien(?:t|en)|ist|sind|(?:braucht|benötigt|verwendet|benutzt|nutzt) man) (?P<de>.+?)"
    r"(?: (?:da|gut|gedacht|zuständig))?"
    r"|(?:para qu[ée]|para o que) (?:sirven?|servem?|se (?:usan?|utilizan?|usam?)|es|son|é|são) (?P<es>.+)"
    r"|à quoi (?:sert|servent) (?P<fr>.+)|a (?:che )?cosa serv(?:e|ono) (?P<it>.+)"
    r"|waar(?:voor|toe) (?:dien(?:t|en)|is|zijn|gebruik je|gebruikt men) (?P<nl>.+)|do czego służ(?:y|ą) (?P<pl>.+)"
    r"|(?:для чего|зачем) (?:нуж(?:ен|на|но|ны)|служ(?:ит|ат)|предназначен[аоы]?|использу(?:ется|ются)) (?P<ru>.+)"
    r"|(?P<zh>.+?)(?:有(?:什么|何)(?:用途?|作用|功能)|是(?:用来)?[做干]什么用?的?|用来[做干]什么用?的?)"
    r"|(?P<ja>.+?)(?:は何(?:に使|のため|をする)|の(?:役割|目的)は).*"
    r")[\s?？!.。]*$".replace(" ", r"\s+"),
    re.IGNORECASE,
)
"""Asks what something is for."""
_SHORT = 300
"""Characters of a question that is read for that, at most."""
FIGURES = frozenset(("money", "number", "time"))
"""What is asked for that figures tell."""
_CONDITION = re.compile(
    r"\b(?!.{0,80}\b(?:geboren|gestorben|née?s?|morte?s?|décédée?s?|nacid[oa]s?|muert[oa]s?)\b)"
    r"(?:when (?:is|are|does|do|can|could|should|would|will|must|may|might|to)"
    r"|wann (?:ist|sind|wird|werden|kann|können|soll\w*|muss|müssen|darf|dürfen|braucht|tritt|verwende\w*|nutz\w*)"
    r"|cuándo (?:es|son|se|debo|deben?|puedo|pueden?|hay|conviene|usar)|quando (?:é|são|si|se|devo|deve|posso|può)"
    r"|quand (?:est-ce|faut-il|doit|doivent|peut|est|sont|utiliser)|wanneer (?:is|zijn|moet|kan|wordt|gebruik)"
    r"|когда (?:нужно|следует|можно|надо|\w+[еёиюя]т(?:ся)?))\b|(?:什么时候|何时)(?:会|应|需|可|能|使用)".replace(
        " ", r"\s+"
    ),
    re.IGNORECASE,
)
"""Asks when something is so: a condition may tell that."""


def figures(question: str) -> frozenset[str]:
    """Which figures a question asks for: a time not where it asks in the present, since a condition answers that."""
    wanted = kinds(question) & FIGURES
    return wanted - {"time"} if _CONDITION.search(question) else wanted


def without_numbers(text: str, question: str) -> str:
    """A text without the numbers that are no answer: those that the question holds (`released after Visual Studio
    2015`), those of parts of a text and in names (`see Section 6.3`, `ext4`); nor that there is a number where one is
    asked for."""
    text = _REFERENCE.sub(" ", text)
    text = _NUMBER_OF.sub(" ", text) if _NUMBER_OF.search(question) else text
    known = {*_DIGITS.findall(question)}
    return _DIGITS.sub(lambda match: "" if match[0] in known else match[0], text) if known else text


def tells(figures: frozenset[str], text: str) -> bool:
    """Whether a text holds one of the figures that are asked for, or says in words how many or when."""
    return any(holds(kind, text) for kind in figures) or kind_words.VAGUE.search(text) is not None


def purpose_of(question: str) -> str:
    """The thing of which it is asked what it is for, in other words than `what is it for`; else nothing."""
    match = _PURPOSE.match(question) if len(question) <= _SHORT else None
    return match[match.lastgroup or 0].rstrip(" \t?？!.。") if match else ""


def task_worth(written: str) -> float:
    """What a unit, as it is written, counts where tasks are asked for: most an open one, little one that is done."""
    if _DONE.match(written):
        return 0.4
    return 1.4 if _OPEN.match(written) or _OF_A_TASK.search(written) else 1.0


def asks_need(question: str) -> bool:
    """Whether it is asked which version of something is needed."""
    return _ASKS_NEED.match(question) is not None


def says_need(text: str) -> bool:
    """Whether a text says that a version is needed, or goes together with something."""
    return _SAYS_NEED.search(text) is not None and _SAYS_VERSION.search(text) is not None
