"""Structure of email text: quoted and forwarded messages, greetings, closings, signatures, patches."""

from __future__ import annotations

import re
from collections.abc import Sequence

TYPES = ("message/rfc822", "application/mbox", "application/vnd.ms-outlook")
QUOTED = "quoted"
"""Spot name of quoted earlier messages: `message 3: quoted`."""
FORWARDED = "forwarded"
"""Spot name of forwarded messages: `message 3: forwarded`."""

_QUOTED_LINE = re.compile(r"[ \t]{0,3}>")
_BARS = re.compile(r"(?:[ \t]{0,3}\|)+(?=[ \t]|$)")
_SEPARATOR = re.compile(
    r"[ \t>]*-{2,}[ \t]*(?:original message|original appointment|ursprüngliche nachricht|message d['’]origine"
    r"|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|исходное сообщение)[ \t]*-{2,}",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"[ \t>*_-]*(?:begin |inizio |anfang der |début du )?(?:forwarded (?:message|by)"
    r"|weitergeleiteten? (?:nachricht|e-mail)|message (?:transféré|réexpédié)"
    r"|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht|пересылаемое сообщение)\b",
    re.IGNORECASE,
)
_IS_FORWARD = re.compile(r"\s*(?:fwd?|wg|tr|rv|i|enc|doorst)\s*:", re.IGNORECASE)
_HEAD = tuple(
    re.compile(rf"[ \t>*]*(?:{names})[ \t]?:", re.IGNORECASE)
    for names in (
        "from|von|de|da|van|от",
        "sent|date|gesendet|datum|envoyé|enviado|inviato|data|fecha|verzonden|отправлено|дата",
        "to|an|à|para|a|aan|кому",
        "subject|betreff|objet|asunto|oggetto|assunto|onderwerp|тема",
    )
)
"""Header lines that mail programs put above a quoted message: sender, date, recipient, subject."""
_HEADS, _APART = 6, 3
"""Maximum lines of such a header, and its minimum number of fields."""
_DRAWN = " \t\r_-"
"""Characters of lines drawn between messages."""
_FOOTER = re.compile(r"_{20,}\s*$")
"""Line above the footer of a mailing list."""
_SIGNED = re.compile(r"^(?:--[ \t]?|_{20,}[ \t]*)$", re.MULTILINE)
_ATTRIBUTION = 3
"""Maximum lines of an attribution above a quotation."""
_BEGINS = re.compile(
    r"(?:on|at|in|am|le|el|il|em|op|den|dnia|quoting|excerpts from|around)\b[ ,:]"
    r"|\*?\s?\d{1,4}[./-]\d",
    re.IGNORECASE,
)
"""The beginning of an attribution of several lines."""
_SAYS_WHOSE = re.compile(
    r"@|\d{1,2}[:.]\d{2}|\d{4}|\b(?:wrote|writes|said|schrieb|schreibt|schreef|a écrit|escribió|escreveu|ha scritto"
    r"|skrev|пиш[еу]т|писал\w*|napisał\w*)\b",
    re.IGNORECASE,
)
_NAME = r"(?-i:[A-ZÀ-ÞА-ЯЁ])[\w.'’-]*"
_GREETING = re.compile(
    r"(?:hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening)|greetings|hallo|liebe[rs]?|sehr geehrte[rs]?|moin"
    r"|guten (?:tag|morgen|abend)|bonjour|bonsoir|salut|chère?s?|hola|estimad[oa]s?|querid[oa]s?|buenos días|ciao"
    r"|buongiorno|car[oai]|gentile|olá|prezad[oa]s?|beste|geachte|hej|привет|здравствуйте|добрый день|уважаем\w+)\b"
    rf"(?:,?(?: (?:{_NAME}|all|every(?:one|body)|there|team|crew|folks|list|both|again|and|und|zusammen|tous|todos"
    rf"|kolleg\w+|colleagues|friends|tutti)){{1,5}})?[ ]?[,!.:]?",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:(?:with |my )?(?:(?:kind|best|warm|many|kindest|warmest) )?(?:regards|wishes|greetings)|best|cheers|sincerely"
    r"|yours(?: (?:sincerely|truly|faithfully))?|thanks(?: (?:again|a lot|in advance))?|thank you|thx"
    r"|many thanks|all the best|take care|mit (?:freundlichen|besten|lieben) grüßen|mfg|lg|vg"
    r"|(?:viele|beste|liebe|freundliche|herzliche) grüße|grüße|gruß|danke|cordialement|bien à vous|merci|cdlt"
    r"|saludos|un saludo|atentamente|gracias|cordiali saluti|saluti|grazie|atenciosamente|obrigad[oa]|abraços"
    r"|met vriendelijke groet(?:en)?|groeten|hälsningar|с уважением|спасибо)\b\W*"
    rf"(?:(?:{_NAME}\W+){{0,3}}{_NAME})?\W*",
    re.IGNORECASE,
)
_BY_A_PROGRAM = re.compile(
    r"\W*(?:sent (?:from|with|by|via) (?:my|the|outlook|mail|proton|samsung|yahoo|gmail|spark|mobile)\b.{0,60}"
    r"|get outlook for \w+.{0,40}|(?:von meinem|gesendet (?:von|mit)) .{0,60}|envoyé de mon .{0,40}"
    r"|enviado desde mi .{0,40}|inviato da .{0,40}|отправлено (?:с|из) .{0,40})\W*",
    re.IGNORECASE,
)
_NAMED_BELOW = re.compile(r"[-–—~]{1,2}[ \t]?[^\W\d_][\w.]{0,20}(?:[ ][^\W\d_][\w.]{0,20})?")
"""The writer's name below a letter: `-keith`."""
_CALLS = re.compile(r"(?:@?[^\W\d_][\w.'’-]*[ ,]{1,2}){0,2}@?[A-ZÀ-ÞА-ЯЁ][\w.'’-]*,")
_ENVELOPE = re.compile(
    r"(?:from|to|cc|bcc|date|sent|subject|reply-to|attachment|von|an|gesendet|datum|betreff|de|à|envoyé|objet|para|asunto)"
    r"(?: ?\([^()]{0,40}\))?: ",
    re.IGNORECASE,
)


