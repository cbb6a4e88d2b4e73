"""Formats that are text themselves: text, code, CSV, JSON, reStructuredText, notebooks."""

import base64
import json
from collections.abc import Mapping

import pytest

from biblicus import plugins
from biblicus.contracts import Given
from biblicus.errors import ExtractionFailed
from biblicus.models.extraction import ENTRY, Heading, NoExtraction, Span
from biblicus.text import media
from tests.extraction.reading import outcome_of, read
from tests.sampling import each


@pytest.mark.parametrize("name", ["text", "markdown", "code", "csv", "json", "rst"])
def test_every_one_of_them_is_decoded_in_process_and_says_what_it_is(name: str) -> None:
    module = plugins.find("extraction", name)
    extractor = module.build(plugins.options_class(module)(), Given())
    assert extractor.guarded is False
    assert extractor.fingerprint.startswith(f"{name}/")
    with pytest.raises(ValueError, match="no_such_option"):
        plugins.options_class(module).model_validate({"no_such_option": True})


@pytest.mark.parametrize(
    ("cues", "lines"),
    [
        ({"00:01.000 --> 00:02.000": "No.", "00:02.000 --> 00:03.000": "No."}, ["No.", "No."]),
        (
            {"00:01.000 --> 00:02.000": "Row, row\nRow, row", "00:05.000 --> 00:06.000": "Row, row"},
            ["Row, row Row, row", "Row, row"],
        ),
        (
            {
                "00:01.000 --> 00:03.5": "Tides rise",
                "00:03.5 --> 00:03.51": "Tides rise",
                "00:03.51 --> 00:05.000": "Tides rise\nand fall",
                "00:05.000 --> 00:07.000": "and fall\n<c>twice</c> a day",
            },
            ["Tides rise", "and fall", "twice a day"],
        ),
        ({"00:01.000 --> 00:02.000": "a\nb", "00:02.000 --> 00:03.000": "a\nb\nc"}, ["a b", "c"]),
        ({"00:01.000 --> 00:02.000": "a", "00:02.200 --> 00:03.000": "a\nb"}, ["a", "a b"]),
        ({"00:01 --> 1:00:02": "a"}, ["a"]),
        ({"00:01.000 --> 00:02.000": "<v Ada>a", "00:02.000 --> 00:03.000": "<v Ada>a\n<v Bo>b"}, ["Ada: a", "Bo: b"]),
    ],
)
def test_only_rolling_captions_say_a_line_once(cues: Mapping[str, str], lines: list[str]) -> None:
    written = "\n\n".join(f"{times}\n{words}" for times, words in cues.items())
    assert read("subtitles", f"WEBVTT\n\n{written}\n").text.splitlines() == lines


@each("name", ["text", "markdown", "code", "csv", "json", "rst", "notebook", "html"])
@each("raw", [b"", b" \n\t ", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_nothing_is_empty(name: str, raw: bytes) -> None:
    outcome = outcome_of(name, raw)
    assert isinstance(outcome, NoExtraction)
    assert outcome.status == "empty"
    assert not outcome.is_failure


def test_plain_text_has_front_matter_and_code_has_none() -> None:
    raw = "---\na: b\n---\nbody"
    assert read("text", raw).masked == (Span(0, 13),)
    assert read("code", raw).masked == ()
    assert read("text", raw).text == read("code", raw).text == raw


def test_a_table_of_separators_alone_is_empty() -> None:
    assert isinstance(outcome_of("csv", ",,;\n,,\n"), NoExtraction)
    assert read("csv", "a,b\r\n1,2\r\n").text == "a,b\r\n1,2\r\n"


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        ('{"title": "The  Title", "name": "n"}', "The Title"), ('{"name": "N"}', "N"), ('{"title": 5}', None),
        ('[{"title": "inner"}]', None), ('{"a": {"title": "inner"}}', None), ('{"title": " "}', None),
    ],
)  # fmt: skip
def test_json_takes_its_title_from_the_top_level(raw: str, title: str | None) -> None:
    found = read("json", raw)
    assert (found.text, found.title, found.warnings) == (raw, title, ())


@pytest.mark.parametrize("raw", ['{"a": 1', "[" * 200_000, '{"a": 1, "a": 2}', "NaN", "9" * 9_999, "{'a': 1}"])
def test_malformed_json_keeps_its_text_with_a_warning(raw: str) -> None:
    found = read("json", raw)
    assert found.text == raw
    assert len(found.warnings) == 1


