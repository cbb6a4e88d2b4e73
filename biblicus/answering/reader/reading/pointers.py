"""Sentences and lines that say nothing of their own: what points elsewhere, names parts of a text, or frames it."""

from __future__ import annotations

import re

_POINTS = re.compile(
    r"(?:\(|note:? )?(?:"
    r"(?:for|to (?:find|get|see|learn|read)) (?:\w+ ){0,3}(?:information|details?|examples?|descriptions?"
    r"|discussion)\b|(?:for (?:\w+ ){0,2}more|to (?:find|get|see|learn|read)(?: \w+){0,3}) about\b"
    r"|for (?:an?|the|other|another|further|more) (?:\w+ ){0,3}(?:lists?|examples?|overview|code)\b"
    r"|(?:for|to) [^.;:?!]{3,200}, (?:please )?(?:see|refer to|consult|check out) [^.;:,?!]{2,80}\.?\Z"
    r"|see\b(?! (?:that|how|if)\b)|(?:also|please) (?:see|refer)\b|refer to\b"
    r"|(?:be sure|make sure|remember) to (?:also )?(?:read|see|check out)\b"
    r"|more (?:information|details?|about)\b"
    r"|more (?!(?:than|and|or)\b)(?:\w+ ){1,2}(?:information|details?) (?:is|are|on|about|can|see)\b"
    r"|(?:this|the following|the next|the previous|these|each) (?:section|topic|article|chapter|page|document"
    r"|tutorial"
    r"|walkthrough|example|sample|code|table|list|guide|figure|diagram|program|topics|sections|articles|examples"
    r"|tables"
    r"|links|procedures?|steps)s? (?:\w+ ){0,2}(?:describes?|shows?|demonstrates?|illustrates?|explains?|provides?"
    r"|lists?"
    r"|discusse?s?|contains?|covers?|presents?|gives?|introduces?|defines?|outlines?|summarizes?|documents?|uses?"
    r"|are|have)\b"
    r"|(?:this|the) (?:section|topic|article|chapter|page|document) (?:has (?:been )?|was |is )(?:moved|integrated"
    r"|merged)\b|welcome (?:to|back)\b.{0,60}$"
    r"|(?:the|these|its) (?:articles|topics|sections|pages|chapters|links|subsections) (?:\w+ ){0,3}(?:are|is)"
    r" (?:grouped|listed|organi[sz]ed|arranged|divided|sorted|split)\b"
    r"|(?:here|below|above)(?: (?:is|are)|['’]s) (?:an?|the|some|all|more) (?:\w+ ){0,2}(?:lists?|overview|summary"
    r"|table|examples?|links?|descriptions?)\b|in diesem (?:abschnitt|kapitel|artikel|thema)\b"
    r"|en est[ea] (?:sección|artículo|tema|capítulo|ejemplo)\b|dans (?:cette|ce) (?:section|article|chapitre)\b"
    r"|in (?:this|the following) (?:section|topic|article|chapter|tutorial|example)\b"
    r"(?!,? (?:we|the authors) (?:show|find|prove|demonstrate|conclude|report) that\b)|click here|(?:read"
    r"|learn) (?:more|about|how)\b"
    r"|weitere (?:informationen|details|hinweise)|siehe\b|(?:dieser|dieses|diese) (?:abschnitt|kapitel|artikel"
    r"|thema|tabelle"
    r"|beispiel)\b|(?:para|si desea) (?:obtener |ver |conocer )?(?:más|mayor) (?:información|detalles)|(?:véase|vea"
    r"|ver|consulte)\b"
    r"|(?:este|esta|el siguiente|la siguiente) (?:sección|artículo|tema|capítulo|ejemplo"
    r"|tabla)\b (?:se )?(?:describe|muestra"
    r"|explica|proporciona|contiene)|pour (?:plus d|en savoir)|voir (?:aussi|également)|consultez\b"
    r"|per (?:ulteriori|maggiori) informazioni|para (?:mais|obter mais) informações|zie (?:ook\b|voor\b)"
    r"|(?:дополнительн\w+ (?:сведени|информаци)\w+|подробн\w+(?: \w+)?,? (?:см|смотри)|см\.|смотри(?:те)? также)"
    r"|(?:этот|эта|в этом|в этой|в данном) (?:раздел|стать|глав)\w+ (?:описа|описыва|показыва|содерж)\w+"
    r")|有关(?:更多|详细|其他).{0,30}(?:请参阅|参见|参阅|信息)|(?:另)?请?(?:参阅|参见)|本(?:节|章|文|主题|部分)(?:介绍|描述|说明|讨论)",
    re.IGNORECASE,
)
"""What points elsewhere, at its beginning; then it says nothing of its own subject."""
_FOR_EXAMPLE = re.compile(
    r"for (?:example|instance)(?:\W*$|[,:] *| (?!code\b|programs?\b|source\b|usage\b))", re.IGNORECASE
)
"""Before a sentence that says of one thing what holds of many; alone it says nothing."""
ONLY_NAMES = re.compile(
    r"(?:see also|related(?: \w+)?|(?:in|on) this (?:section|article|chapter|page|topic)|table of contents"
    r"|contents?(?!\s*:)|prev(?:ious)?|next|home|up|siehe auch|inhalt(?:sverzeichnis)?"
    r"|in diesem (?:abschnitt|artikel|kapitel|thema)|voir aussi|table des matières|sommaire|v[eé]ase también"
    r"|contenidos?(?!\s*:)|tabla de contenidos?|índice|см\. также|содержание|оглавление|目录|另请参阅|本文内容)\W*$",
    re.IGNORECASE,
)
_APART = re.compile(
    r"\s*\[[^\]\n]{1,200}\]:\s*\S+(?:\s+\[[^\]\n]{1,200}\]:\s*\S+)*\s*\Z|.{0,80}[-=*#_~]{8}\s*\Z", re.DOTALL
)
"""Where links lead, as they stand below a comment; a line that parts source code, with the name of what follows."""
_RIGHTS = re.compile(
    r"\W*(?:(?:copyright|©|\(c\)|[^.!?]{1,80}\scopyright\s*(?:©|\(c\)))[^.!?]{0,40}\d{4}.{0,160}"
    r"|all rights reserved\W*)\Z",
    re.IGNORECASE | re.DOTALL,
)
"""Whose a text is."""
_OF_A_VERSION = re.compile(
    r"(?:(?:new|added|changed|deprecated|removed)(?: in| since)? version \d[\w.]*\W*$"
    r"|.{0,60}\b(?:edition|version) of the (?:book|manual|guide|documentation) is no longer\b"
    r"|there is a new edition of\b)",
    re.IGNORECASE,
)
"""Says only since when something is there, or that this is an old text."""
_PARTS = re.compile(
    r"(?:introduction|overview|preface|foreword|conclusions?|summary|bibliography|references|appendi(?:x|ces)|glossary"
    r"|einleitung|einführung|vorwort|fazit|literatur(?:verzeichnis)?|anhang|introducción|prólogo|conclusi(?:ón|ones)"
    r"|parameters|returns|yields|raises|warns|attributes|methods|examples|notes"
    r"|bibliografía|préface|bibliographie|annexes?|введение|предисловие|заключение|литература|引言|前言|结论|参考文献)\W*$",
    re.IGNORECASE,
)
"""What a part of a text is called, alone on a line."""

_NAME_OF_CODE = r"(?:~?(?=\w[\w.]*[._]\w)[\w.]++(?<=\w)|/\w[\w./-]*+)"
_NAMES_OF_CODE = re.compile(rf"{_NAME_OF_CODE}(?:,?\s+{_NAME_OF_CODE})+\Z")
"""Names of code, or of pages, alone, as indexes have them: `Winch.haul Winch.veer`, `/docs/winch /docs/slip`."""


def says_nothing(reads: str) -> bool:
    """Whether what people read of a sentence, an item or a row is one of these."""
    if (begun := _FOR_EXAMPLE.match(reads)) and not (reads := reads[begun.end() :]):
        return True
    return any(
        form.match(reads) for form in (_PARTS, _POINTS, ONLY_NAMES, _OF_A_VERSION, _APART, _RIGHTS, _NAMES_OF_CODE)
    )
