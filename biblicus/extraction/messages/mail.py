"""Mail: one message (eml) or a mailbox (mbox), each message a spot of its own, with the headers that people search.

Plain text is preferred to HTML. Attachments are named; their own text is not read. The standard library parses; what a
header hides (encoded words, folded lines) is resolved. Where a message ends with earlier ones that it answers, or
passes on, these are a place of their own.
"""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import Composer, clean, day, folded
from biblicus.extraction.kit.messages import composed
from biblicus.extraction.kit.texts import Options, nothing
from biblicus.extraction.web.html import HIDDEN, Html
from biblicus.extraction.web.html import Options as HtmlOptions
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.text.decoding import decode

MBOX = "application/mbox"
_LINE = re.compile(rb"(?:\A|(?<=\n))From(?:[ \t][^\n]{0,400})?\r?\n")
_DATED = re.compile(
    rb"From[ \t][^\n]*[ \t][A-Z][a-z]{2},?[ \t]+"
    rb"(?:[A-Z][a-z]{2}[ \t]+\d{1,2}|\d{1,2}[ \t]+[A-Z][a-z]{2})[ \t,]+(?:\d{4}[ \t]+)?"
    rb"\d{1,2}:\d\d[^\n]*\n"
)
"""A line `From …` that a program wrote: with the day and the time at which the message came."""
_FOLLOWED = re.compile(rb"[\w-]{1,100}:|>From |\r?\n|\Z")
_BLANK_BEFORE = (b"\n\n", b"\n\r\n")
_LENGTH = re.compile(rb"^Content-Length:[ \t]*(\d{1,9})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_COUNTED = re.compile(rb"(\d{1,10})[ \t]*\r?\n")
"""How many bytes a message has, above it, as Apple's Mail keeps it: what is behind these tells of flags."""
_HEADED = re.compile(
    rb"Content-Type:[ \t]*(?:text|multipart|message)/"
    rb"|(?=(?:[\w-]{1,60}:[^\n]*\n(?>(?:[ \t][^\n]*\n)*)){2})"
    rb"(?>(?:(?!(?:From|To|Subject|Date|Message-ID|Content-Type):)(?:[\w-]{1,60}:|[ \t])[^\n]*\n)*)"
    rb"(?:From|To|Subject|Date|Message-ID|Content-Type):",
    re.IGNORECASE,
)
"""How a message begins, in a file that is called a mailbox and holds one alone."""
_SENT = re.compile(rb"\nFrom [^\n]{1,300}\d\d:\d\d[^\n]{1,40}\n")
"""A line `From …` that nobody wrote: with the time of day."""
_QUOTED_FROM = re.compile(rb"(?m)^>(>*From )")
_DIGEST = re.compile(
    r"^-{27,}[ \t]*\n\s*(?=(?:Message: \d+\n)?(?:[A-Z][\w-]{1,40}: [^\n]*\n(?>(?:[ \t][^\n]*\n)*)){3,}\n)", re.MULTILINE
)
"""What stands between the messages of a digest (RFC 1153)."""
SEALS = frozenset(
    f"application/{name}" for name in ("pgp-signature", "pgp-encrypted", "pkcs7-signature", "x-pkcs7-signature")
)
"""Parts by which programs prove who sent a message, or that it is locked; nobody reads them."""
_CHARSET = re.compile(r"=\?(gb2312|gbk|ks_c_5601-1987|euc-kr|shift_jis)(?=\?[bq]\?)", re.IGNORECASE)
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "shift_jis": "cp932"}
"""What programs write that say they write the narrower one."""
_ENCODED = ("base64", "quoted-printable", "x-uuencode", "uuencode", "uue", "x-uue")
_WORD = re.compile(r"[^\W\d_]{2,}")
_UNSEEN = re.compile(
    r"<(style|script|head|title)\b.*?(?=</\1|\Z)|<!--.*?(?=-->|\Z)|<[^<>]*>|\b(?:https?:|www\.|mailto:)\S+",
    re.IGNORECASE | re.DOTALL,
)
"""Of a page or a text: marks, what is for programs, addresses."""
_FEWEST_WORDS, _MORE_WORDS = 40, 3
"""Of a page that says more than the plain part beside it: its words, and how often as many as that has."""
_HEADERS = ("Subject", "From", "To", "Cc", "Date")
_ANY_HEADER = re.compile(rb"\s*[\w-]{1,60}:[ \t]")
_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
_DEEPEST = 8
_MOST_PARTS = 2_000
_MOST_MESSAGES = 50_000
_LONGEST = 20_000
"""Characters of a header: some name hundreds of people."""


