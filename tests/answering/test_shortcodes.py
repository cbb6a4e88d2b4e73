"""Shortcodes that stand alone in a line are seen by nobody, however many there are."""

import pytest

from biblicus.answering.reader.reading.unseen import seen_by_nobody


@pytest.mark.parametrize(
    ("line", "is_unseen"),
    [
        ('{{% note "Mind" %}}', True),
        ("  {{< a >}} {{< /a >}}  ", True),
        ("{% include note.html %}{%- endif -%}", True),
        ("{{< a >}} says so", False),
        ("{{ name }}", False),
        ("{{<  a >}} " * 2_000 + "x", False),
        ("{% a %} " * 2_000 + "x", False),
    ],
    ids=["hugo", "two", "jekyll", "text", "value", "many of hugo", "many of jekyll"],
)
def test_a_line_of_shortcodes(line: str, is_unseen: bool) -> None:
    assert bool(seen_by_nobody([line], is_markdown=True)) is is_unseen
