"""What a document without a name is called."""

import pytest

from biblicus.bring.incoming import slug, title_of
from biblicus.models.extraction import Extraction, Heading, Span


@pytest.mark.parametrize(
    ("extraction", "title"),
    [
        (Extraction("Tides.\nTwice a day."), "Tides."),
        (Extraction("\n * * *\n- [ ] Tides, twice a day,"), "Tides, twice a day"),
        (Extraction("Sea\nTides", headings=(Heading(4, 1, "Tides"),)), "Tides"),
        (Extraction("x", headings=(Heading(0, 1, "Tides"),), title="Sea"), "Sea"),
        (Extraction("x", title="Sea", metadata={"title": "Ocean"}), "Ocean"),
        (Extraction("---\nkeeper: Pia\n---\nTides", masked=(Span(0, 20),)), "Tides"),
        (Extraction("word " * 40), "word " * 15 + "word…"),
        (Extraction("潮" * 200), "潮" * 80 + "…"),
        (Extraction("- - -\n…\n"), None),
    ],
)
def test_the_title_that_a_text_shows(extraction: Extraction, title: str | None) -> None:
    assert title_of(extraction) == title


@pytest.mark.parametrize("title", ["潮" * 300, "𝐭" * 300, "tides " * 300])
def test_a_name_leaves_room_for_a_sidecars(title: str) -> None:
    assert 0 < len(f"{slug(title)}-99.docx.biblicus.yml".encode()) <= 255
