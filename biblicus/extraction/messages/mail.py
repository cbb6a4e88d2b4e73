"""Extractor of mail: a message (eml) or mailbox (mbox), each message a spot of its own with its main headers.

Plain text is preferred to HTML. Attachments are members. Earlier messages that are quoted or forwarded
at the end get a spot of their own.
"""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import Message

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import Composer, clean, day, folded
from biblicus.extraction.kit.messages import attached_name, composed
from biblicus.extraction.kit.texts import Options, nothing
from biblicus.extraction.web.html import HIDDEN, Html
from biblicus.extraction.web.html import Options as HtmlOptions
from biblicus.models.extraction import Extraction, NoExtraction, Packed
from biblicus.text.decoding import decode

MBOX = "application/mbox"
_LINE = re.compile(rb"(?:\A|(?<=\n))From(?:[ \t][^\n]{0,400})?\r?\n")
_DATED = re.compile(
    rb"From[ \t][^\n]*[ \t][A-Z][a-z]{2},?[ \t]+"
    rb"(?:[A-Z][a-z]{2}[ \t]+\d{1,2}|\d{1,2}[ \t]+[A-Z][a-z]{2})[ \t,]+(?:\d{4}[ \t]+)?"
    rb"\d{1,2}:\d\d[^\n]*\n"
)
"""A `From …` line that a program wrote, with the date and time of arrival."""
_FOLLOWED = re.compile(rb"[\w-]{1,100}:|>From |\r?\n|\Z")
_BLANK_BEFORE = (b"\n\n", b"\n\r\n")
_LENGTH = re.compile(rb"^Content-Length:[ \t]*(\d{1,9})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_COUNTED = re.compile(rb"(\d{1,10})[ \t]*\r?\n")
"""The byte count above a message in Apple Mail's files; metadata flags follow that many bytes."""
_HEADED = re.compile(
    rb"Content-Type:[ \t]*(?:text|multipart|message)/"
    rb"|(?=(?:[\w-]{1,60}:[^\n]*\n(?>(?:[ \t][^\n]*\n)*)){2})"
    rb"(?>(?:(?!(?:From|To|Subject|Date|Message-ID|Content-Type):)(?:[\w-]{1,60}:|[ \t])[^\n]*\n)*)"
    rb"(?:From|To|Subject|Date|Message-ID|Content-Type):",
    re.IGNORECASE,
)
"""The beginning of a single message in a file that claims to be a mailbox."""
_SENT = re.compile(rb"\nFrom [^\n]{1,300}\d\d:\d\d[^\n]{1,40}\n")
"""A `From …` line with a time of day, which no person would write."""
_QUOTED_FROM = re.compile(rb"(?m)^>(>*From )")
_DIGEST = re.compile(
    r"^-{27,}[ \t]*\n\s*(?=(?:Message: \d+\n)?(?:[A-Z][\w-]{1,40}: [^\n]*\n(?>(?:[ \t][^\n]*\n)*)){3,}\n)", re.MULTILINE
)
"""The separator between the messages of a digest (RFC 1153)."""
_SEALS = frozenset(
    f"application/{name}" for name in ("pgp-signature", "pgp-encrypted", "pkcs7-signature", "x-pkcs7-signature")
)
"""Media types of signature and encryption parts, which have no readable text."""
_CHARSET = re.compile(r"=\?(gb2312|gbk|ks_c_5601-1987|euc-kr|shift_jis)(?=\?[bq]\?)", re.IGNORECASE)
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "shift_jis": "cp932"}
"""The charset actually used by programs that declare the narrower one."""
_ENCODED = ("base64", "quoted-printable", "x-uuencode", "uuencode", "uue", "x-uue")
_WORD = re.compile(r"[^\W\d_]{2,}")
_UNSEEN = re.compile(
    r"<(style|script|head|title)\b.*?(?=</\1|\Z)|<!--.*?(?=-->|\Z)|<[^<>]*>|\b(?:https?:|www\.|mailto:)\S+",
    re.IGNORECASE | re.DOTALL,
)
"""Parts of an HTML page or text that are not prose: tags, style sheets, scripts, addresses."""
_FEWEST_WORDS, _MORE_WORDS = 40, 3
"""Minimum words of an HTML part, in all and as a multiple of the plain part, to be used instead of it."""
_HEADERS = ("Subject", "From", "To", "Cc", "Date")
_ANY_HEADER = re.compile(rb"\s*[\w-]{1,60}:[ \t]")
_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
_DEEPEST = 8
_MOST_PARTS = 2_000
_MOST_MESSAGES = 50_000
_LONGEST = 20_000
"""Maximum characters of a header; some list hundreds of people."""