class Mail:
    """Parsed in a guarded worker."""

    guarded = True

    def __init__(self) -> None:
        self._html = Html(HtmlOptions(content="all", mark_quotes=True))
        self.fingerprint = f"mail/10 {self._html.fingerprint}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        if not raw.strip():  # as programs keep an empty mailbox
            return nothing()
        messages, _ = sources(raw, hint.media_type == MBOX)
        composer = Composer()
        headers: dict[str, str] = {}
        hidden = ""
        for number, source in enumerate(messages[:_MOST_MESSAGES], 1):
            composer.gap()
            composer.spot("message", "", str(number))
            reader = _Reader(self._html, composer, str(number))
            headers = reader.message(message_from_bytes(source, policy=policy.compat32), 0)
            hidden = reader.hidden
        if len(messages) > _MOST_MESSAGES:
            composer.warn(f"Messages after the first {_MOST_MESSAGES:,} were not read.")
        if len(messages) > 1:
            return composer.extraction(titled=False)
        metadata = {
            "author": headers.get("From", "")[:300],
            "date": day(headers.get("Date", "")),
            HIDDEN: hidden,
        }
        return composer.extraction(
            title=headers.get("Subject"),
            metadata=metadata,
            titled=False,
        )


def build(options: Options, given: Given) -> Extractor:
    """The extractor for mail."""
    return Mail()


def sources(raw: bytes, is_mailbox: bool = False) -> tuple[list[bytes], bool]:
    """The messages of a file, and whether it is a mailbox. Raises `ExtractionFailed`."""
    if raw.startswith(_MARKS):
        raw = decode(raw)[0].encode("utf-8", "replace")
    raw = raw.lstrip(b"\r\n")
    if counted := _COUNTED.match(raw):
        raw = raw[counted.end() : counted.end() + int(counted[1])]
    if raw.startswith(b"From") and next(_separators(raw), None) is not None:
        return list(_messages(raw)), True
    if is_mailbox and (not _HEADED.match(raw) or _SENT.search(raw)):
        return list(_messages(raw)), True
    return [raw], False


def _messages(raw: bytes) -> Iterator[bytes]:
    """The messages of a mailbox (RFC 4155), the marks of quoted lines taken away. Raises `ExtractionFailed`."""
    starts = list(_separators(raw))
    if not starts or starts[0].start():
        raise ExtractionFailed("the file is no mailbox: it does not begin with a From line")
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(raw)
        yield _QUOTED_FROM.sub(rb"\1", raw[start.end() : end])


def _separators(raw: bytes) -> Iterator[re.Match[bytes]]:
    """The lines between messages: those with a date, or above headers; a sentence that begins with `From` is none."""
    at = 0
    while (line := _LINE.search(raw, at)) is not None:
        at = line.end()
        is_apart = not line.start() or raw.endswith(_BLANK_BEFORE, 0, line.start())
        is_dated = _DATED.match(raw, line.start(), line.end()) is not None
        is_headed = _HEADED.match(raw, line.end()) is not None
        if (is_headed and (is_apart or is_dated)) or (is_apart and is_dated and _FOLLOWED.match(raw, line.end())):
            yield line
            at = max(at, _counted_end(raw, line.end()))


def _counted_end(raw: bytes, start: int) -> int:
    """Where a message ends that says how long it is, if the next one begins there; else where it starts."""
    head = _HEAD_END.search(raw, start)
    length = _LENGTH.search(raw, start, head.start() + 1) if head else None
    if head is None or length is None:
        return start
    end = head.end() + int(length[1])
    while raw[end : end + 1] in (b"\r", b"\n"):
        end += 1
    return end if end >= len(raw) or _LINE.match(raw, end) else start


