"""Words that stand elsewhere than a format's usual place: parts in other formats, objects, encoded messages, TNEF."""

# ruff: noqa: ISC004 (a table of files, one a row)

import io
import struct
import zipfile

import pytest

from biblicus.extraction.members import packed
from biblicus.extraction.messages.mail import sources
from biblicus.extraction.rare.tnef import unpacked
from biblicus.text import media
from tests.extraction.office_files import REL, W, extracted, said, text_of, word, workbook

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def with_part(name: str, content: bytes, kind: str, body: str) -> bytes:
    """A document that refers to a part as `r9`."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", f'<w:document {W} xmlns:r="{REL}"><w:body>{body}</w:body></w:document>')
        relation = f'<Relationship Id="r9" Type="{REL}/{kind}" Target="{name}"/>'
        archive.writestr("word/_rels/document.xml.rels", f"<Relationships>{relation}</Relationships>")
        archive.writestr(f"word/{name}", content)
    return written.getvalue()


CHUNK = f'{said("Above.")}<w:altChunk r:id="r9"/>{said("Below.")}'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", b"<html><body><p>The <b>channel</b></p></body></html>"),
        ("a.rtf", rb"{\rtf1 The channel\par}"),
        ("a.mht", b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\n"
                  b"<p>The channel</p>\n--x--\n"),
        ("a.docx", word(said("The channel"))),
        ("a.txt", b"The channel\n"),
    ],
)  # fmt: skip
def test_a_part_in_another_format_stands_where_the_document_puts_it(name: str, content: bytes) -> None:
    assert text_of("docx", with_part(name, content, "aFChunk", CHUNK)) == "Above.\n\nThe channel\n\nBelow.\n"


def test_a_part_that_cannot_be_read_is_told() -> None:
    outcome = extracted("docx", with_part("a.bin", b"\0\1\2\3" * 9, "aFChunk", CHUNK))
    assert outcome.warnings == ("The part word/a.bin cannot be read.",)  # type: ignore[union-attr]


def test_embedded_documents_are_members() -> None:
    raw = with_part("embeddings/Sheet1.xlsx", workbook('<c r="A1"><v>7</v></c>'), "package", said("See the sheet."))
    assert media.of_bytes(raw) == DOCX
    assert [member.name for member in packed(raw, "a.docx", DOCX)] == ["Sheet1.xlsx"]


def from_line(sender: str = "ada@example.org") -> str:
    return f"From {sender} Mon Mar  2 09:00:00 2026\n"


HEAD = "From: Ada <ada@example.org>\nSubject: {}\n\n"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"{from_line()}{HEAD.format('a')}Dear Bo,\n\nFrom what I hear it is shut.\n\nUse the slip.\n", 1),
        (f"{from_line()}{HEAD.format('a')}x\n{from_line()}{HEAD.format('b')}y\n", 2),  # no blank line between
        (f"From -\n{HEAD.format('a')}x\n\nFrom \n{HEAD.format('b')}y\n", 2),  # bare separators
        (f"{from_line()}{HEAD.format('a')}x\n\n{from_line()}\n\n", 2),  # an empty message
        (f"{from_line()}{HEAD.format('a')}x\n\n>From here on.\n\n", 1),
        (f"{from_line()}Content-Length: {len(from_line()) + len(HEAD)}\n{HEAD.format('a')}\n{from_line()}{HEAD}", 1),
    ],
)
def test_messages_of_a_mailbox_are_divided_by_what_programs_write(text: str, count: int) -> None:
    messages, is_mailbox = sources(text.encode(), True)
    assert (len(messages), is_mailbox) == (count, True)


MAIL = "From: Ada <ada@example.org>\nSubject: s\n"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"From: ada@example.org\nSubject: Geb\xfchr\nContent-Type: text/plain; charset=iso-8859-1\n\nF\xfcr\n",
         "Gebühr\n\nFrom: ada@example.org\n\nFür\n"),
        (f"{MAIL}Content-Type: text/plain; format=flowed; delsp=yes\n\nthe har \nbour\n> a \n> b\n".encode(),
         "s\n\nFrom: Ada <ada@example.org>\n\nthe harbour\n\n> ab\n"),
        (f"{MAIL}Content-Type: text/plain; format=flowed\n\nthe \nharbour\n-- \nAda\n".encode(),
         "s\n\nFrom: Ada <ada@example.org>\n\nthe harbour\n-- \nAda\n"),
        (f"{MAIL}Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n"
         "Subject: in\n\nThe caf=C3=A9\n".encode(),
         "s\n\nFrom: Ada <ada@example.org>\n\nAttached message:\n\nin\n\nThe café\n"),
    ],
)  # fmt: skip
def test_a_mail_says_what_its_programs_encoded(raw: bytes, expected: str) -> None:
    assert text_of("mail", raw) == expected


def attribute(level: int, number: int, data: bytes) -> bytes:
    return struct.pack("<BHHI", level, number, 2, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def test_a_winmail_has_its_words_and_its_attachments() -> None:
    raw = (
        struct.pack("<IH", 0x223E9F78, 1)
        + attribute(1, 0x8004, b"Dredging\0")
        + attribute(1, 0x800C, b"On the ninth.\0")
    )
    raw += attribute(2, 0x9002, b"\0" * 14) + attribute(2, 0x8010, b"plan.txt\0") + attribute(2, 0x800F, b"The plan.")
    assert media.media_type("winmail.dat", raw) == "application/ms-tnef"
    assert text_of("tnef", raw) == "Dredging\n\nOn the ninth.\n\nAttachment: plan.txt\n"
    assert [(m.name, b"".join(m.blocks)) for m in packed(raw, "w", "application/ms-tnef")] == [
        ("plan.txt", b"The plan.")
    ]


def test_compressed_rich_text_is_unpacked() -> None:
    sample = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert unpacked(sample) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