def test_rst_titles_have_the_levels_of_their_first_use() -> None:
    text = "=====\nTitle\n=====\n\nOne\n===\n\ntext\n\nTwo\n---\n\nOne again\n=========\n\n"
    text += "::\n\n    code\n    ----\n\n----\n"
    assert read("rst", text).headings == (
        Heading(0, 1, "Title"), Heading(19, 2, "One"), Heading(34, 3, "Two"), Heading(43, 2, "One again"),
    )  # fmt: skip
    assert read("rst", text).title == "Title"


def test_rst_titles_are_plain_words() -> None:
    text = "|logo| The :mod:`json` and ``code`` of `Python <https://python.org>`_\n" + "=" * 70
    assert read("rst", text).headings[0].title == "The json and code of Python"


@pytest.mark.parametrize(
    "text", ["para\ntext\n----\n", "a table\n\n===== =====\na     b\n===== =====\n", "long title\n---\n", "\n\n====\n"]
)
def test_rst_lines_that_underline_nothing(text: str) -> None:
    assert read("rst", text + "x").headings == ()


def notebook(*cells: Mapping[str, object]) -> str:
    return json.dumps({"cells": cells, "nbformat": 4, "metadata": {}})


_MARKDOWN = {"cell_type": "markdown", "source": ["# Tides\n", "The moon."]}
_CODE = {
    "cell_type": "code",
    "source": "print(1)",
    "outputs": [
        {"output_type": "stream", "text": ["1\n"]},
        {"data": {"text/plain": "42"}},
        {"data": {"image/png": "iVBO"}},
    ],
}


def test_notebook_cells_stand_in_order_with_their_headings() -> None:
    found = read("notebook", notebook(_CODE, _MARKDOWN, {"cell_type": "markdown", "source": ""}, _CODE))
    assert found.text == "print(1)\n\n1\n\n42\n\n# Tides\nThe moon.\n\nprint(1)\n\n1\n\n42"
    assert found.headings == (Heading(0, 7, ""), Heading(17, 1, "Tides"), Heading(36, 7, ""))
    assert found.title == "Tides"


def test_raw_cells_of_a_notebook_have_the_headings_of_restructuredtext() -> None:
    target = {"cell_type": "raw", "source": [".. _tides:\n"]}
    first = {"cell_type": "raw", "source": "Tides\n=====\n"}
    latex = {"cell_type": "raw", "source": "Moon\n====\n", "metadata": {"raw_mimetype": "text/latex"}}
    deeper = {"cell_type": "raw", "source": "Ebb\n---\n", "metadata": {"format": "text/restructuredtext"}}
    found = read("notebook", notebook(target, first, latex, deeper))
    assert [(heading.level, heading.title) for heading in found.headings] == [
        *((7, ""), (1, "Tides"), (7, ""), (2, "Ebb")),
    ]
    assert found.title == "Tides"


def test_notebook_outputs_may_be_left_out() -> None:
    assert read("notebook", notebook(_CODE), outputs=False).text == "print(1)"


_BARS = "10%\r100%\rDepth 4 m\n"
_FRAME = "<table><tr><th><th>pier<th>depth</tr><tr><th>0</th><td>North</td><td>4 m</td></tr></table>"


@each(
    ("output", "text"),
    [
        ({"output_type": "stream", "name": "stdout", "text": ["r = ", "0.64\n"]}, "r = 0.64"),
        ({"output_type": "stream", "name": "stdout", "text": f"\x1b[31m{_BARS}\x1b[0m"}, "Depth 4 m"),
        ({"output_type": "stream", "name": "stderr", "text": "FutureWarning"}, ""),
        (
            {"output_type": "error", "ename": "ValueError", "evalue": "no tide", "traceback": ["x"]},
            "ValueError: no tide",
        ),
        ({"data": {"text/plain": "   pier", "text/html": _FRAME}}, "pier | depth\n0 | pier: North | depth: 4 m"),
        ({"data": {"text/plain": "<Figure size 640x480 with 1 Axes>", "image/png": "aGk="}}, ""),
        ({"data": {"text/plain": "[<matplotlib.lines.Line2D at 0x7f00>]"}}, ""),
        ({"output_type": "stream", "name": "stdout", "text": "1\n" * 99}, "\n".join("1" * 60)),
        ({"output_type": "stream", "name": "stdout", "text": "1%\r99%\r"}, "99%"),
        ({"output_type": "stream", "name": "stdout", "text": "<loss> 0.345 at end"}, "<loss> 0.345 at end"),
        ({"data": {"text/plain": "array([<Axes: >, <Axes: >], dtype=object)"}}, ""),
        (
            {"data": {"text/html": f"<style>p {{}}</style><p>By <b>pier</b>:</p>{_FRAME}<p>No &amp; more</p>"}},
            "By pier:\n\npier | depth\n0 | pier: North | depth: 4 m\n\nNo & more",
        ),
        ({"data": {"text/plain": "4 m", "text/html": "<p>4 m</p>"}}, "4 m"),
        ({"output_type": "stream", "name": "stdout", "text": "7" * 200_000}, "7" * 4_000),
        ({"data": {"text/plain": "x", "text/html": "<tr <th <style " * 12_000}}, "x"),
        ({"data": {"text/plain": "x", "text/html": "<table>" + "<tr <th " * 24_000}}, "x"),
    ],
)
def test_what_a_cell_printed_stands_below_it_in_words(output: dict[str, object], text: str) -> None:
    cell = {"cell_type": "code", "source": "run()", "outputs": [output]}
    assert read("notebook", notebook(cell)).text.removeprefix("run()").strip() == text


