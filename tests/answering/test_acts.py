"""What tells what is to be done."""

import dataclasses

import pytest

from biblicus.answering.quoting.scores import acts
from biblicus.answering.reader.reading.units import units
from tests.answering.packs import cut


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("The hoist lists boats that are kept dry. It was built by the smith.", False),
        ("You can expect a new one each spring.", False),
        ("Harbour Cloud is a place for boats, and we welcome each of them.", False),
        ("List the boats with the book of the hoist.", True),
        ("To haul a boat, turn the crank.", True),
        ("You must turn the crank.", True),
        ("Boats are hauled by turning the crank.", True),
        ("It is hauled with `hoist up`.", True),
        ("hoist — Remove boats from a slip", True),
        ("Boats can be hauled through the use of a crank.", True),
        ("1. The crank\n2. The drum", True),
        ("The hoist hauls.\n\n```sh\nhoist up\n```", True),
    ],
)
def test_what_tells_what_is_done(text: str, does: bool) -> None:
    piece = dataclasses.replace(cut([text], [(0, 0, len(text))])[0], language="en", media_type="text/markdown")
    assert acts.is_told(piece, [*units(text, 60, "text/markdown")]) is does


@pytest.mark.parametrize(
    ("question", "is_task"), [("How do I haul a boat?", True), ("What is a hoist?", False), ("Wie hole ich es?", False)]
)
def test_what_asks_how_something_is_done(question: str, is_task: bool) -> None:
    assert acts.asks(question) is is_task
