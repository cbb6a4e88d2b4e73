"""What is told in a section is quoted from where it begins, in order; which section that is, its heading says."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings

from biblicus.answering.reader.answerer import Options, build
from biblicus.contracts import Call, Given
from biblicus.errors import EmbedderUnavailable
from biblicus.models.answers.answer import Drafted
from biblicus.models.evidence import Likeness, Rarity
from tests.answering.test_quote import TEXTS, drafted, piece, result
from tests.sampling import each, examples

EVEN = Rarity({}, 1.0)
GAUGE = (
    "## The gauge\n\nIt is old.\n\n## Reading the gauge\n\nLight it:\n\n```\nlamp on\n```\n\nThe lower mark counts.\n"
)


KNOTS = "knot\n"


def statements(question: str, *texts: str, max_words: int = 60) -> list[str]:
    pieces = [piece(text, rank, title=f"Page {rank}") for rank, text in enumerate(texts, 1)]
    return [statement.text for statement in drafted(question, *pieces, max_words=max_words).statements]


@each(
    ("question", "text", "told"),
    [
        ("How do I read the gauge?", GAUGE, ["Light it:", "lamp on", "The lower mark counts."]),
        (
            "How do I mend the net?",
            "# Mending the net\n\nIt is wet.\n\n1. Spread it.\n2. Tie it.\n\nThe net dries.",
            ["1. Spread it.", "2. Tie it."],
        ),
        (
            "Is the harbour free?",
            "## Is the harbour free?\n\nPrices\n\nMooring in it costs ten crowns a night for each boat.\n",
            ["Mooring in it costs ten crowns a night for each boat."],
        ),
        (
            "How do I mend the net?",
            "# Ropes\n\nIt is old. Whoever mends a net ties it.\n\n## History\n\nThe widow gave it.\n",
            ["Whoever mends a net ties it."],
        ),
        ("How do I mend the net?", "# Ropes\n\nWe tie. To mend a net:\n\n- Tie it.\n", ["To mend a net:", "Tie it."]),
        ("How do I mend a net?", f"# Mending nets\n\n```\n{KNOTS * 90}```\n\n# Net\n\nA net.", [KNOTS * 59 + "knot"]),
        ("Can a net be mended in rain?", "# Can I mend a net in rain?\n\nNo. It must dry.\n", ["No. It must dry."]),
        (
            "When should I use --tie?",
            "## Options\n\n### --tie\n\nDefault: off.\n\nIt ties each mesh of it at once:\n\n```\nmend --tie\n```\n",
            ["It ties each mesh of it at once:", "mend --tie"],
        ),
        (
            "what is the default of --tie",
            "## Options\n\n### --tie\n\nDefault: off.\n\nTies a mesh with whatever twine there is.\n\n- Slow.\n",
            ["Default: off. Ties a mesh with whatever twine there is.", "Slow."],
        ),
        ("--tie", f"## --tie\n\nTies {'a mesh and ' * 17}a mesh, {'a mesh and ' * 2}ends, and so it is.\n\nIt cuts.\n",
         [f"Ties {'a mesh and ' * 17}a mesh,"]),
        ("--tie", "## --tie\n\nTies a mesh.\n\nIt cuts. For example:\n\n```\nmend\n```", ["Ties a mesh. It cuts."]),
        ("How do I mend a net?", ("# Tools\n\n- [awl](awl.md) A tool that makes holes into sails\n"
         "- [needle](n.md) A tool to mend a net with twine\n- [oar](o.md) A tool to row in the harbour with\n"),
         ["needle A tool to mend a net with twine"]),
        ("How do I mend a net?", "# Tools\n\n- **awl** - for sails\n- **needle** - to mend a net\n- **oar** - to row\n",
         ["needle - to mend a net"]),
        ("How do I mend a net?", "# Tools\n\n| Tool | Use |\n|---|---|\n| Needle | To mend a net |\n| Oar | To row |\n",
         ["Tool: Needle; Use: To mend a net"]),
        ("How do I mend the net?", "# Mending the net\n\n| With | For |\n|---|---|\n| Twine | small holes |\n",
         ["With: Twine; For: small holes"]),
    ],
)  # fmt: skip
def test_a_section_is_told_in_order(question, text, told):
    assert statements(question, text) == told


def test_a_statement_stands_under_the_heading_of_its_section():
    (statement, *_) = drafted("How do I read the gauge?", piece(GAUGE, heading="The gauge")).statements
    assert statement.citations[0].as_evidence().heading == "Reading the gauge"


ALIKE = "## Splicing\n\nUnlay the strands. Then tuck them."
ELSEWHERE = "## Prices\n\nTwo ropes are joined by the chandler for money."


def told_by_meaning(cosine: float, languages: frozenset[str] | None = None) -> Drafted:
    """What is told of two pages, the second of which has the words, and the first a heading so like the question."""
    likeness = Likeness(lambda texts: [cosine if text == "Splicing" else 0.1 for text in texts], languages)
    asked = replace(result(piece(ALIKE), piece(ELSEWHERE, 2)), likeness=likeness)
    return build(Options(max_words=60), Given()).answer("join two ropes", asked, Call())


def test_a_section_whose_heading_means_what_is_asked_is_told():
    alike, more = told_by_meaning(0.5), told_by_meaning(0.8)
    assert [statement.text for statement in alike.statements] == ["Unlay the strands. Then tuck them."]
    assert 0.4 < alike.confidence < 0.5 < more.confidence < 0.8
    assert told_by_meaning(0.8, frozenset({"en"})) == more


@pytest.mark.parametrize(("cosine", "languages"), [(0.4, None), (0.8, frozenset({"de"}))])
def test_a_heading_that_is_less_like_it_or_in_a_language_that_the_model_does_not_know_tells_nothing(cosine, languages):
    assert "Unlay" not in "".join(statement.text for statement in told_by_meaning(cosine, languages).statements)


def test_words_decide_where_the_model_of_a_heading_cannot_be_asked():
    def of(texts: Sequence[str]) -> list[float]:
        raise EmbedderUnavailable("remote", "it does not answer", "biblicus doctor")

    asked = replace(result(piece(ALIKE), piece(ELSEWHERE, 2)), likeness=Likeness(of))
    (statement,) = build(Options(max_words=60), Given()).answer("join two ropes", asked, Call()).statements
    assert statement.text == "Two ropes are joined by the chandler for money."


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("## Mending sails, lines and a net\n\nTie it.", "## Mending the net\n\nSew it.", "Sew it."),
        ("## Mending a torn net\n\nTie it.", "## The price of mending a net\n\nIt is high.", "Tie it."),
    ],
)
def test_a_heading_that_says_it_is_told_else_that_of_the_page_that_comes_first(first, second, told):
    assert statements("How do I mend the net?", first, second) == [told]


def test_release_notes_are_quoted_where_no_page_says_it():
    notes, page = "The winch is greased with tallow now.", "A winch is greased with tallow."
    told = [piece(notes, 1, path="NEWS.txt", score=10.0), piece(page, 2, score=9.9)]
    assert drafted("what is the winch greased with", *told, max_words=8).statements[0].text == page
    assert drafted("what is the winch greased with", told[0], max_words=8).statements[0].text == notes


def test_a_notice_that_other_pages_have_too_is_not_told():
    notice = "This manual is no longer kept up to date."
    others = [f"# Page {number}\n\n{notice} The net has {number} holes." for number in range(2)]
    told = statements("How do I mend the net?", f"# Mending the net\n\n{notice} Tie it.", *others)
    assert told == ["Tie it."]


def test_steps_that_other_pages_have_too_and_those_that_introduce_are_told():
    steps = "1. Open the loft.\n2. There are two ways:\n3. Tie it.\n"
    others = [f"# Page {number}\n\n1. Open the loft.\n2. Leave it {number} times." for number in range(2)]
    told = statements("How do I mend the net?", f"# Mending the net\n\n{steps}", *others)
    assert told == ["1. Open the loft.", "2. There are two ways:", "3. Tie it."]


def test_a_heading_of_another_matter_is_not_followed():
    hauls = "## Getting it ashore\n\nHauling the whole capstan is done so:\n\n1. Lift it.\n2. Carry it."
    other = "## Hauling\n\n1. Wet the net.\n2. Pull."
    more = [f"The capstan of quay {number} is painted." for number in range(4)]
    assert statements("How do I haul the capstan?", hauls, other, *more)[-2:] == ["1. Lift it.", "2. Carry it."]


def test_what_fits_is_told_whole():
    text = "# Mending the net\n\nSpread it on the quay. Then tie all of its holes with twine."
    assert statements("How do I mend the net?", text, max_words=6) == ["Spread it on the quay."]


@settings(max_examples=examples(100), deadline=None)
@given(TEXTS)
def test_what_is_told_stands_in_the_text_and_keeps_to_the_words(text):
    answer = drafted("How do I light the lamp?", piece(f"# Lighting the lamp\n\n{text}"), max_words=20)
    assert sum(len(statement.text.split()) for statement in answer.statements) <= 20
    for statement in answer.statements:
        assert all(citation.text.strip() == citation.text != "" for citation in statement.citations)


def test_of_how_something_is_done_twice_as_much_is_told():
    text = "# Mending the net\n\n" + "Tie the next knot of the net. " * 30
    unbound = build(Options(), Given()).answer("How do I mend the net?", result(piece(text)), Call())
    assert len(unbound.statements[0].text.split()) == 119
    (told,) = statements("How do I mend the net?", text)
    assert len(told.split()) == 56


@pytest.mark.parametrize(
    ("heading", "between", "told"),
    [
        ("Mending the net", 2, ["Spread it.", "Then tie it."]),
        ("Mending the net", 90, ["Spread it."]),
        ("Ropes", 2, ["Spread it."]),
    ],
)
def test_a_section_is_told_on_in_the_next_piece_of_its_text(heading, between, told):
    begins = piece("# Mending the net\n\nSpread it.", heading="Mending the net")
    start = begins.span_end + between
    goes_on = piece("Then tie it.", 2, item_id="i1", chunk_id="i1:1", heading=heading, span_start=start)
    answer = drafted("How do I mend the net?", begins, goes_on)
    assert [statement.text for statement in answer.statements] == told


@pytest.mark.parametrize(
    "opening",
    ["Last updated in May by the harbour office.", "Welcome! This page is being written.", "The mate polishes it."],
)
def test_a_page_that_opens_without_a_name_is_no_definition_beside_one(opening: str) -> None:
    told = "A sextant is an instrument that measures angles at sea."
    for pieces in (
        [piece(f"{opening}\n\nIt hangs on a nail.\n\n{told}", title="Sextant")],
        [
            piece(f"{opening}\n\nIt hangs on a nail.", title="Sextant"),
            piece(f"Sextants shine. {told}", 2, title="Tools"),
        ],
    ):
        assert [statement.text for statement in drafted("What is a sextant?", *pieces).statements] == [told]


@pytest.mark.parametrize(
    "opening", ["Last updated in May by the harbour office.", "Welcome! This page is being written."]
)
def test_what_a_page_says_of_itself_is_not_what_it_is_about(opening: str) -> None:
    page = piece(f"{opening}\n\nWhoever sails takes one along.", title="Sextant")
    assert drafted("What is a sextant?", page).statements[0].text == "Whoever sails takes one along."