def test_notebooks_of_version_3_are_read() -> None:
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y"]}]}], "nbformat": 3}
    assert read("notebook", json.dumps(old)).text == "x = 1\ny"


@pytest.mark.parametrize("raw", ["{", "[]", '{"cells": 5}', '{"cells": "x"}', "[" * 99_999])
def test_what_is_no_notebook_keeps_its_text_with_a_warning(raw: str) -> None:
    found = read("notebook", raw)
    assert found.text == raw
    assert found.warnings


@pytest.mark.parametrize(
    "cells", [[{}], [{"cell_type": "code"}], [{"cell_type": 5, "source": [1, None]}], ["x", None], []]
)
def test_strange_cells_are_no_error(cells: list[object]) -> None:
    assert isinstance(outcome_of("notebook", json.dumps({"cells": cells})), NoExtraction)


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("\\capstan: The crab", "The crab"),
        ("\\capstan{} -- The crab", "The crab"),
        (".NET interop", ".NET interop"),
        ("--help", "--help"),
        ("\\texttt{--help}", "--help"),
        ("{\\tt --help}", "--help"),
        ("\\tt .profile", ".profile"),
        ("The \\crab: a winch", "The : a winch"),
        ("The crab%\n  \\phantomsection%\n  \\label{crab}%\n  \\\\%\nA winch%\n", "The crab A winch"),
        ("R\\&D: 50\\% more % as told\nrope", "R&D: 50% more rope"),
    ],
)
def test_a_title_in_latex_begins_with_a_word_where_its_first_command_is_not_known(markup: str, title: str) -> None:
    assert read("outline", f"\\title{{{markup}}}\nIt turns.", "text/x-tex").title == title


def test_directives_and_terms_of_a_glossary_are_entries() -> None:
    text = (
        "Tools\n=====\n\n.. py:class:: Crane(height)\n\n   A crane lifts what is heavy, as high as it is.\n\n"
        "   .. method:: Crane.lift(*, load)\n\n      Lift a load as far as the crane can reach it.\n\n"
        "   More about the crane.\n\nMore about tools.\n\n.. option:: -q\n\n   Quiet.\n\n"
        ".. glossary::\n   :sorted:\n\n   ebb : tides\n      The tide as it goes out, which leaves boats on the sand.\n"
        "   flood\n   rising tide\n\n      The tide as it comes in, which lifts boats off the sand.\n"
    )
    assert [(h.level, h.title, text[h.offset :].split("\n")[0].strip()) for h in read("rst", text).headings] == [
        *((1, "Tools", "Tools"), (ENTRY, "Crane(height)", ".. py:class:: Crane(height)")),
        (ENTRY + 1, "Crane.lift(*, load)", ".. method:: Crane.lift(*, load)"),
        *((ENTRY, "Crane(height)", "More about the crane."), (1, "Tools", "More about tools.")),
        *((ENTRY, "ebb", "ebb : tides"), (ENTRY, "flood – rising tide", "flood")),
    ]


def saved(*parts: str, start: str = "") -> str:
    head = f'Subject: =?utf-8?Q?M=C3=B6le?=\nContent-Type: multipart/related; boundary="cut"{start}\n\n'
    return head + "".join(f"--cut\n{part}\n" for part in parts) + "--cut--\n"


FRAME = "Content-Type: text/html\nContent-ID: <frame>\n\n<p>Frame."
PAGE = "Content-Type: text/html; charset=windows-1251\nContent-ID: <page>\nContent-Transfer-Encoding: base64\n\n{}"
MOON = PAGE.format(base64.b64encode("<p>Луна.".encode("cp1251")).decode())


