"""What of a text says something, how people read it, and which form a question asks for."""

import time

import pytest

from biblicus.answering.reader.reading.blocks import Kind, blocks, headed
from biblicus.answering.reader.reading.readable import readable, readable_row
from biblicus.answering.reader.reading.units import units
from biblicus.models.extraction import Head
from biblicus.text.terms.folding import likeness
from tests.sampling import each


@each(
    ("text", "kinds"),
    [
        ("# Tides\n\nThey rise.", [Kind.HEADING, Kind.PROSE]),
        ("Tides\n=====\n\nThey rise.", [Kind.HEADING, Kind.HEADING, Kind.PROSE]),
        ("See:\n\n- one\n  more of it\n- two", [Kind.PROSE, Kind.ITEM, Kind.ITEM]),
        ("1. Cast off.\n2. Row.", [Kind.STEP, Kind.STEP]),
        (
            "1. The storm\n   The sea took forty metres of the mole on that\n   night, and nobody was hurt.",
            [Kind.STEP, Kind.PROSE],
        ),
        ("1. The sea took forty metres of the mole that\n   night, and nobody was hurt.", [Kind.STEP]),
        ("```c\nint x;\n\nint y;\n```\n\nDone.", [Kind.MARKS, Kind.CODE, Kind.MARKS, Kind.PROSE]),
        ("int x = 1;\n```\n\nDone.", [Kind.CODE, Kind.MARKS, Kind.PROSE]),
        ("```forth\nhypotenuse\n: square dup * ;\n: cube dup square * ;\n```", [Kind.MARKS, Kind.CODE, Kind.MARKS]),
        ("```\n: square dup * ;\n: cube dup square * ;\n```", [Kind.MARKS, Kind.CODE, Kind.MARKS]),
        ("<!-- YAML\nadded: v18\n- pr: 7\n-->\n\nThey rise.", [Kind.MARKS, Kind.PROSE]),
        ("<!-- It never\nends.", [Kind.MARKS, Kind.PROSE]),
        ("(of-ropes)=\n\nThey rise.", [Kind.MARKS, Kind.PROSE]),
        ("```{note}\n:class: rope\nThey rise.\n```\n\nDone.", [Kind.MARKS, Kind.FACT, Kind.MARKS, Kind.PROSE]),
        ("```{code-block} sh\nhaul\n```", [Kind.MARKS, Kind.CODE, Kind.MARKS]),
        ("```js\n<F1\n```\n\nIt rises.\n\n<b>", [Kind.MARKS, Kind.CODE, Kind.MARKS, Kind.PROSE, Kind.MARKS]),
        ('import Rope from "./rope";\n\nThey rise.', [Kind.MARKS, Kind.PROSE]),
        ("{/* good */}\n```c\nint x;\n```", [Kind.MARKS, Kind.CODE, Kind.MARKS]),
        (
            "=======  =======\nRope     Made of\n=======  =======\nwarp     hemp\n=======  =======",
            [Kind.MARKS, Kind.PROSE, Kind.MARKS, Kind.PROSE, Kind.MARKS],
        ),
        ("|Build Status| |Docs|_\n\nThey rise.", [Kind.MARKS, Kind.PROSE]),
        ("|a|b|\n|-|-|\n|1|2|", [Kind.HEADING, Kind.MARKS, Kind.ROW]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", [Kind.HEADING, Kind.MARKS, Kind.ROW]),
        ("Like this::\n\n    x = 1\n\nDone.", [Kind.PROSE, Kind.CODE, Kind.PROSE]),
        (":Author: Ada\n:Status: Draft\n\nThey rise.", [Kind.MARKS, Kind.PROSE]),
        ("Title: Tides\nAuthor: Ada\nLast-Modified: 1842\n\nThey rise.", [Kind.MARKS, Kind.PROSE]),
        (":param rope: what is hauled", [Kind.ITEM]),
        ("It is the\n:term:`winch`. Ropes are moved by hand as well, posts and rings;\nall of it.", [Kind.PROSE]),
        ("2. Haul the rope\n\n3. Make it fast", [Kind.STEP, Kind.STEP]),
        ("2. Haul the rope\n\n   It is hauled by two men who stand at the drum.", [Kind.STEP, Kind.PROSE]),
        ("- rope: what is hauled\n- drum: what hauls it", 2 * [Kind.ITEM]),
        ("rope: what is hauled\ndrum: what hauls it", 2 * [Kind.FACT]),
        ("Rope: hemp\nfrom the north\n**Drum:** oak", [Kind.PROSE]),
        ("Rope: hemp\nDrum (old):: oak\nOne keeper", [Kind.FACT, Kind.FACT, Kind.FACT]),
        ("It is\n  hauled by two men on a drum", [Kind.PROSE]),
        ("[!INCLUDE[winch](a.md)] is a drum.\n\n[!INCLUDE[note](b.md)]", [Kind.PROSE, Kind.MARKS]),
        (".. note::\n\n   Ropes wear.\n\n.. math::\n\n   a + b\n", [Kind.MARKS, Kind.PROSE, Kind.MARKS, Kind.CODE]),
        (".. code-block:: sh\n   :linenos:\n\n   haul\n", [Kind.MARKS, Kind.CODE]),
        (".. rope::\n\n   It is hauled.\n", [Kind.MARKS, Kind.PROSE]),
        (".. toctree::\n   :maxdepth: 2\n\n   ropes\n", [Kind.MARKS, Kind.CODE]),
        (".. Of ropes\n\n   1 Hemp\n   2 Wire\n\nThey wear.", [Kind.MARKS, Kind.CODE, Kind.PROSE]),
        ("Ropes\n~~~~~\n\nIt wears.", 2 * [Kind.HEADING] + [Kind.PROSE]),
        ("~~~~~~~\n Ropes\n~~~~~~~\n\nIt wears.\n", [Kind.MARKS, *2 * [Kind.HEADING], Kind.PROSE]),
        ("GRANT ropes TO\n  the crane\n```\n\nIt hauls.", [Kind.CODE, Kind.MARKS, Kind.PROSE]),
        ("Haul it:\n~~~\nhaul\n~~~\n", [Kind.PROSE, Kind.MARKS, Kind.CODE, Kind.MARKS]),
        ("It came at 10:30 and took the\nmast at 11:15 and broke the hut and\nthen at 11:45 it sank.", [Kind.PROSE]),
        ("1) Haul (R\n×, ·)\nand rest.", [Kind.STEP]),
        ("ada:12\ntom:7\neve:30", [Kind.PROSE]),
        ("(A) Who rents pays the rent of\n400 euros.\n(B) Either may end it by a\nletter.", [Kind.PROSE]),
        ("2024-03-01 We hauled the\nboat.\n2024-03-02 We slept\nall day.", [Kind.PROSE]),
        ("They rise.\n\nheading:: 270 degrees\nid:: 4711", [Kind.PROSE, *2 * [Kind.FACT]]),
    ],
)
def test_a_text_falls_into_the_blocks_of_its_writer(text, kinds):
    assert [block.kind for block in blocks(text)] == kinds


def test_a_comment_in_a_pdf_is_no_heading():
    text = "# haul_by_hand\n\nIt floats."
    assert blocks(text, "application/pdf")[0].kind is not Kind.HEADING
    assert blocks(text)[0].kind is Kind.HEADING


@pytest.mark.parametrize(
    "text",
    [
        "Closed on Mondays\n\nOpen from nine",
        "Links: 40\n\nWeight: 2 tons",
        "Adults: 12 euros\n\nChildren: 5 euros",
        "The crew was:\n\nAda Stone\n\nTom Becker\n\nMotto\n\nNever late",
        "A buoy floats.\n\nKind: of rock\n\nIt is sharp",
    ],
)
def test_short_paragraphs_of_a_page_say_what_they_say(text):
    said = [unit.reads for unit in units(text, media_type="text/html") if unit.says]
    assert said == [line for line in text.split("\n\n") if not line.endswith(":")]


def test_in_a_page_a_title_with_a_number_is_no_step():
    text = "1. Overview\n\nhaul: rope\n\n1. Haul it.\n2. Rest."
    known = headed(text, "text/html", "", [Head(0, 1)])
    assert [block.kind for block in known][::2] == [Kind.LABEL, Kind.STEP]
    assert {block.kind for block in blocks("1. Haul it\n\n2. Rest\n\n3. Eat well", "text/html")} == {Kind.STEP}


@each(
    ("written", "read"),
    [
        ("A *mooring* is a [**fixed** place](a.md#b \"c\").", "A mooring is a fixed place."),
        ("- [`/Wv:xx[.yy[.zz]]`](w.md) Disables\\\n  warnings.", "/Wv:xx[.yy[.zz]] Disables warnings."),
        ("> [!NOTE]\n> Never `a*b*c`<br/>here &lt;&gt; \\_x\\_.", "Never a*b*c here <> _x_."),
        (": A crane of a boat.", "A crane of a boat."),
        ('r"""Hauls a rope in.', "Hauls a rope in."),
        ("It is 3 ''' long. '''", "It is 3 ''' long."),
        ("A [!INCLUDE [crane](a.md)] hauls: [!code-cpp[C#1](b.cpp)]", "A crane hauls:"),
        ("[!INCLUDE[warning](a.md)]", ""),
        ("Call <xref:A.Winch.Haul%2A?displayProperty=x>, not <xref:A.b>.", "Call A.Winch.Haul, not A.b."),
        *((code, code) for code in (
            "(maxBound :: Int)", "haul :: Rope => a", "License :: OSI Approved :: MIT", "x[start:: step]", "(fe80:: 1)",
            "%%ROPE%% is %%USER%%-%%PC%%", "'%%rope%%'",
        )),
        ("`x (due:: 1)`", "x (due:: 1)"),
        ("It grows as 2 ^n", "It grows as 2 ^n"),
        ("It is 10 ^22\nor n ^2", "It is 10 ^22 or n ^2"),
        ("It is (a + b) ^2", "It is (a + b) ^2"),
        ("* `{winch_speed}`: how fast, ```port.lamp``` lit", "{winch_speed}: how fast, port.lamp lit"),
        ("<tr><th>Lamp</th><th>Height</th></tr>", "Lamp Height"),
        ("<figure><figcaption>A crane.</figcaption></figure>", "A crane."),
        ("See {ref}`the ropes <ropes>`, {class}`.Winch` and `port:{rope}`.", "See the ropes, Winch and port:{rope}."),
        ("<Note>Ropes wear.</Note> <Tab title='x'>Hemp</Tab>", "Ropes wear. Hemp"),
        ("__init__() calls Winch.__get_rope__ twice.", "__init__() calls Winch.__get_rope__ twice."),
        ("snake_case_name and 2 * 3 * 4 stay", "snake_case_name and 2 * 3 * 4 stay"),
        ("As :pep:`8` and :rfc:`2822` say, :pep:`here <20>`.", "As PEP 8 and RFC 2822 say, here."),
        ("Use :mod:`json` or ``dumps()``, see `PEP 8 <http://x>`_.", "Use json or dumps(), see PEP 8."),
        ("See :py:meth:`~a.Winch.haul()`, :class:`!Winch` and :meth:`.stop`.", "See haul(), Winch and stop."),
        ("A :term:`drum\nbrake`, :conf_x:`gear` :ref:`or\n<d>` `as\nhere <x>`_.", "A drum brake, gear or as here."),
    ],
)  # fmt: skip
def test_people_read_no_markup(written, read):
    assert readable(written) == read


def test_a_row_is_read_with_the_names_of_its_columns():
    assert readable_row("| `-v` | Says `a\\|b`. |", "| Option | Effect |") == "Option: -v; Effect: Says a|b."
    assert readable_row("a | b", None) == "a — b"


@each(
    "text",
    [
        "- [Buoys](b.md)",
        "[Buoys](b.md) and [Winches](w.md)",
        '[‹ Why do buoys float?](b.md "The\npage before") [up](w.md "Up") [W.1 Do winches\nrust? ›](r.md "Next")',
        "## Buoys",
        "The options are:",
    ],
)
def test_what_only_points_elsewhere_says_nothing(text):
    assert not any(unit.says for unit in units(text))


@pytest.mark.parametrize(
    "text",
    [
        "More than about 240 boats use the harbour each summer.",
        "More accurate details were found by Ida: the mast is 12 metres high.",
        "More than just information, the library lends boats.",
        "The tide table is published at https://harbour.example/tides",
        "Contact the harbour master at <https://harbour.example/master>.",
        "Under section 4 (c) the fee for a boat is set at 2000 euros a year.",
        "For example, the red buoys are taken in before the ice comes.",
        "For about 20 years the lamp was lit by hand.",
        "In this article, we show that seals follow the boats.",
    ],
)
def test_what_only_looks_like_a_pointer_says_something(text):
    assert [unit.says for unit in units(text)] == [True]


def test_a_link_within_a_sentence_says_something():
    assert all(unit.says for unit in units("A [buoy](b.md) floats; see Moorings for more information."))


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("rebuild", "rebuilt", True),
        ("finansował", "finansowanie", True),
        ("hafen", "hafenmeist", True),
        ("port", "portrait", False),
        ("gang", "gan", False),
        ("1842", "1843", False),
        ("cat", "car", False),
    ],
)
def test_forms_of_a_word_are_alike(one: str, other: str, alike: bool) -> None:
    assert (likeness(one, other) > 0) is (likeness(other, one) > 0) is alike


