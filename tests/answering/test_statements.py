"""What of a text says something, how people read it, and which form a question asks for."""

import time

import pytest

from biblicus.answering.reader.reading.blocks import Kind, blocks
from biblicus.answering.reader.reading.headed import headed
from biblicus.answering.reader.reading.readable import readable, readable_row
from biblicus.answering.reader.reading.units import units
from biblicus.models.extraction import Head
from biblicus.text.terms import analysis
from biblicus.text.terms.inflections import forms
from tests.sampling import each

HELP = "Usage: haul SHIP\n  -n, --night int   Hang so many lanterns\n  --slack   Let the rope hang\n"
"""What a program says of how it is used."""


@each(
    ("text", "kinds"),
    [
        ("# Tides\n\nThey rise.", [Kind.HEADING, Kind.PROSE]),
        ("Tides\n=====\n\nThey rise.", [Kind.HEADING, Kind.HEADING, Kind.PROSE]),
        ("See:\n\n- one\n  more of it\n- two", [Kind.PROSE, Kind.ITEM, Kind.ITEM]),
        ("1. Cast off.\n2. Row.", [Kind.STEP, Kind.STEP]),
        ("```c\nint x;\n\nint y;\n```\n\nDone.", [Kind.MARKS, Kind.CODE, Kind.MARKS, Kind.PROSE]),
        ("int x = 1;\n```\n\nDone.", [Kind.CODE, Kind.MARKS, Kind.PROSE]),
        ("```forth\nhypotenuse\n: square dup * ;\n: cube dup square * ;\n```", [Kind.MARKS, Kind.CODE, Kind.MARKS]),
        ("```\n: square dup * ;\n: cube dup square * ;\n```", [Kind.MARKS, Kind.CODE, Kind.MARKS]),
        (f"```python\n{HELP}```", [Kind.MARKS, Kind.CODE, Kind.MARKS]),
        (f"```\n{HELP}\nfor ship in args:\n    haul(ship)\n```", [Kind.MARKS, Kind.CODE, Kind.MARKS]),
        (f"```console\n$ haul --help\n{HELP}```", [Kind.MARKS, Kind.CODE, *2 * [Kind.FACT], Kind.MARKS]),
        ("<!-- YAML\nadded: v18\n- pr: 7\n-->\n\nThey rise.", [*4 * [Kind.MARKS], Kind.PROSE]),
        ("<!-- It never\nends.", [Kind.MARKS, Kind.PROSE]),
        ("(of-ropes)=\n\nThey rise.", [Kind.MARKS, Kind.PROSE]),
        ("```{note}\n:class: rope\nThey rise.\n```\n\nDone.", [Kind.MARKS, Kind.PROSE, Kind.MARKS, Kind.PROSE]),
        ("```{code-block} sh\nhaul\n```", [Kind.MARKS, Kind.CODE, Kind.MARKS]),
        ("<Up\nIt rises.\n\n<b>It rests.</b>", [Kind.LABEL, Kind.PROSE, Kind.PROSE]),
        ("```js\n<F1\n```\n\nIt rises.\n\n<b>", [Kind.MARKS, Kind.CODE, Kind.MARKS, Kind.PROSE, Kind.MARKS]),
        ('import Rope from "./rope";\n\nThey rise.', [Kind.MARKS, Kind.PROSE]),
        ("{/* good */}\n```c\nint x;\n```", [Kind.MARKS, Kind.CODE, Kind.MARKS]),
        (
            "=======  =======\nRope     Made of\n=======  =======\nwarp     hemp\n=======  =======",
            [Kind.MARKS, Kind.MARKS, Kind.FACT, Kind.MARKS],
        ),
        ("|Build Status| |Docs|_\n\nThey rise.", [Kind.MARKS, Kind.PROSE]),
        ("|a|b|\n|-|-|\n|1|2|", [Kind.HEADING, Kind.MARKS, Kind.ROW]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", [Kind.HEADING, Kind.MARKS, Kind.ROW]),
        ("Like this::\n\n    x = 1\n\nDone.", [Kind.PROSE, Kind.CODE, Kind.PROSE]),
        ("fairlead\nA ring for a rope.\ncleat\nA fitting.", [Kind.LABEL, Kind.PROSE, Kind.LABEL, Kind.PROSE]),
        (
            "davit\n: A crane.\n: A post.\n\ncleat\n\n:   A fitting.",
            [Kind.LABEL, *2 * [Kind.PROSE], Kind.LABEL, Kind.PROSE],
        ),
        (
            "The Rise of the Harbour Crane (1842)\nA crane of oak was built by the guild in the year of the storm.",
            [Kind.LABEL, Kind.PROSE],
        ),
        ("The guild of Kjellvik built\nThe Crane of the Storm, which is an oaken one, as all were then.", [Kind.PROSE]),
        ("It was hauled by Ada\nShe was eleven years old at that time.", [Kind.PROSE]),
        (":Author: Ada\n:Status: Draft\n\nThey rise.", [Kind.MARKS, Kind.PROSE]),
        ("Title: Tides\nAuthor: Ada\nLast-Modified: 1842\n\nThey rise.", [Kind.MARKS, Kind.PROSE]),
        ("They rise.\n\nNote: they\nfall, too: it\nends: so", [Kind.PROSE, Kind.PROSE]),
        (":param rope: what is hauled", [Kind.PROSE]),
        ("Hauled by the\n:class:`Winch` of the crane, all", [Kind.PROSE]),
        ("It is the\n:term:`winch`. Ropes are moved by hand as well, posts and rings;\nall of it.", [Kind.PROSE]),
        (
            ".. glossary::\n\n   winch\n     A drum for a rope.\n   ``cleat``\n     `Fittings <x>`_\n     hold a rope.",
            [Kind.MARKS, Kind.LABEL, Kind.PROSE, Kind.LABEL, Kind.PROSE],
        ),
        (
            "  winch\n  windlass\n\n      A drum that hauls a rope.\n\n  It lifts.",
            [Kind.LABEL, Kind.LABEL, Kind.PROSE, Kind.PROSE],
        ),
        ("2. Hauling the Rope\n\nIt is hauled by two men who stand at the drum.", [Kind.LABEL, Kind.PROSE]),
        ("2. Haul the rope\n\n3. Make it fast", [Kind.STEP, Kind.STEP]),
        ("2. Haul the rope\n\n   It is hauled by two men who stand at the drum.", [Kind.STEP, Kind.PROSE]),
        ("- name: haul\n  crane:\n    rope: short\n", [Kind.CODE]),
        ("crane:\n  rope: short\n", [Kind.CODE]),
        ("- rope: what is hauled\n- drum: what hauls it", 2 * [Kind.ITEM]),
        ("rope: what is hauled\ndrum: what hauls it", 2 * [Kind.FACT]),
        ("Rope: hemp\nfrom the north\n**Drum:** oak", [Kind.PROSE]),
        ("Rope: hemp\nDrum (old):: oak\nOne keeper", [Kind.FACT, Kind.FACT, Kind.PROSE]),
        ("Rope: hemp\nDrum: oak\nwithout knots", 2 * [Kind.FACT]),
        ("NAME\n       winch - hauls the rope of a crane", [Kind.LABEL, Kind.PROSE]),
        ("It is\n  hauled by two men on a drum", [Kind.PROSE]),
        ("[!INCLUDE[winch](a.md)] is a drum.\n\n[!INCLUDE[note](b.md)]", [Kind.PROSE, Kind.MARKS]),
        (".. note::\n\n   Ropes wear.\n\n.. math::\n\n   a + b\n", [Kind.MARKS, Kind.PROSE, Kind.MARKS, Kind.MARKS]),
        (".. code-block:: sh\n   :linenos:\n\n   haul\n", [Kind.MARKS, Kind.CODE]),
        (".. rope::\n\n   It is hauled.\n", [Kind.MARKS, Kind.PROSE]),
        (".. toctree::\n   :maxdepth: 2\n\n   ropes\n", [Kind.MARKS, Kind.MARKS]),
        (".. Of ropes\n\n   1 Hemp\n   2 Wire\n\nThey wear.", [Kind.MARKS, Kind.MARKS, Kind.PROSE]),
        (".. [1] A rope,\n   and a drum.\n\nIt wears.", [Kind.MARKS, Kind.PROSE]),
        ("Ropes\n~~~~~\n\nIt wears.", 2 * [Kind.HEADING] + [Kind.PROSE]),
        ("~~~~~~~\n Ropes\n~~~~~~~\n\nIt wears.\n", [Kind.MARKS, *2 * [Kind.HEADING], Kind.PROSE]),
        ("import rope\n\n    drum = rope.drum\n    drum.haul()\n\nIt hauls.", [Kind.CODE, Kind.PROSE]),
        ("It hauls what it can\n\n    drum = rope.drum\n    drum.haul()\n", [Kind.PROSE, Kind.PROSE, Kind.CODE]),
        ("GRANT ropes TO\n  the crane\n```\n\nIt hauls.", [Kind.CODE, Kind.MARKS, Kind.PROSE]),
        ("Haul it:\n~~~\nhaul\n~~~\n", [Kind.PROSE, Kind.MARKS, Kind.CODE, Kind.MARKS]),
        ("It came at 10:30 and took the\nmast at 11:15 and broke the hut and\nthen at 11:45 it sank.", [Kind.PROSE]),
        ("From 10:30 to 11:15 it took a\nMast; from 11:15 to 11:20 the\nHut; from 11:45 to 12:00 all.", [Kind.PROSE]),
        ("ada:12\ntom:7\neve:30", 3 * [Kind.FACT]),
        ("ada:12:old boat\ntom:7:new one\neve:30:Sloop", 3 * [Kind.FACT]),
        ("(A) Who rents pays the rent of\n400 euros.\n(B) Either may end it by a\nletter.", [Kind.PROSE]),
        ("2024-03-01 We hauled the\nboat.\n2024-03-02 We slept\nall day.", [Kind.PROSE]),
        ("(A) Haul it\n(B) Rest\n  in the hut", 2 * [Kind.FACT]),
        ("Work\n- Clerk at Ashford Bank, Port Lowen | 2019-2021\n\nI kept books.", [Kind.PROSE, Kind.ITEM, Kind.PROSE]),
        ("Tides\n- Highlight | Page 3 | 1 May 2024 9:14:11\n\nThey rise.", [*2 * [Kind.LABEL], Kind.PROSE]),
        ("They rise.\n\nheading:: 270 degrees\nid:: 4711", [Kind.PROSE, *2 * [Kind.FACT]]),
        ("They rise.\n\nheading:: 2\nid:: 64f1a2b3-1111-2222-3333-444455556666", [Kind.PROSE, Kind.MARKS]),
    ],
)
def test_a_text_falls_into_the_blocks_of_its_writer(text, kinds):
    assert [block.kind for block in blocks(text)] == kinds


def test_what_stands_behind_a_heading_in_tags_is_text():
    text = '<h3>Licence</h3><p>Sloop is free.</p>\n\n<h2>\nInstall\n</h2> Run it\nonce.\n<h2>Use</h2><a name="x"></a> '
    known = [(block.kind, text[block.start : block.end]) for block in blocks(text, "text/markdown")]
    assert known == [
        (Kind.HEADING, "<h3>Licence</h3>"),
        (Kind.PROSE, "<p>Sloop is free.</p>"),
        (Kind.HEADING, "<h2>\nInstall\n</h2>"),
        (Kind.PROSE, " Run it\nonce."),
        (Kind.HEADING, '<h2>Use</h2><a name="x"></a> '),
    ]
    assert "Sloop is free." in [unit.reads for unit in units(text, media_type="text/markdown") if unit.says]


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
        ("Rent:: 84 (due:: 1 May) and %%ask Ada%% or %%not%%", "Rent: 84 due: 1 May and ask Ada or not"),
        ("Port (due:: `a::b`)", "Port due: a::b"),
        *((code, code) for code in (
            "(maxBound :: Int)", "haul :: Rope => a", "License :: OSI Approved :: MIT", "x[start:: step]", "(fe80:: 1)",
            "%%ROPE%% is %%USER%%-%%PC%%", "'%%rope%%'",
        )),
        ("`x (due:: 1)`", "x (due:: 1)"),
        ("It grows as 2 ^n", "It grows as 2 ^n"),
        ("It is 10 ^22\nor n ^2", "It is 10 ^22 or n ^2"),
        ("It is (a + b) ^2", "It is (a + b) ^2"),
        ("It hauls. ^rope-1", "It hauls."),
        ("It hauls\n  ^rope", "It hauls"),
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


NAMES = ["Moorings", "Buoys and marks", "winch — Hauling chains", "Tides", "Davits", "Lamps"]


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("", False),
        ("It floats.\n\n", False),
        ("Kept are:\n\n", True),
        ("Table of Contents\n\n", False),
    ],
)
def test_a_list_of_names_says_something_where_it_is_introduced(before, says):
    items = [unit for unit in units(before + "\n".join(f"- {name}" for name in NAMES)) if unit.kind is Kind.ITEM]
    assert [unit.says for unit in items] == [says] * len(NAMES)