class Mail:
    """Extractor that runs in a guarded worker."""

    guarded = True

    def __init__(self) -> None:
        self._html = Html(HtmlOptions(content="all", mark_quotes=True))
        self.fingerprint = f"mail/12 {self._html.fingerprint}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        if not raw.strip():  # an empty mailbox
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
    return Mail()


def sources(raw: bytes, is_mailbox: bool = False) -> tuple[list[bytes], bool]:
    """Return the messages of a file, and True if it is a mailbox. Raises `ExtractionFailed`."""
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
    """Yield the messages of a mailbox (RFC 4155) with `>From` unescaped. Raises `ExtractionFailed`."""
    starts = list(_separators(raw))
    if not starts or starts[0].start():
        raise ExtractionFailed("the file is no mailbox: it does not begin with a From line")
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(raw)
        yield _QUOTED_FROM.sub(rb"\1", raw[start.end() : end])


def _separators(raw: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the separator lines: those with a date or above headers, not sentences that begin with `From`."""
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
    """Return the end given by a message's `Content-Length` if another message begins there, else `start`."""
    head = _HEAD_END.search(raw, start)
    length = _LENGTH.search(raw, start, head.start() + 1) if head else None
    if head is None or length is None:
        return start
    end = head.end() + int(length[1])
    while raw[end : end + 1] in (b"\r", b"\n"):
        end += 1
    return end if end >= len(raw) or _LINE.match(raw, end) else start


class _Reader:
    """Composes a message and those nested in it, each in a spot of its own. `number`: its position in the file."""

    def __init__(self, html: Html, composer: Composer, number: str) -> None:
        self._html, self._composer = html, composer
        self._number = number
        self._parts = self._inside = 0
        self.hidden = ""

    def message(self, message: Message, depth: int, place: str = "", is_text: bool = False) -> dict[str, str]:
        """Compose headers, text and attachment names; return the headers. `place`: name of the message's spot.
        `is_text`: the message comes from text that is already decoded."""
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
                for quoted_message in others:
                    inside = message_from_bytes(
                        quoted_message.lstrip("\n").encode("utf-8", "replace"), policy=policy.compat32
                    )
                    self._within(inside, depth, place, True)
        return headers

    def _head(self, message: Message) -> dict[str, str]:
        """Compose the main headers and return them."""
        raw = {name.lower(): value for name, value in reversed(list(message.raw_items()))}  # the first of each counts
        charset = next(filter(None, (part.get_content_charset() for part in (message, *parts(message)))), None)
        if charset is None and (unread := "\n".join(str(raw[name]) for name in raw if not str(raw[name]).isascii())):
            charset = decode(unread.encode("utf-8", "surrogateescape")).encoding
        headers = {name: text for name in _HEADERS if (text := header(raw.get(name.lower()), charset))}
        for name, text in headers.items():
            if name == "Subject":
                self._composer.heading(1, text)
            else:
                self._composer.line(f"{name}: {text}")
        self._composer.gap()
        return headers

    def _within(self, message: Message, depth: int, around: str, is_text: bool) -> None:
        """Compose a nested message. `around`: name of the outer message's spot, which continues after it."""
        if depth >= _DEEPEST:
            self._composer.warn(f"Messages that are attached deeper than {_DEEPEST} are left out.")
            return
        self._inside += 1
        place = f"{self._inside}. {header(message.get('Subject'))}"
        self._composer.spot("message", place, self._number)
        self.message(message, depth + 1, place, is_text)
        self._composer.spot("message", around, self._number)

    def _shown(self, message: Message) -> Iterator[tuple[Message, str]]:
        """Yield the parts to show with their kind, in order; of alternatives only the chosen one."""
        pending = [message]
        while pending:
            part = pending.pop()
            self._parts += part is not message  # a digest may have any number of messages
            if self._parts > _MOST_PARTS:
                raise ExtractionFailed(f"it has more than {_MOST_PARTS} parts")
            kind = part.get_content_type()
            if kind in _SEALS:
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
        text = body(part, is_text)
        if kind != "text/html":
            return text
        page = self._html.extract(b"\xef\xbb\xbf" + text.encode("utf-8", "replace"), MediaHint("", "text/html"))
        if isinstance(page, NoExtraction):
            return ""
        self.hidden = self.hidden or str(page.metadata.get(HIDDEN, ""))
        return page.text


def _chosen(alternatives: list[Message]) -> list[Message]:
    """Return the plain part, or the richest with an HTML page if the plain part is empty or much shorter."""
    plain = [part for part in alternatives if part.get_content_type() == "text/plain" and body(part).strip()]
    fewest = max(_FEWEST_WORDS, _MORE_WORDS * _words(plain[0])) if plain else 0
    for alternative in reversed(alternatives):
        pages = (part for part in parts(alternative) if part.get_content_type() == "text/html")
        if any(_words(page) >= fewest for page in pages):
            return [alternative]
    return plain[:1] or [part for part in alternatives if part.get_content_type() != "text/calendar"][-1:]


def _words(part: Message) -> int:
    """Return the number of words of a page or text, without those in links."""
    return len(_WORD.findall(_UNSEEN.sub(" ", body(part))))


def attached_message(part: Message) -> Message | None:
    """Return the message that a part contains, decoding it if a gateway encoded it."""
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
    """Return a header's text on one line. `charset`: of the body, which old programs also use in headers."""
    if value is None:
        return ""
    text = str(value)
    if not text.isascii():
        text = decode(text.encode("utf-8", "surrogateescape"), charset).text
    text = _CHARSET.sub(lambda match: f"=?{_WIDER[match[1].lower()]}", text)
    try:
        text = str(make_header(decode_header(text)))
    except (LookupError, ValueError, UnicodeError, TypeError, AssertionError):
        pass  # keep the header as written
    except Exception as error:  # binascii and email raise various errors for broken encoded words
        if type(error).__module__ not in ("binascii", "email.errors"):
            raise
    return folded(text)[:_LONGEST]


def body(part: Message, is_text: bool = False) -> str:
    """Return the text of a part by its charset, or else by detection. `is_text`: the part comes from decoded text, so
    it is UTF-8 unless it is transfer-encoded."""
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
            pass  # unknown or wrong charset
    text = decode(raw)[0] if text is None else text
    is_flowed = part.get_content_type() == "text/plain" and str(part.get_param("format")).lower() == "flowed"
    return _unfolded(text, str(part.get_param("delsp")).lower() == "yes") if is_flowed else text


def _unfolded(text: str, drops_space: bool) -> str:
    """Join the soft-wrapped lines of `format=flowed` text (RFC 3676)."""
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
    """Yield the leaf parts in order."""
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


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the attachments in the order of the mail."""
    messages, is_mailbox = sources(raw)
    for number, source in enumerate(messages[:_MOST_MESSAGES], 1):
        message = message_from_bytes(source, policy=policy.compat32)
        for at, part in enumerate(_attached(message), 1):
            inside = attached_name(header(part.get_filename()), at, part.get_content_type())
            payload = part.get_payload(decode=True)
            blocks = [payload] if isinstance(payload, bytes) else []
            yield Packed(f"{number}/{inside}" if is_mailbox else inside, blocks)


def _attached(message: Message) -> Iterator[Message]:
    """Yield the parts that are files, including those of nested messages, without inline pictures."""
    for part in parts(message):
        kind, is_attached = part.get_content_type(), part.get_content_disposition() == "attachment"
        is_shown = kind.startswith("image/") and part.get("Content-ID") is not None
        is_text = kind in ("text/plain", "text/html") and not part.get_filename()
        if (
            part is not message
            and kind not in _SEALS
            and (is_attached or not (is_shown or is_text or kind.startswith("multipart/")))
        ):
            yield part
