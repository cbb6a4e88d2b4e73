"""Steps about files that programs write: documents, presentations, workbooks, books, archives that lie."""

import io
import zipfile
from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path

from pytest_bdd import given, then

from features.phrase import phrase, raw
from features.steps.evidence import pieces
from features.world import Table, World, rows, same
from tests.extraction.archive_files import LOCKS
from tests.extraction.test_pdf import pdf
from tests.pictures import Picture


def _new(world: World, path: str) -> Path:
    file = world.path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


@given(phrase('the PDF "{path}" with the pages'))
def a_pdf(world: World, path: str, datatable: Table) -> None:
    _new(world, path).write_bytes(pdf(*(raw(row["text"]).decode() for row in rows(datatable))))


@then(phrase('the picture "{path}" has {count#} marks'))
@then(phrase('the picture "{path}" has {count#} mark'))
def marks_of(world: World, path: str, count: str) -> None:
    assert len(Picture.read(world.path(path).read_bytes()).feet()) == int(count)


@given(phrase('the document "{path}" with'))
def a_document(world: World, path: str, datatable: Table) -> None:
    """Paragraphs by style; a row of a table has its cells between bars."""
    from docx import Document  # type: ignore[import-untyped, unused-ignore]

    document = Document()
    table = None
    for row in rows(datatable):
        if row["style"] == "row":
            cells = [cell.strip() for cell in row["text"].split("/")]
            table = table or document.add_table(0, len(cells))
            for cell, words in zip(table.add_row().cells, cells, strict=True):
                cell.text = words
            continue
        table = None
        document.add_paragraph(row["text"], style=row["style"])
    document.save(str(_new(world, path)))


@given(phrase('the presentation "{path}" with'))
def a_presentation(world: World, path: str, datatable: Table) -> None:
    from pptx import Presentation

    presentation = Presentation()
    for row in rows(datatable):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = row["title"]
        slide.placeholders[1].text = raw(row["text"]).decode()
        if row["notes"]:
            slide.notes_slide.notes_text_frame.text = row["notes"]
    presentation.save(str(_new(world, path)))


@given(phrase('the workbook "{path}" with'))
def a_workbook(world: World, path: str, datatable: Table) -> None:
    """A row of cells, from the cell that is named, in the sheet that is named."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for row in rows(datatable):
        name, _, state = row["sheet"].partition(" ")
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        sheet.sheet_state = state.strip("()") or "visible"
        first = sheet[row["from"]]
        for at, words in enumerate(cell.strip() for cell in row["cells"].split("/")):
            number = words.removeprefix("-").replace(".", "", 1).isdigit()
            sheet.cell(first.row, first.column + at, float(words) if number else words)
    book.save(str(_new(world, path)))


@given(phrase('the book "{path}" called "{title}" with'))
def a_book(world: World, path: str, title: str, datatable: Table) -> None:
    chapters = rows(datatable)
    with zipfile.ZipFile(_new(world, path), "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OPS/book.opf"/></rootfiles></container>',
        )
        items = "".join(f'<item id="c{at}" href="c%20{at}.xhtml"/>' for at in range(len(chapters)))
        order = "".join(f'<itemref idref="c{at}"/>' for at in range(len(chapters)))
        book.writestr(
            "OPS/book.opf",
            f'<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<dc:title>{title}</dc:title></metadata><manifest>{items}</manifest><spine>{order}</spine></package>",
        )
        for at, row in enumerate(chapters):
            book.writestr(
                f"OPS/c {at}.xhtml",
                f'<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>{row["chapter"]}</h1><p>{row["text"]}</p></body></html>',
            )


@given(phrase('the archive "{path}" with'))
@given(phrase('the archive "{path}" is since with'))
def an_archive(world: World, path: str, datatable: Table) -> None:
    """Members with their text, or with so many MiB of zeros."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for row in rows(datatable):
            megabytes = row["text"].removesuffix(" MiB of zeros")
            zeros = megabytes != row["text"]
            archive.writestr(row["member"], bytes(int(megabytes) << 20) if zeros else raw(row["text"]))
    _new(world, path).write_bytes(written.getvalue())


@given(phrase('these archives whose password is "{password}"'))
def locked_archives(world: World, password: str, datatable: Table) -> None:
    for row in rows(datatable):
        lock = LOCKS[row["archive"].rpartition("/")[2]]
        _new(world, row["archive"]).write_bytes(lock({row["member"]: raw(row["text"])}, password))


@given(phrase('"{path}" was since locked with the password "{password}"'))
def locked(world: World, path: str, password: str) -> None:
    from msoffcrypto.format.ooxml import OOXMLFile

    whole, written = io.BytesIO(world.path(path).read_bytes()), io.BytesIO()
    OOXMLFile(whole).encrypt(password, written)
    world.path(path).write_bytes(written.getvalue())


@given(phrase('the archive "{path}" that holds "{member}"'))
def an_archive_of_a_file(world: World, path: str, member: str) -> None:
    """The file goes: the archive alone has it."""
    with zipfile.ZipFile(_new(world, path), "w") as archive:
        archive.write(world.path(member), member)
    world.path(member).unlink()


@given(phrase('the mail "{path}" that says "{words}" with the attachments'))
def a_mail(world: World, path: str, words: str, datatable: Table) -> None:
    _new(world, path).write_bytes(_mail(words, [(row["name"], row["text"]) for row in rows(datatable)]))


@given(phrase('the mailbox "{path}" of two mails with the attachment "{name}"'))
def a_mailbox(world: World, path: str, name: str) -> None:
    first, second = _mail("Hello.", []), _mail("Hello again.", [(name, "The quay is 80 m long.")])
    _new(world, path).write_bytes(b"From a\n" + first + b"\nFrom a\n" + second)


@given(phrase('{count#} mails with the attachment "{name}" that says "{text!}"'))
def many_mails(world: World, count: str, name: str, text: str) -> None:
    for number in range(int(count)):
        _new(world, f"mails/{number:02}.eml").write_bytes(_mail(f"Hello {number}.", [(name, raw(text).decode())]))


def _mail(words: str, attachments: Sequence[tuple[str, str]]) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"] = "Spring", "a@example.org"
    message.set_content(words)
    for name, text in attachments:
        message.add_attachment(text.encode(), maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


@then("the evidence stands at")
def stands_at(world: World, datatable: Table) -> None:
    same([{"path": piece["path"], **piece["locator"]} for piece in pieces(world)][: len(datatable) - 1], datatable)


@then("every piece of evidence is what its locator opens, or a part of it")
def is_opened(world: World) -> None:
    """And the locator of what was opened says the same, where it is no more than the piece."""
    assert pieces(world)
    for piece in pieces(world):
        opened = world.do("get", piece["item_id"], locator=piece["locator"]["label"])
        assert opened["span_start"] <= piece["span_start"] < piece["span_end"] <= opened["span_end"]
        assert opened["locator"] == piece["locator"]