def test_numbered_titles_in_a_row_are_contents():
    assert [unit.says for unit in units("Contents:\n\n- 2 m of rope\n- 3.5 m of it")] == [False, True, True]
    assert [unit.says for unit in units("Two are sold:\n\n- 2 m of rope\n- 3.5 m of it")] == [False, True, True]
    titles = ["The Harbour Bell", "Ringing in Fog", "Mending the Rope", "Old Bells", "Other Signals"]
    numbered = list(units("\n".join(f"{number}. {title}" for number, title in enumerate(titles, 1))))
    assert [unit.says for unit in numbered] == [False] * len(titles)
    steps = list(units("\n".join(f"{number}. Ring bell {title}" for number, title in enumerate("abcde", 1))))
    assert [unit.says for unit in steps] == [True] * 5


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


def _terms(text):
    return analysis.analyzer("english").analyze(text)


def spaced(text):
    """With the parts of a humped name beside it, as texts are analysed."""
    return text.replace("WinchDrum", "WinchDrum Winch Drum")


@pytest.mark.parametrize(
    ("asked", "word", "stemmer"),
    [
        ("rebuild", "rebuilt", "english"),
        ("won", "win", "english"),
        ("gan", "ganador", "spanish"),
        ("grammys", "grammy", "spanish"),
        ("bau", "gebaut", "german"),
        ("hafen", "hafenmeist", "german"),
    ],
)
def test_forms_of_a_word_meet(asked, word, stemmer):
    assert forms([asked], [word], stemmer)[word][0] == asked


@pytest.mark.parametrize(("asked", "word"), [("port", "portrait"), ("gan", "gang"), ("1842", "1843"), ("cat", "car")])
def test_words_that_only_begin_alike_do_not_meet(asked, word):
    assert not forms([asked], [word], "english")


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


def test_an_item_that_names_a_page_and_shows_where_it_is_says_nothing() -> None:
    text = "- Oars and how to dry them: [https://harbour.example/o](https://harbour.example/o)"
    assert [unit.says for unit in units(text, media_type="text/markdown")] == [False]


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