def is_quoted_line(line: str) -> bool:
    """Return True if a line is marked as quoted."""
    return _QUOTED_LINE.match(line) is not None


def unquoted(line: str, levels: int | None = None) -> str:
    """Return a line without the given number of quote marks, or without all."""
    left = levels if levels is not None else len(line)
    while left and (mark := _QUOTED_LINE.match(line)):
        line, left = line[mark.end() :], left - 1
    return line


def quote_depth(line: str) -> int:
    """Return the number of quote marks before a line."""
    depth = 0
    while mark := _QUOTED_LINE.match(line):
        line, depth = line[mark.end() :], depth + 1
    return depth


def is_forward(subject: str) -> bool:
    """Return True if the subject is that of a forwarded message."""
    return _IS_FORWARD.match(subject) is not None


def quoted_from(body: str, subject: str = "") -> int | None:
    """Return the offset from which a message only quotes earlier ones. None if it does not, if it answers between
    quotes, or if it forwards messages."""
    lines = body.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    if not is_forward(subject) and (at := _copied_from(lines)) is not None:
        return starts[at]
    at = _marked_from(lines)
    return None if at is None else starts[at]


def _copied_from(lines: Sequence[str]) -> int | None:
    """Return the line at which a complete earlier message starts, as Outlook appends it, or None."""
    says = False
    for at, line in enumerate(lines):
        if _FORWARDED.match(line):
            return None
        if says and _begins_earlier(lines, at):
            return _drawn_above(lines, at)
        says = says or (line.strip(_DRAWN) != "" and not is_quoted_line(line))
    return None


def _drawn_above(lines: Sequence[str], at: int) -> int:
    """Return the first of the blank or drawn lines directly above a line."""
    while at and not lines[at - 1].strip(_DRAWN):
        at -= 1
    return at


def _is_head(lines: Sequence[str]) -> bool:
    """Return True if the lines begin with a sender field and have enough fields of a message header."""
    if not lines or is_quoted_line(lines[0]) or not _HEAD[0].match(lines[0]):
        return False
    return sum(any(pattern.match(line) for line in lines) for pattern in _HEAD) >= _APART


