"""Conditions: what asks what comes of one, or under which something is used; and how sentences tell them."""

from __future__ import annotations

import re

_IF = (
    r"if|when(?:ever)?|once|while|after|before|wenn|falls|sobald|nachdem|s['’]il|si|quand|lorsqu(?:e\b|['’])|dès\s+que"
    r"|cuando|se|quando|als|wanneer|zodra|если|когда"
)
ASKED = re.compile(
    r"^\W*(?:(?:so|and|but|ok|okay|und|y|et|e|а|и)\W+)?(?:"
    r"what\s+(?:should|must|can|could|shall|do|would|to)\s+(?:(?:i|we|you|one|people)\s+)?(?:have\s+to\s+|need\s+to\s+)?do\b"
    r"|was\s+(?:muss|soll(?:te)?|kann|mache|tue)\s+(?:ich|man|wir)\b(?:\s+(?:tun|machen))?,?"
    r"|(?:que|qué)\s+(?:dois-je\s+faire|faut-il\s+faire|faire|hago|debo\s+hacer|hacer)"
    r"|что\s+(?:мне\s+)?(?:делать|нужно\s+делать),?"
    r"|what(?:['’]s|\s+(?:will|would|does|do|did|is|should|could|can|might|may|exactly))*\s+(?:going\s+to\s+)?"
    r"(?:happen(?:s|ed|ing)?|occurs?)\b(?:\s+to\s+.{1,80}?)?"
    r"|was\s+(?:passiert|geschieht|wird\s+passieren|wird)\b.{0,40}?,?"
    r"|(?:qué|que)\s+(?:pasa(?:rá|ría)?|ocurre|sucede|ocurrirá|sucederá)\b(?:\s+con\s+.{1,60}?)?"
    r"|que\s+(?:se\s+passe(?:ra)?-t-il|va-t-il\s+se\s+passer)|qu['’]arrive-t-il|qu['’]est-ce\s+qui\s+(?:se\s+passe|arrive)"
    r"|(?:che\s+)?cosa\s+(?:succede(?:rà)?|accade|capita)|o\s+que\s+(?:acontece(?:rá)?|ocorre)|wat\s+gebeurt\s+er"
    r"|что\s+(?:произойд[её]т|происходит|случится|будет)(?:\s+с\s+.{1,60}?)?,?"
    r")\s+(?:(?P<if>" + _IF + r")\b|at\b|on\b|during\b|bei(?:m)?\b|al\b|en\s+cas\b|при\b)"
    r"|^\W*what\s+(?P<what_if>if)\s"
    r"|(?:会(?:发生什么|怎么样|怎样|如何)|會(?:發生什麼|怎麼樣)|どうなり?ま?すか)[\s?？!。]*$",
    re.IGNORECASE,
)
"""Asks what comes of something, or what one does then."""
_ONE = r"(?:i|we|you|one|people)\s+"
USE = re.compile(
    rf"^\W*(?:when|why|in\s+(?:which|what)\s+cases?)\s+(?:(?:should|would|do|can|could|must|shall|might)\s+{_ONE}"
    rf"(?:want\s+to\s+|need\s+to\s+|have\s+to\s+)?|to\s+)(?:use|choose|prefer)\s+(?P<en>.+)"
    rf"|^\W*what\s+(?:should|would|do|can|could|must)\s+{_ONE}use\s+(?P<what>.+)\s+for"
    r"|^\W*when\s+(?:is|are)\s+(?P<is>.+?)\s+(?:to\s+be\s+)?(?:used|useful|recommended|appropriate|a\s+good\s+(?:choice|idea))"
    r"|^\W*wann\s+(?:soll(?:te)?|muss|kann|würde)\s+(?:ich|man|wir)\s+(?P<de>.+?)\s+(?:verwenden|benutzen|nutzen|einsetzen)"
    r"|^\W*quand\s+(?:faut-il|dois-je|doit-on|peut-on)\s+utiliser\s+(?P<fr>.+)"
    r"|^\W*cuándo\s+(?:debo|se\s+debe|debería|conviene|hay\s+que)\s+(?:usar|utilizar)\s+(?P<es>.+)"
    r"|^\W*когда\s+(?:следует|нужно|стоит|надо)\s+(?:использовать|применять)\s+(?P<ru>.+)",
    re.IGNORECASE,
)
"""Asks when, or for what, something is used."""
_INSTEAD = re.compile(
    r"\s+(?:instead\s+of|rather\s+than|over|and\s+when|or\s+when|statt|anstatt|au\s+lieu\s+de?|en\s+(?:vez|lugar)\s+de|вместо)\s.+",
    re.IGNORECASE,
)
_USED = re.compile(
    r"\b(?:us(?:e|es|ed|ing)|useful|choose|prefer(?:red|able)?|recommended|needed|intended|suitable|appropriate|helpful|handy"
    r"|(?:best|ideal|meant|designed|good)(?=\s+(?:for|when|if|to)\b)|call)\b.{0,100}?\b(?:when(?:ever)?|if|for|where|unless|instead"
    r"|rather\s+than|in\s+order\s+to|to)\b"
    r"|\b(?:when|if)\b.{3,140}?\b(?:use|choose|prefer|call|recommended|should\s+be\s+used|useful)\b"
    r"|\b(?:verwende\w*|benutz\w*|nutz\w*|nützlich|empfohlen|geeignet)\b.{0,100}?\b(?:wenn|falls|um|für|statt)\b"
    r"|\b(?:utilis\w+|recommandé\w*|utile)\b.{0,100}?\b(?:si|quand|lorsque|pour|lorsqu)\b"
    r"|\b(?:us[ae]\w*|utili[zc]\w+|recomiend\w+|útil)\b.{0,100}?\b(?:si|cuando|para)\b"
    r"|(?:использ\w+|применя\w+|полез\w+|рекоменд\w+).{0,100}?(?:если|когда|чтобы|для)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"(?<![\w-])(?:(?:{_IF}|as\s+soon\s+as|in\s+case|in\s+the\s+event|unless|until|on|upon)\b"
    r"|(?:при|как\s+только)\b)([^,;:.?!]{3,240})"
    r"|(?:如果|若|当|當|一旦|もし)([^,，;；。]{2,80})|([^,，;；。、]{2,80}?)(?:的话|的話|時は|場合|ときは)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|no|never|without|none|neither|nicht|kein\w*|ohne|ne|pas|sans|aucun\w*|sin|não|sem|non|senza|niet|geen"
    r"|zonder|не|нет|без)\b|n['’]t\b|不|没|沒|未|ない|ません",
    re.IGNORECASE,
)


def of(text: str) -> str:
    """The conditions of a sentence: "an error if the file is gone" tells "the file is gone"."""
    return " ; ".join(clause for groups in _CLAUSE.findall(text) for clause in groups if clause)


def is_denied(text: str) -> bool:
    """Whether a clause denies something."""
    return _NOT.search(text) is not None


def used(question: str) -> str:
    """What it is asked of when, or for what, it is used; empty where that is not asked."""
    match = USE.match(question.strip().rstrip("?？!. "))
    name = match[match.lastgroup or 0] if match else ""
    return _INSTEAD.sub("", name).strip(" \t?？!.\"'“”`")


def tells_use(text: str) -> bool:
    """Whether a sentence says when, or for what, something is used."""
    return _USED.search(text) is not None