class _Reader:
    """One message and those inside it, each a place of its own. `number`: of the message in its file."""

    def __init__(self, html: Html, composer: Composer, number: str) -> None:
        self._html, self._composer = html, composer
        self._number = number
        self._parts = self._inside = 0
        self.hidden = ""

    def message(self, message: Message, depth: int, place: str = "", is_text: bool = False) -> dict[str, str]:
        """Composes headers, text and the names of attachments; gives the headers. `place`: what its place is called.
        `is_text`: whether it stood in a text, which is decoded."""
        headers = self._head(message)
        composer = self._composer
        for part, kind in self._shown(message):
            if kind == "message":
                inner = attached_message(part)
                if inner is not None:
                    if depth < _DEEPEST:
                        composer.paragraph("Attached message:")
                    self._within(inner, depth, place, is_text)
            elif kind == "attachment":
                name = header(part.get_filename()) if part.get_filename() else ""
                if name or part.get_content_maintype() != "image":
                    composer.line(f"Attachment: {name or part.get_content_type()}")
            else:
                text, *others = _DIGEST.split(clean(self._text(part, kind, is_text)))
                place = composed(composer, text, headers.get("Subject", ""), self._number, place)
                for other in others:
                    inside = message_from_bytes(other.lstrip("\n").encode("utf-8", "replace"), policy=policy.compat32)
                    self._within(inside, depth, place, True)
        return headers

    def _head(self, message: Message) -> dict[str, str]:
        """Composes the headers that people search, and gives them."""
        raw = {name.lower(): value for name, value in reversed(list(message.raw_items()))}  # the first of each counts
        charset = next(filter(None, (part.get_content_charset() for part in (message, *parts(message)))), None)
        headers = {name: text for name in _HEADERS if (text := header(raw.get(name.lower()), charset))}
        for name, text in headers.items():
            if name == "Subject":
                self._composer.heading(1, text)
            else:
                self._composer.line(f"{name}: {text}")
        self._composer.gap()
        return headers

    def _within(self, message: Message, depth: int, around: str, is_text: bool) -> None:
        """Composes a message within another. `around`: what the place of that is called."""
        if depth >= _DEEPEST:
            self._composer.warn(f"Messages that are attached deeper than {_DEEPEST} are left out.")
            return
        self._inside += 1
        place = f"{self._inside}. {header(message.get('Subject'))}"
        self._composer.spot("message", place, self._number)
        self.message(message, depth + 1, place, is_text)
        self._composer.spot("message", around, self._number)

    def _shown(self, message: Message) -> Iterator[tuple[Message, str]]:
        """The parts to show, in order; of alternatives the plain one, else the richest that is text."""
        pending = [message]
        while pending:
            part = pending.pop()
            self._parts += part is not message  # a digest holds as many messages as it likes
            if self._parts > _MOST_PARTS:
                raise ExtractionFailed(f"it has more than {_MOST_PARTS} parts")
            kind = part.get_content_type()
            if kind in SEALS:
                continue
            if kind == "message/rfc822":
                yield part, "message"
            elif part.is_multipart():
                inner = [child for child in part.get_payload() if isinstance(child, Message)]
                pending += reversed(_chosen(inner) if kind == "multipart/alternative" else inner)
            elif part.get_content_disposition() == "attachment" or (part.get_filename() and kind != "text/html"):
                yield part, "attachment"
            elif kind in ("text/plain", "text/html"):
                yield part, kind
            elif part is not message and not kind.startswith("text/"):
                yield part, "attachment"
            else:
                yield part, "text/plain"

    def _text(self, part: Message, kind: str, is_text: bool) -> str:
        """The text of a part."""
        text = body(part, is_text)
        if kind != "text/html":
            return text
        page = self._html.extract(b"\xef\xbb\xbf" + text.encode("utf-8", "replace"), MediaHint("", "text/html"))
        if isinstance(page, NoExtraction):
            return ""
        self.hidden = self.hidden or str(page.metadata.get(HIDDEN, ""))
        return page.text


