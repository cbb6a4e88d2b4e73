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


@pytest.mark.parametrize(
    ("lines", "unseen"),
    [
        (['<Table rows={rows.filter((row) => row.of !== "berth")} />', "It lists berths."], {0}),
        (
            ["{Boat.hull?.deprecated && (", "  <Callout>**Old.** {Boat.hull.deprecated}</Callout>", ")}", "It floats."],
            {0, 1, 2},
        ),
        (["{berths.map((berth) => (", "  <li>{berth}</li>", "))}", "It floats."], {0, 1, 2}),
        (["<Table.Root", '  type="Berths"', "  rows={["], {0, 1, 2}),
        (["<Winch> hauls a {boat} && (more", "It floats."], set()),
    ],
    ids=["computed", "on a condition", "for each", "cut off", "text"],
)
def test_what_mdx_computes(lines: list[str], unseen: set[int]) -> None:
    assert seen_by_nobody(lines, is_markdown=True) == unseen
