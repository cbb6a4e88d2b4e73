"""What a message says itself, apart from who wrote it to whom, what it quotes, and its signature; and who says it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from biblicus.answering.reader.reading import lines_beside
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.readable import readable
from biblicus.answering.reader.reading.units import Unit
from biblicus.models.answers.answer import Citation
from biblicus.models.evidence import Evidence
from biblicus.text import replies

_ENVELOPE, _QUOTED, _SIGNATURE = 0.4, 0.6, 0.6
"""What counts who wrote it to whom and when, for the names and days that others are asked for stand there; what is
quoted of another message; and what stands below a letter."""
_HEAD, _LINES = 2_000, 12
"""Characters and lines of a message's head at most."""
_NAME = re.compile(r"From: [^\w<>]{0,3}(?P<name>[^<>\n]{1,80}?)\W{0,3}(?:<[^<>\n]*>)?\s*")
_BEHIND = re.compile(r"From: \S+ (?:at|@) \S+ \((?P<name>[^()\n]{1,80})\)|From: \S+@\S+ \((?P<other>[^()\n]{1,80})\)")
_SPEAKER = re.compile(r"[^\W\d_][\w .,'’-]{1,60}?[ \t]+[(\[]?(?:\d{1,2}:)?\d{1,2}:\d{2}[)\]]?")
"""How a transcript names who speaks, and when, above what is said."""
_NAMING = (Kind.LABEL, Kind.HEADING)
_WORD = re.compile(r"\w+")
_DAY = re.compile(r"Date: (?P<day>(?:\w{2,3}, )?(?:\d{1,2} \w{3,9} \d{4}|\d{4}-\d{2}-\d{2}))")


@dataclass(frozen=True, slots=True)
class Letter:
    """What tells of a piece of a message. `head`: the piece of the message that it begins with, where it is known, and
    `sender`, `day`: of that the units that say from whom it is and when; `signed`: where the signature begins;
    `passed_on`: where it passes on what another one says; `is_quoted`: whether the piece is all quoted; `names`: the
    words of who sent it."""

    head: Evidence | None
    sender: Unit | None
    day: Unit | None
    signed: int
    passed_on: int
    is_quoted: bool
    names: frozenset[str]

    def worth(self, text: str, unit: Unit) -> float:
        """What the score of a unit of the piece is multiplied by. The name below a letter says nothing."""
        if self.names.issuperset(_WORD.findall(unit.reads.casefold())):
            return 0.0
        if self.is_quoted or replies.is_quoted_line(text[text.rfind("\n", 0, unit.start) + 1 : unit.end]):
            return _QUOTED
        if replies.is_envelope(unit.reads):
            return _ENVELOPE
        return _SIGNATURE if unit.start >= self.signed else 1.0

    def tells(self, unit: Unit) -> bool:
        """Whether a unit stands around the letter and may tell something all the same: an address, a number."""
        return replies.is_envelope(unit.reads) or (unit.start >= self.signed and not replies.says_nothing(unit.reads))

    def says(self, text: str, unit: Unit) -> bool:
        """Whether the sender says a unit."""
        return self.sender is not None and unit.start < self.passed_on and self.worth(text, unit) == 1.0


def letter(piece: Evidence, others: Sequence[Evidence] = ()) -> Letter | None:
    """Of a piece of a message; None of another. `others`: pieces, among which that may be which it begins with."""
    if piece.doctype != "message":
        return None
    is_quoted = piece.media_type in replies.TYPES and replies.is_quoted(piece.text)
    is_of_another = is_quoted or _is_passed_on(piece)
    head, sender, day = next(_heads(piece, () if is_of_another else (piece, *others)), (None, None, None))
    names = frozenset(_WORD.findall(sender.reads.casefold())) if sender else frozenset[str]()
    signed = replies.signature(piece.text)
    passed_on = replies.passed_on(piece.text, sender.end if sender and head is piece else 0)
    return Letter(head, sender, day, signed, passed_on, is_quoted, names)


def _is_passed_on(piece: Evidence) -> bool:
    """Whether a piece is of a message that another one passes on."""
    return piece.locator is not None and piece.locator.label.endswith(f": {replies.FORWARDED}")


def _heads(piece: Evidence, among: Sequence[Evidence]) -> Iterator[tuple[Evidence, Unit, Unit | None]]:
    """The pieces that the message of a piece begins with, with the lines that say from whom it is and when."""
    for other in among:
        if other.item_id != piece.item_id or other.locator != piece.locator:
            continue
        head = other.text[:_HEAD].split("\n")[:_LINES]
        lines = {line[: line.find(":")]: line for line in reversed(head)}  # the first of each counts
        if sender := _line(other.text, lines.get("From")):
            yield other, sender, _line(other.text, lines.get("Date"))


def _line(text: str, line: str | None) -> Unit | None:
    start = text.find(line) if line else -1
    return Unit(start, start + len(line), Kind.FACT, line, len(line.split()), False) if line and start >= 0 else None


def spoken_by(piece: Evidence, units: Sequence[Unit], quoted: Sequence[Unit]) -> tuple[str, Citation] | None:
    """Who says what is quoted of a transcript, where a line above names the speaker and the time: `Ada Stone  0:41`."""
    above = [unit for unit in units if unit.start < quoted[0].start and unit.kind in _NAMING]
    if not above or "\n\n" in piece.text[above[-1].end : quoted[0].start].strip(" \t"):
        return None
    is_time = len(above) > 1 and lines_beside.is_time(above[-1].reads)
    names = above[-2:] if is_time else above[-1:]
    if not (is_time or _SPEAKER.fullmatch(names[0].reads) or lines_beside.is_speaker(names[0].reads)):
        return None
    return ", ".join(unit.reads for unit in names), Citation(piece, names[0].start, names[-1].end)


def are_of_one(piece: Evidence, *units: Unit) -> bool:
    """Whether units are said by the same one, as far as marks of quotes tell: only in a message they do."""
    lines = (piece.text[piece.text.rfind("\n", 0, unit.start) + 1 : unit.end] for unit in units)
    return piece.doctype != "message" or len(set(map(replies.quote_depth, lines))) == 1


def quoted_of(piece: Evidence, quoted: Sequence[Unit]) -> tuple[str, Citation] | None:
    """Who wrote what is quoted of a message that quotes it, by the line above that says so; None for several."""
    places = {replies.attributed(piece.text, unit.start) for unit in quoted}
    place = places.pop()
    if places or place is None:
        return None
    return readable(piece.text[slice(*place)]).rstrip(":："), Citation(piece, *place)


def said_by(letter: Letter, piece: Evidence, quoted: Sequence[Unit]) -> tuple[str, Citation] | None:
    """Who says what is quoted of a piece, and when, in the words of its head, with what tells it. None where that is
    not known, or is what is quoted."""
    if letter.head is None or letter.sender is None or not all(letter.says(piece.text, unit) for unit in quoted):
        return None
    match = _BEHIND.match(letter.sender.reads) or _NAME.fullmatch(letter.sender.reads)
    if match is None:
        return None
    envelope = [letter.sender]
    who = match["name"] or match["other"]
    if letter.day is not None and (day := _DAY.match(letter.day.reads)):
        envelope.append(letter.day)
        who = f"{who}, {day['day']}"
    return who, Citation(letter.head, min(unit.start for unit in envelope), max(unit.end for unit in envelope))