def _chosen(alternatives: list[Message]) -> list[Message]:
    """The plain part, unless it is empty or only says that there is another: then the richest that holds a page."""
    plain = [part for part in alternatives if part.get_content_type() == "text/plain" and body(part).strip()]
    fewest = max(_FEWEST_WORDS, _MORE_WORDS * _words(plain[0])) if plain else 0
    for other in reversed(alternatives):
        pages = (part for part in parts(other) if part.get_content_type() == "text/html")
        if any(_words(page) >= fewest for page in pages):
            return [other]
    return plain[:1] or [part for part in alternatives if part.get_content_type() != "text/calendar"][-1:]


def _words(part: Message) -> int:
    """How many words a page or a text has, those of links apart."""
    return len(_WORD.findall(_UNSEEN.sub(" ", body(part))))


def attached_message(part: Message) -> Message | None:
    """The message that a part is, also where a gateway encoded it."""
    inner = part.get_payload()
    message = inner[0] if isinstance(inner, list) and inner else None
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if not isinstance(message, Message) or encoding not in ("base64", "quoted-printable"):
        return message if isinstance(message, Message) else None
    raw = message.as_bytes(policy=policy.compat32.clone(max_line_length=0)).strip()
    try:
        decoded = base64.b64decode(raw) if encoding == "base64" else quopri.decodestring(raw)
    except ValueError:
        return message
    return message_from_bytes(decoded, policy=policy.compat32) if _ANY_HEADER.match(decoded) else message


def header(value: object, charset: str | None = None) -> str:
    """A header's words on one line. `charset`: of the body, in which old programs write headers, too."""
    if value is None:
        return ""
    text = str(value)
    if not text.isascii():
        text = decode(text.encode("utf-8", "surrogateescape"), charset).text
    text = _CHARSET.sub(lambda match: f"=?{_WIDER[match[1].lower()]}", text)
    try:
        text = str(make_header(decode_header(text)))
    except (LookupError, ValueError, UnicodeError, TypeError, AssertionError):
        pass  # as it is written
    except Exception as error:  # binascii and email raise what they like at broken encoded words
        if type(error).__module__ not in ("binascii", "email.errors"):
            raise
    return folded(text)[:_LONGEST]


def body(part: Message, is_text: bool = False) -> str:
    """The text of a part, by its charset, else by what its bytes say. `is_text`: whether it stood in a text, which is
    decoded: UTF-8 but for what is encoded within."""
    payload = part.get_payload(decode=True)
    raw = payload if isinstance(payload, bytes) else b""
    charset = part.get_content_charset() or ""
    if is_text and str(part.get("Content-Transfer-Encoding", "")).strip().lower() not in _ENCODED:
        charset = "utf-8"
    text = None
    if charset and charset not in ("us-ascii", "ascii"):
        try:
            text = raw.decode(charset)
        except (LookupError, ValueError):
            pass  # an unknown charset, or not what it says
    text = decode(raw)[0] if text is None else text
    is_flowed = part.get_content_type() == "text/plain" and str(part.get_param("format")).lower() == "flowed"
    return _unfolded(text, str(part.get_param("delsp")).lower() == "yes") if is_flowed else text


def _unfolded(text: str, drops_space: bool) -> str:
    """The paragraphs of a text whose lines end with a space where they go on (RFC 3676)."""
    lines: list[str] = []
    goes_on, depth = False, 0
    for line in text.splitlines():
        now = len(line) - len(line.lstrip(">"))
        words = line[now:].removeprefix(" ")
        is_end = words == "-- "
        if goes_on and now == depth and not is_end:
            lines[-1] = (lines[-1][:-1] if drops_space else lines[-1]) + words
        else:
            lines.append(f"{'>' * now} {words}" if now else words)
        goes_on, depth = words.endswith(" ") and not is_end, now
    return "\n".join(lines) + "\n"


def parts(message: Message) -> Iterator[Message]:
    """The parts that hold something, in order."""
    pending = [message]
    for _ in range(_MOST_PARTS):
        if not pending:
            return
        part = pending.pop()
        if part.get_content_type() == "message/rfc822" and (inner := attached_message(part)) is not None:
            pending.append(inner)
            continue
        payload = part.get_payload()
        if isinstance(payload, list):
            pending += [child for child in reversed(payload) if isinstance(child, Message)]
        else:
            yield part
