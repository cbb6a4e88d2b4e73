"""What is read off an item's line without parsing it."""

from hypothesis import given
from hypothesis import strategies as st

from biblicus.corpus import catalog
from biblicus.models.item import Item, Source

_texts = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    [
        '","bytes":7,',
        ',"sha256":"1","content_hash":null,',
        ',"source":{"kind":"file","uri":"/",',
        '","language":"xx","',
        "\\",
        '"',
        'a\\","language":"de",',
    ]
)


@given(_texts, _texts, st.none() | st.sampled_from(["en", "de", ""]), st.none() | st.just("sha256:0"), _texts)
def test_what_is_read_off_a_line_is_what_the_item_says(
    path: str, title: str, language: str | None, content: str | None, other: str
):
    item = Item(
        "i", path, "text/plain", 12, "0" * 64, title, language, "doc", (other,),
        Source("corpus", other), {"language": other, "bytes": 7}, content,
    )  # fmt: skip
    line = catalog.line_of(item)
    assert catalog.size_and_language(line) == (12, language)
    assert catalog.content_of(line) == ("0" * 64, content, "corpus", other)