def _begins_earlier(lines: Sequence[str], at: int) -> bool:
    """Return True if a complete message starts at a line."""
    return _SEPARATOR.match(lines[at]) is not None or _is_head(lines[at : at + _HEADS])


def _marked_from(lines: Sequence[str]) -> int | None:
    """Return the line from which all lines are marked as quoted, including the attribution above, or None."""
    end = next((at for at, line in enumerate(lines) if _FOOTER.match(line)), len(lines))
    first = end
    for at in range(end - 1, -1, -1):
        if is_quoted_line(lines[at]):
            first = at
        elif lines[at].strip():
            break
    if first == end:
        return None
    above = _above(lines, first)
    if above and _FORWARDED.match(lines[above - 1]):
        return None
    at = attribution(lines, first)
    says = [line for line in lines[:at] if line.strip() and not is_quoted_line(line)]
    return at if says else None


def _above(lines: Sequence[str], at: int) -> int:
    """Return the position after the nearest non-blank line above, or 0."""
    while at and not lines[at - 1].strip():
        at -= 1
    return at


def attribution(lines: Sequence[str], quoted: int) -> int:
    """Return the first line of the attribution above a quotation (`On Monday Ada wrote:`), or `quoted` if there is
    none."""
    end = _above(lines, quoted)
    if not end or quoted - end > 1 or not lines[end - 1].rstrip().endswith((":", "：")):
        return quoted
    for start in range(end - 1, max(-1, end - 1 - _ATTRIBUTION), -1):
        if not lines[start].strip() or is_quoted_line(lines[start]):
            break
        if _BEGINS.match(lines[start]):
            return start if _SAYS_WHOSE.search(" ".join(lines[start:end])) else quoted
    return end - 1 if _SAYS_WHOSE.search(lines[end - 1]) else quoted


def is_quoted(text: str) -> bool:
    """Return True if a passage of a message only quotes an earlier one."""
    lines = text.lstrip("\n").split("\n")
    if is_quoted_line(lines[0]):
        return all(is_quoted_line(line) for line in lines if line.strip())
    if _SEPARATOR.match(lines[0]) or lines[0].startswith("____"):
        return True
    if any(is_quoted_line(line) for line in lines):
        quoted = next(at for at, line in enumerate(lines) if is_quoted_line(line))
        return attribution(lines, quoted) == 0 and quoted <= _ATTRIBUTION + 1
    return _is_head(lines[:_HEADS]) and any(_HEAD[1].match(line) for line in lines[1:2])


def says_nothing(words: str) -> bool:
    """Return True if a sentence is only a greeting, a salutation, a closing or a mail program's footer."""
    if len(words) > 120:
        return False
    return any(one.fullmatch(words) for one in (_GREETING, _CLOSING, _BY_A_PROGRAM, _CALLS, _NAMED_BELOW))


def is_envelope(words: str) -> bool:
    """Return True if a line is a header field such as sender, recipient, date or subject."""
    return _ENVELOPE.match(words) is not None


def passed_on(text: str, start: int = 0) -> int:
    """Return the offset after `start` at which a forwarded message begins, or the end of the text."""
    lines = text[start:].split("\n")
    for at, line in enumerate(lines):
        if not is_quoted_line(line) and (says_forwarded(line) or _begins_earlier(lines, at)):
            return start + sum(len(above) + 1 for above in lines[: _drawn_above(lines, at)])
    return len(text)


def says_forwarded(line: str) -> bool:
    """Return True if a line introduces a forwarded message."""
    return _FORWARDED.match(line) is not None


def with_quotes_marked(text: str) -> str:
    """Return a text in which quotations marked with bars below an attribution are marked with `> ` instead."""
    lines = text.split("\n")
    is_within = False
    for at, line in enumerate(lines):
        bars = _BARS.match(line)
        if bars is None:
            is_within = is_within and not line.strip()
            continue
        is_within = is_within or ("|" not in line[bars.end() :] and attribution(lines, at) < at)
        if is_within:
            lines[at] = bars[0].replace("|", ">") + line[bars.end() :]
    return "\n".join(lines)


def signature(text: str) -> int:
    """Return the offset of the signature (after a line of two dashes), or the end of the text."""
    signed = _SIGNED.search(text)
    return signed.start() if signed else len(text)