@pytest.mark.parametrize(
    "text",
    [
        *("| " * 10_000, "`" * 20_000, "[" * 20_000, "*a " * 10_000, "a\n" * 10_000, "<a " * 10_000),
        *(f"```\n{line}\n```" for line in ("  a" + "=a" * 5_000, "  a" + "=," * 5_000, "  a" + " a" * 5_000)),
    ],
)
def test_hostile_markup_is_read_to_its_end(text):
    began = time.process_time()
    assert len(readable(text)) <= len(text)
    assert blocks(text)[-1].end >= len(text.rstrip())
    assert time.process_time() - began < 8


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ('"hull": "Sloop",\n"tide": null\n```\n\nIt is so.', ["code", "marks", "prose"]),
        ("Sloops, in a row.\n```\n\n```text\nhull : Sloop\n```", ["code", "marks", "marks", "code", "marks"]),
        ("Sloops:\n\n```\nhaul\n```\n\nIt is so.", ["prose", "marks", "code", "marks", "prose"]),
    ],
)
def test_a_text_may_begin_within_a_fence(text: str, kinds: list[str]) -> None:
    assert [unit.kind.value for unit in units(text, media_type="text/markdown")] == kinds


def test_a_long_sentence_is_cut_at_a_semicolon_rather_than_at_a_comma():
    ports = "In the north lie the port of Tern, which ships salt, and six more; Gull, the oldest port, ships oil"
    parts = [unit.reads for unit in units(f"{ports}; and much besides, such as timber.", longest=18)]
    assert parts == [
        "In the north lie the port of Tern, which ships salt, and six more;",
        "Gull, the oldest port, ships oil; and much besides, such as timber.",
    ]


def test_a_stress_goes_on_over_several_sentences():
    read = [unit.reads for unit in units("**A winch hauls. It is of oak.** It rusts, 2**3 times.")]
    assert read == ["A winch hauls.", "It is of oak.", "It rusts, 2**3 times."]


def test_tasks_without_a_bullet_are_items():
    read = [(unit.kind, unit.reads) for unit in units("Tasks of spring\n[x] oil the winch\n[ ] Bo: paint the mole\n")]
    assert read[1:] == [(Kind.ITEM, "oil the winch"), (Kind.ITEM, "Bo: paint the mole")]
