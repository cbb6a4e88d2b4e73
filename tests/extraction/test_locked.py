"""Office files with a password: how they are known, and what opens them."""

import io
import struct
from pathlib import Path

import pytest
from olefile import OleFileIO

from biblicus.contracts import MediaHint
from biblicus.extraction.rare import ole
from biblicus.extraction.rare.ole import is_locked_presentation, is_locked_workbook, unlocked
from biblicus.extraction.workers.pool import ExtractionPool, Job
from biblicus.guards.process import Limits
from biblicus.models.extraction import Extraction, NoExtraction
from tests.extraction.office_files import extracted
from tests.extraction.ole_files import workbook


@pytest.mark.parametrize(("token", "is_locked"), [(0xF3D1C4DF, True), (0xE391C05F, False)])
def test_an_older_presentation_says_whether_it_is_locked(token: int, is_locked: bool) -> None:
    assert is_locked_presentation(struct.pack("<HHIII", 0, 0x0FF6, 20, 20, token)) is is_locked


def test_too_little_says_nothing() -> None:
    assert not is_locked_presentation(b"\0" * 15)


def test_the_right_password_opens_it(mixed: Path) -> None:
    raw = (mixed / "testWORD_protected_passtika.docx").read_bytes()
    opened = unlocked(raw, ["ebb", "tika"])
    assert isinstance(opened, bytes)
    assert opened.startswith(b"PK")


@pytest.mark.parametrize(("passwords", "reason"), [([], "asks for a password"), (["ebb"], "asks for another password")])
def test_without_it_the_file_stays_locked(mixed: Path, passwords: list[str], reason: str) -> None:
    outcome = unlocked((mixed / "testWORD_protected_passtika.docx").read_bytes(), passwords)
    assert isinstance(outcome, NoExtraction)
    assert reason in outcome.reason


def test_without_the_package_it_is_told_which_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ole, "installed", lambda name: "none")
    outcome = unlocked(b"", ["tika"])
    assert isinstance(outcome, NoExtraction)
    assert (outcome.status, "biblicus-corpus[office]" in outcome.reason) == ("encrypted", True)


def test_what_is_protected_from_changes_alone_opens_by_itself() -> None:
    from msoffcrypto.format.ooxml import OOXMLFile
    from openpyxl import Workbook

    book, sealed = io.BytesIO(), io.BytesIO()
    Workbook().save(book)
    OOXMLFile(book).encrypt("VelvetSweatshop", sealed)
    assert unlocked(sealed.getvalue(), []) == book.getvalue()


@pytest.mark.parametrize(
    ("passwords", "outcome"),
    [
        ((), "encrypted: the file asks for a password"),
        (("ebb",), "encrypted: the file asks for another password"),
        (("ebb", "flood"), "Q2\n\nBerths have water.\n"),
    ],
)
def test_a_locked_workbook_of_an_older_version_opens_behind_the_walls(passwords: tuple[str, ...], outcome: str) -> None:
    raw = workbook("Berths have water.", "flood")
    job = Job(raw, MediaHint("a.xls", "application/vnd.ms-excel"), "ole", passwords=passwords)
    with ExtractionPool(1, Limits(memory=1 << 30, seconds=20)) as pool:
        ((_, read),) = pool.extract([job])
    assert (read.text if isinstance(read, Extraction) else read.sentence) == outcome


@pytest.mark.parametrize("password", ["", "flood"])
def test_an_older_workbook_says_whether_it_is_locked(password: str) -> None:
    stream = OleFileIO(workbook("x", password)).openstream("Workbook").read()
    assert is_locked_workbook(stream) is bool(password)
    assert not is_locked_workbook(stream[:3])
    assert not is_locked_workbook(b"\1\0\0\0" * 200)


def test_a_way_to_lock_that_is_not_read_is_told() -> None:
    raw = workbook("x", "flood").replace(b"\x2f\0\x36\0\1\0", b"\x2f\0\x36\0\7\0")
    outcome = extracted("ole", raw)
    assert isinstance(outcome, NoExtraction)
    assert (outcome.status, "in a way that is not read" in outcome.reason) == ("encrypted", True)