@pytest.mark.parametrize(
    ("text", "words", "title"),
    [
        (saved(MOON, FRAME), "Луна.\n", "Möle"),
        (saved(FRAME, MOON, start='; start="<page>"'), "Луна.\n", "Möle"),
        (saved(FRAME, MOON, start='; start="<gone>"'), "Frame.\n", "Möle"),
        (saved("Content-Type: text/html\n\n<title>Tides</title><p>Ebb."), "Ebb.\n", "Tides"),
    ],
)
def test_a_saved_page_gives_the_page_that_it_names(text: str, words: str, title: str) -> None:
    outcome = read("mhtml", text)
    assert (outcome.text, outcome.title) == (words, title)


def test_a_saved_page_without_a_page_is_damaged() -> None:
    with pytest.raises(ExtractionFailed):
        read("mhtml", saved("Content-Type: image/png\n\nx"))


DRAWN = b"""<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://w3.org/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg"><title>The crane</title><style>text{x:y}</style><defs><text>hidden</text></defs>
<g><title>drum-&gt;rope</title><text x="1">Set <tspan>free</tspan><tspan x="1" dy="9">at once</tspan></text></g>
<switch><foreignObject><div xmlns="http://www.w3.org/1999/xhtml"><p>Rope of <b>hemp</b></p><p>Drum</p></div>
</foreignObject><text>Rope...</text></switch><text>0.25</text><text>Drum</text><script>alert("x")</script></svg>"""


def test_a_drawing_gives_its_labels_each_once() -> None:
    outcome = read("drawing", DRAWN)
    assert outcome.text == "The crane\ndrum->rope\nSet free at once\nRope of hemp\nDrum\n"
    assert outcome.title == "The crane"
    assert media.choose(media.media_type("a.svg", DRAWN)) == "drawing"


def test_a_drawing_that_declares_entities_is_refused() -> None:
    with pytest.raises(ExtractionFailed):
        read("drawing", b'<!DOCTYPE svg [<!ENTITY a "b">]><svg><text>&a;</text></svg>')


RSS = """<?xml version="1.0"?><!-- made by hand -->
<rss version="2.0" xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>Harbour &amp; tide</title><language>en-GB</language>
<item><title>The mole</title><link>https://a.example/mole</link>
<dc:creator>Ada</dc:creator><pubDate>Tue, 03 Mar 2026 13:30:02 +0000</pubDate><description>In short.</description>
<c:encoded>&lt;h2&gt;Length&lt;/h2&gt;
&lt;p&gt;The mole is &lt;b&gt;300&lt;/b&gt; metres long.&lt;/p&gt;</c:encoded></item>
<item><guid>b</guid><description>No title, but words.</description></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Hafen</title>
<entry><id>1</id><title>Die Mole</title><updated>2026-03-03T10:00:00Z</updated>
<summary>Sie ist lang.</summary></entry></feed>"""


def test_a_feed_gives_its_entries_as_people_read_them() -> None:
    outcome = read("feed", RSS)
    assert outcome.text == (
        "The mole\n\nAda, 2026-03-03\nhttps://a.example/mole\n\nLength\n\nThe mole is 300 metres long.\n\n"
        "b\n\nNo title, but words.\n"
    )
    assert [(heading.level, heading.title) for heading in outcome.headings] == [
        (1, "The mole"), (3, "Length"), (1, "b")
    ]  # fmt: skip
    assert [spot[1:3] for spot in outcome.spots] == [("region", "The mole"), ("region", "b")]
    assert (outcome.title, outcome.language) == ("Harbour & tide", "en")
    outcome = read("feed", ATOM)
    assert (outcome.text, outcome.title) == ("Die Mole\n\n2026-03-03\n\nSie ist lang.\n", "Hafen")


def rss(items: str) -> str:
    return f"<rss><channel>{items}</channel></rss>"


