"""Unread files by class."""

import pytest

from biblicus.models.unread import counted, kind_of, summary, unread_of

PICTURE = "needs ocr: a picture without words of its own"


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        (PICTURE, "picture without words"),
        ("needs ocr: page 1: images and no text", "needs ocr"),
        ("needs ocr: the slides hold images and no text", "needs ocr"),
        ("empty", None),
    ],
)
def test_a_picture_without_words_is_no_scan(reason: str, kind: str | None) -> None:
    assert kind_of(reason, failed=False) == kind


def test_pictures_come_last_and_are_counted_apart() -> None:
    notes = [{"path": "a.jpg", "reason": PICTURE}, {"path": "b.pdf", "reason": "needs ocr: page 1: images and no text"}]
    unread = unread_of(notes, [])
    assert [entry.path for entry in unread] == ["b.pdf", "a.jpg"]
    assert unread[1].hint.startswith("where they show text: biblicus recipes new")
    assert summary(counted(unread)) == "2 could not be read: 1 scanned, 1 without words (pictures)"
