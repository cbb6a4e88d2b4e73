"""Which part of what a reference documents a question asks for: one parameter of a function, all of them, what comes
back, what is raised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

_NAME = r"(?:[~$@-]{0,2}[^\W一-鿿ぁ-ヿ]+)(?:(?:\.|::|->|#|-)~?[^\W一-鿿ぁ-ヿ]+)*"
_KIND = (
    r"function|method|operation|operator|macro|constructor|property|class|command|cmdlet|hook|procedure|api|call|new"
)
_THE = rf"(?:(?:the|an?)\s+)?(?:(?:{_KIND})\s+)?[`'\"]?"
_OWNER = rf"{_THE}(?P<owner>{_NAME})(?:\(\))?[`'\"]?(?:\s+(?:{_KIND}))?"
_OF = r"\s+(?:of|in|to|for|from|with|on)\s+"
_NEEDED = r"(?P<needed>header|library|lib|dll|namespace|assembly)(?:\s+file)?"
_PARAMETERS = r"(?:input\s+)?(?:parameters?|arguments?|params?|args?|inputs?)"


class Part(Enum):
    """What a page says of something below a heading of its own."""

    PARAMETERS = "parameters"
    RETURNS = "returns"
    RAISES = "raises"
    REQUIRES = "requires"


@dataclass(frozen=True, slots=True)
class AskedPart:
    """A part of what is called `owner`; of its parameters the one called `name`, of what it requires what `name`
    says, where that is not empty."""

    part: Part
    owner: str
    name: str = ""

    @property
    def qualifier(self) -> str:
        """What the owner is of, its last name: `Slip` of `Harbour.Slip::haul`."""
        *above, _ = split_name(self.owner)
        return above[-1] if above else ""


def split_name(name: str) -> list[str]:
    """The names that a joined name is of: `Slip` and `haul` of `Slip::haul`."""
    return re.split(r"\.|::|->|#", name)


_ONE = re.compile(
    rf"(?<![\w-])(?!(?:the|an?|its|all|which|what|whose|each|optional|required)\b)"
    rf"(?P<part>-{{0,2}}\w+)[`'\"]?\s+(?:keyword\s+)?(?:parameter|argument|param|arg|input){_OF}{_OWNER}"
    rf"|\b(?:parameter|argument|param|arg)\s+[`'\"]?(?P<named>-{{0,2}}\w+)[`'\"]?{_OF}"
    rf"{_OWNER.replace('owner', 'of')}",
    re.IGNORECASE,
)
_OF_A_PARAMETER = re.compile(
    r"\b(?:types?|units?|defaults?|maximum|minimum|how|when|why|where|who|can|must|should|may)\b", re.IGNORECASE
)
"""What is asked of a parameter beside what it is."""
_ALL = re.compile(
    rf"\W*(?:what|which)\s+{_PARAMETERS}\s+(?:does|do|can|must|should)\s+{_OWNER}\s+"
    r"(?:take|have|accept|need|expect|require|get|receive)\W*\Z"
    rf"|\W*(?:what|which)\s+(?:is|are)\s+(?:the\s+)?{_PARAMETERS}{_OF}{_OWNER.replace('owner', 'of')}\W*\Z"
    rf"|\W*(?:the\s+)?(?:parameters|arguments|inputs){_OF}{_OWNER.replace('owner', 'named')}\W*\Z",
    re.IGNORECASE,
)
_RETURNS = re.compile(
    rf"\W*what\s+(?:kind\s+of\s+\w+\s+|types?\s+|values?\s+)?(?:does|do|will|is)\s+{_OWNER}\s+"
    r"(?:return|yield|give\s+back|evaluate\s+to|output)(?:s|ed\s+by)?(?:\s+(?:if|when)\s.+|\W*)\Z"
    r"|\W*(?:what\s+(?:is|are)\s+)?(?:the\s+)?(?:returns?|outputs?|return(?:ed)?\s+(?:values?|types?|codes?)"
    rf"|outputs?\s+(?:values?|types?)|results?){_OF}{_OWNER.replace('owner', 'of')}\W*\Z"
    rf"|\W*was\s+(?:gibt|liefert)\s+{_OWNER.replace('owner', 'de')}(?:\s+zurück)?\W*\Z"
    rf"|\W*(?:que\s+(?:renvoie|retourne)|qué\s+(?:devuelve|retorna)|o\s+que\s+(?:retorna|devolve)|cosa\s+restituisce"
    rf"|что\s+возвращает|wat\s+geeft)\s+{_OWNER.replace('owner', 'la')}(?:\s+terug)?\W*\Z"
    rf"|\W*(?P<zh>{_NAME})\s*(?:函数|方法|関数|メソッド)?\s*(?:的?返回(?:什么|值)|は何を返し|の戻り値).*",
    re.IGNORECASE,
)
_RAISES = re.compile(
    rf".{{0,20}}\b(?:what|which)\s+(?:exceptions?|errors?)\s+(?:does|do|can|may|might|will|could|is)\s+{_OWNER}\s+"
    r"(?:raise|throw|return|report|give|fail\s+with)s?\W*\Z"
    rf"|\W*what\s+(?:does|do|can|may)\s+{_OWNER.replace('owner', 'of')}\s+(?:raise|throw)\W*\Z"
    rf"|\W*(?:what|which)\s+(?:are\s+)?(?:the\s+)?exceptions{_OF}{_OWNER.replace('owner', 'named')}\W*\Z",
    re.IGNORECASE,
)
_REQUIRES = re.compile(
    rf"\W*(?:what|which)\s+{_NEEDED}\s+(?:does|do|must|is|are)\s+(?!i\b){_OWNER}\s+"
    r"(?:need|require|use|declared|defined|in)s?\b.*"
    rf"|\W*(?:what|which)\s+{_NEEDED.replace('needed', 'included')}\s+(?:do|must|should)\s+i\s+(?:need\s+to\s+)?"
    rf"(?:include|link|use|need)(?:\s+to\s+(?:use|call))?(?:\s+for)?\s+{_OWNER.replace('owner', 'of')}\W*\Z",
    re.IGNORECASE,
)
_CHEAP = re.compile(
    r"header|librar|namespace|assembly|\bdll|param|\barg|input|return|yield|give|evaluate|output|result|raise|throw"
    r"|exception|zurück|liefert|renvoie|retourne|devuelve|retorna|devolve|restituisce|возвращает|terug|返回|返し|戻り値",
    re.IGNORECASE,
)
"""What a question has somewhere that asks for a part."""

_CONDITION = re.compile(
    r"\b(?:return|yield|give\s+back|evaluate\s+to|output|raise|throw)s?\s+(?:if|when)\s+(?P<condition>.+)",
    re.IGNORECASE,
)


def condition(question: str) -> str:
    """The case in which it is asked what comes back: "the rope is wet"; empty without one."""
    named = _CONDITION.search(question)
    return named["condition"] if named else ""


def asked_part(question: str) -> AskedPart | None:
    """The part that a question asks for; None where it asks for none."""
    if not _CHEAP.search(question):
        return None
    one = _ONE.search(question)
    if one is not None and not _OF_A_PARAMETER.search(f"{question[: one.start()]} {question[one.end() :]}"):
        named = one.groupdict()
        return AskedPart(Part.PARAMETERS, named["owner"] or named["of"], named["part"] or named["named"])
    if (needs := _REQUIRES.match(question)) is not None:
        named = needs.groupdict()
        return AskedPart(Part.REQUIRES, named["owner"] or named["of"], named["needed"] or named["included"])
    for part, asks in ((Part.PARAMETERS, _ALL), (Part.RETURNS, _RETURNS), (Part.RAISES, _RAISES)):
        if (match := asks.match(question)) is not None:
            return AskedPart(part, next(filter(None, match.groupdict().values())))
    return None