def atom(entries: str) -> str:
    return f'<feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://search.yahoo.com/mrss/">{entries}</feed>'


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (
            rss("".join(f"<item><description>{name} tide.</description></item>\n" for name in ("Low", "High"))),
            ["Entry 1", "Low tide.", "Entry 2", "High tide."],
        ),
        (
            rss("".join(f"<item><link>http://a.b/</link><title>{name}</title></item>" for name in ("Gull", "Tern"))),
            ["Gull", "http://a.b/", "Tern", "http://a.b/"],
        ),
        (rss("<item><guid>1</guid><title>A</title></item>" * 2), ["A", "A"]),
        (rss("<item/><item><title>A</title></item>"), ["A"]),
        (
            atom("<entry><content>Low.</content></entry><entry><title>High</title><summary>At six.</summary></entry>"),
            ["Entry 1", "Low.", "High", "At six."],
        ),
        (
            atom("<entry><title>A film</title><m:group><m:description>Of gulls.</m:description></m:group></entry>"),
            ["A film", "Of gulls."],
        ),
        (rss("<description>News of the &lt;i&gt;mole&lt;/i&gt;.</description>"), ["News of the mole."]),
        (atom("<subtitle>News.</subtitle><entry><title>A</title></entry>"), ["News.", "A"]),
        (
            rss("<item><title>A</title><category>tides</category><category>moon, sea</category></item>"),
            ["A", "tides, moon, sea"],
        ),
        (
            atom('<entry><title>A</title><category term="x1" label="tides"/><category term="moon"/></entry>'),
            ["A", "tides, moon"],
        ),
        (rss(f"<item><title>{'tide ' * 80}end</title></item>"), ["tide " * 80 + "end"]),
    ],
)  # fmt: skip
def test_every_entry_of_a_feed_is_read_whatever_it_is_known_by(raw: str, words: list[str]) -> None:
    outcome = read("feed", raw)
    assert outcome.text.split("\n\n") == [*words[:-1], words[-1] + "\n"]
    assert len({spot.name for spot in outcome.spots}) == len(outcome.spots)


@pytest.mark.parametrize(
    ("path", "raw", "kind", "extractor"),
    [
        ("a.xml", RSS, "application/rss+xml", "feed"),
        ("a.rss", RSS, "application/rss+xml", "feed"),
        ("without", RSS, "application/rss+xml", "feed"),
        ("a.xml", ATOM, "application/atom+xml", "feed"),
        ("a.xml", "<?xml version='1.0'?><feeding><rss/></feeding>", "application/xml", "text"),
        ("a.xml", "<feed><animal/></feed>", "application/xml", "text"),
        ("a.xml", "<!-- -->" * 7 + "<rss>", "application/rss+xml", "feed"),
        ("a.xml", "<!-- -->" * 500, "application/xml", "text"),
        ("a.xml", "<?a?> " * 600, "application/xml", "text"),
    ],
)
def test_a_feed_is_known_by_its_first_element(path: str, raw: str, kind: str, extractor: str) -> None:
    assert (media.media_type(path, raw.encode()[:4096]), media.choose(kind)) == (kind, extractor)


@pytest.mark.parametrize("raw", ["<rss><channel>", "no feed at all", '{"items": []}'])
def test_what_is_no_feed_or_a_broken_one_is_plain_text(raw: str) -> None:
    assert read("feed", raw).text == raw
    assert isinstance(outcome_of("feed", "<rss><channel/></rss>"), NoExtraction)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("<news><text><title>Storm &amp; tide</title><body>It came.</body></text></news>", "Storm & tide"),
        ("<news><title>Storm</title><body>It came.</body></news>", "Storm"),
        ("<staff><person><name>Ann</name><title>Dr.</title></person></staff>", None),
        ("<!-- <title>Old</title> --><doc><body>It came.</body></doc>", None),
        ("<doc><g/><title>Storm</title><part><title>Tide</title></part></doc>", None),
    ],
)
def test_an_xml_document_is_called_by_its_own_title(text: str, title: str | None):
    assert read("text", text, "application/xml").title == title


def test_what_joplin_writes_below_a_note_is_not_ranked() -> None:
    by_joplin = "\n\nid: b2f09c3d55d14f2e9f4f6bd0aa2d3c11\nparent_id: \nis_todo: 0\nauthor: Ann\nsource_url: \ntype_: 1"
    note_read = read("markdown", f"Boiler\n\n## Pressure\n\nIt is 1.4 bar.{by_joplin}")
    assert note_read.title == "Boiler"
    assert [note_read.text[span.start : span.end] for span in note_read.masked] == [by_joplin]


@pytest.mark.parametrize(
    ("note", "title"),
    [
        ("# Deploy *it*\n\nPush.", "Deploy it"),
        ("---\ntags: [sea]\n---\nBoiler\n\nIt is hot.", "Boiler"),
        ("", None),
        ("\n\n## Pressure", "Pressure"),
    ],
)
def test_a_note_of_joplin_is_called_by_its_first_line(note: str, title: str | None) -> None:
    note_read = read("markdown", f"{note}\n\nid: {'0' * 32}\nparent_id: \nis_todo: 0\norder: 0\ntype_: 1")
    assert (note_read.title, note_read.metadata.get("tags")) == (title, ["sea"] if "sea" in note else None)


def test_a_page_that_shows_what_joplin_writes_is_read_to_its_end() -> None:
    text = f"Boiler\n\nid: {'0' * 32}\n" + "is_todo: 0\n" * 59 + "So Joplin writes.\n"
    assert read("markdown", text).masked == ()
