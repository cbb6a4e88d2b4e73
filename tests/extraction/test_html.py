"""HTML becomes readable text: the content, no scripts, a block a line."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from biblicus.extraction.web import page_links
from biblicus.models.extraction import ENTRY, Extraction, Heading, NoExtraction
from tests.extraction.reading import outcome_of, read

extract = partial(read, "html")


_PAGE = """<!doctype html><html lang="de-AT"><head><title> Die
Fähre </title><style>p{color:red}</style></head><body>
<header><a href="/">Home</a></header><nav><ul><li>Menu</ul></nav>
<main><h1>Fahr<b>plan</b></h1><p>Die Fähre fährt <a href="x">täglich</a>, auch
im Winter.</p><ul><li>Kinder: frei<li><p>Erwachsene: 3&nbsp;€</ul>
<h2 hidden>Nichts</h2><table><tr><th>Ab</th><th>An</th></tr>
<tr><td>8:00</td><td><b>8</b>:20</td></tr></table>
<pre>a  b
  c</pre><script>alert("x")</script><p onclick="evil()">Ende<br>gut.</p></main>
<footer>Impressum</footer></body></html>"""


def test_the_main_content_is_readable_text() -> None:
    found = extract(_PAGE)
    assert found.text == (
        "Fahrplan\n\nDie Fähre fährt täglich, auch im Winter.\n\n- Kinder: frei\n- Erwachsene: 3\u00a0€\n\n"
        "Ab | An\nAb: 8:00 | An: 8:20\n\na  b\n  c\n\nEnde\ngut.\n"
    )
    assert found.title == "Die Fähre"
    assert found.language == "de"
    assert found.headings == (Heading(0, 1, "Fahrplan"),)
    assert found.metadata == {"hidden_text": "Nichts"}


def test_everything_in_the_body_can_be_kept() -> None:
    text = extract(_PAGE, content="all").text
    assert text.startswith("Home\n\n- Menu\n\nFahrplan")
    assert text.endswith("Impressum\n")


def test_content_without_landmarks_is_kept_whole() -> None:
    assert extract("<p>one<p>two<div>three <div>four</div></div>").text == "one\n\ntwo\n\nthree\nfour\n"


def test_a_small_article_beside_more_text_does_not_win() -> None:
    assert "long" in extract("<article>teaser</article><div>" + "a long text " * 20 + "</div>").text


def test_a_page_without_content_but_menus_keeps_nothing_hidden() -> None:
    assert isinstance(outcome_of("html", "<script>x</script><nav>y</nav>"), NoExtraction)


NAMED = ["Boat | Fee", "Boat: Gull | Fee: 35"]
HEAD = "<tr><th>Boat</th><th>Fee</th></tr>"


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (f"<thead>{HEAD}</thead><tbody><tr><td>Gull</td><td>35</td></tr></tbody>", NAMED),
        (f"{HEAD}<tr><td></td><td>35</td></tr><tr><td>Tern</td></tr>", ["Boat | Fee", "Fee: 35", "Boat: Tern"]),
        (f"{HEAD}<tr><td>Gull</td><td>35</td><td>old</td></tr>", ["Boat | Fee", "Boat: Gull | Fee: 35 | old"]),
        ("<tr><th></th><th>Fee</th><th>Berth</th></tr><tr><th>Gull</th><td>35</td><td>2</td></tr>",
         ["Fee | Berth", "Gull | Fee: 35 | Berth: 2"]),
        (f"{HEAD}<tr><td rowspan=2>Gull</td><td>35</td></tr><tr><td>40</td></tr>",
             [*NAMED, "Boat: Gull | Fee: 40"]),
        ("<tr><td>Boat</td><td>Fee</td></tr><tr><td>Gull</td><td>35</td></tr>", ["Boat | Fee", "Gull | 35"]),
        ("<tr><th>Boat</th><th>Fee</th><th>Berth</th></tr><tr><td>Gull</td><td> </td><td>2</td></tr>",
         ["Boat | Fee | Berth", "Boat: Gull | Berth: 2"]),
        ("<tr><th>Boat</th><td>Gull</td></tr><tr><th>Fee</th><td>35</td></tr>", ["Boat | Gull", "Fee | 35"]),
        ("<tr><th>Boat</th><th>Boat</th></tr><tr><td>Gull</td><td>Tern</td></tr>", ["Boat | Boat", "Gull | Tern"]),
        (f"<tr><th>Boat</th><th>{'long ' * 9}</th></tr><tr><td>a</td><td>b</td></tr>",
         [f"Boat | {'long ' * 9}".strip(), "a | b"]),
        (f"<tr><td><table>{HEAD}<tr><td>Gull</td><td>35</td></tr></table></td></tr>", NAMED),
    ],
)  # fmt: skip
def test_a_row_says_what_its_cells_are_where_the_table_does(rows: str, lines: list[str]) -> None:
    assert extract(f"<p>Fees</p><table>{rows}</table><p>end</p>").text.split("\n") == [
        "Fees",
        "",
        *lines,
        "",
        "end",
        "",
    ]


def test_layout_tables_keep_their_blocks() -> None:
    html = "<table><tr><td><h2>Left</h2><p>one</p><p>two</p></td><td><ul><li>x<li>y</ul></td></tr></table>"
    assert extract(html).text == "Left\n\none\n\ntwo\n\n- x\n- y\n"


def test_items_of_a_numbered_list_have_their_numbers() -> None:
    html = "<ol><li><p>cast off<ul><li>fore<li>aft</ul><li value=7>row<li>land</ol><ul><li>rest</ul><ol start=3><li>x"
    lines = [line for line in extract(html).text.split("\n") if line]
    assert lines == ["1. cast off", "- fore", "- aft", "7. row", "8. land", "- rest", "3. x"]


@pytest.mark.parametrize(
    ("listed", "lines"),
    [
        ("<ol reversed><li>row<li>land</ol>", ["- row", "- land"]),
        ("<ol type=a><li>row<li>land</ol>", ["- row", "- land"]),
        ("<ol style='list-style-type: none'><li>row<li>land</ol>", ["- row", "- land"]),
        ("<ol><li>1. row<li>(2) land</ol>", ["1. row", "(2) land"]),
        ("<ol><li>row<menu><li>fore</menu><li value=-3>land</ol>", ["1. row", "- fore", "2. land"]),
        ("<ol><li><a href=a>Row</a><li><a href=b>Land</a></ol>", ["- Row", "- Land"]),
    ],
)
def test_only_numbers_that_people_see_are_told(listed: str, lines: list[str]) -> None:
    assert [line for line in extract(f"<p>To do:</p>{listed}").text.split("\n") if line] == ["To do:", *lines]


def test_headings_stand_where_their_lines_start() -> None:
    found = extract("<p>a</p><h2> <a name=x></a>Two <i>words</i></h2><p>b</p><h3></h3><h1>One</h1>")
    assert found.text == "a\n\nTwo words\n\nb\n\nOne\n"
    assert found.headings == (Heading(3, 2, "Two words"), Heading(17, 1, "One"))


def test_the_title_falls_back_to_the_card_and_the_heading() -> None:
    assert extract('<meta property="og:title" content="Card"><h1>H</h1>').title == "Card"
    assert extract("<title> </title><h1>H</h1>").title == "H"


def test_a_block_that_says_the_title_is_a_heading() -> None:
    page = "<title>All Boats</title><p>Small.</p><div>{}</div><h1>Sloops</h1><div>All Boats</div>"
    assert [h.title for h in extract(page.format("All\nBoats")).headings] == ["All Boats", "Sloops"]
    assert [h.title for h in extract(page.format("All Boats sail.")).headings] == ["Sloops"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1251"])
def test_the_encoding_is_found(encoding: str) -> None:
    html = f'<meta charset="{encoding}"><p>Однажды, в студеную зимнюю пору, я из лесу вышел; был сильный мороз.'
    assert "студеную" in extract(html.encode(encoding)).text


def test_comments_and_entities_and_broken_markup() -> None:
    assert extract("a<!-- no -->b &lt;c&gt; &amp; <b>d<p>e</b></i>").text == "ab <c> & d\n\ne\n"


_PIECES = [
    *("<p>", "<td>", "<tr>", "<table>", "<li>", "<ul>", "<h1>", "</h1>", "<pre>", "</p>", "</", "x", "y z", " "),
    *("\n", "&"),
]


@given(st.lists(st.sampled_from(_PIECES), max_size=40).map("".join))
def test_any_soup_gives_sound_offsets(html: str) -> None:
    outcome = outcome_of("html", html)
    if isinstance(outcome, Extraction):
        for heading in outcome.headings:
            assert outcome.text[heading.offset :].startswith(heading.title.split()[0])


def test_deep_nesting_is_no_recursion() -> None:
    assert extract("<div>" * 5_000 + "deep").text == "deep\n"


def test_terms_with_definitions_are_entries_and_the_text_after_them_is_not() -> None:
    page = extract(
        "<h1>Boats</h1><p>Kinds.</p><dl><dt>Sloop</dt><dd><p>One mast with a mainsail and a jib before it.</p>"
        "<dl><dt>Cutter</dt><dd>A sloop whose mast stands further aft than most.</dd></dl><p>Sloops are fast.</p></dd>"
        "<dt>Yawl</dt><a id='d'></a><dt>Dandy</dt><a id='w'> </a>"
        "<dd>A second, small mast stands abaft of the rudder.</dd></dl><p>So much.</p>"
        "<dl><dt>Author:</dt><dd>Somebody who has seen every kind of boat there is.</dd><dt>Year</dt><dd>1911</dd></dl>"
    )
    assert [(h.level, h.title, page.text[h.offset :].split("\n")[0]) for h in page.headings] == [
        *((1, "Boats", "Boats"), (ENTRY, "Sloop", "Sloop"), (ENTRY + 1, "Cutter", "Cutter")),
        *((ENTRY, "Sloop", "Sloops are fast."), (ENTRY, "Yawl – Dandy", "Yawl"), (1, "Boats", "So much.")),
    ]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<pre><code>tie(\n  knot)\n</code></pre>", "```\ntie(\n  knot)\n```\n"),
        ('<div class="highlight"><pre>tie()</pre></div>', "```\ntie()\n```\n"),
        ('<div class="codeblock"><pre>tie it</pre></div>', "```\ntie it\n```\n"),
        ("<pre>-- a knot\ntie(rope)\nin haste</pre>", "```\n-- a knot\ntie(rope)\nin haste\n```\n"),
        ("<pre>Dear friend,\n  the tide is out.</pre>", "Dear friend,\n  the tide is out.\n"),
        ("<pre><code>a ``` b</code></pre>", "a ``` b\n"),
        ("<ul><li><pre><code>tie()</code></pre></li></ul>", "- tie()\n"),
        ("<p>a</p><pre><code>  </code></pre><p>b</p>", "a\n\n  \n\nb\n"),
    ],
)
def test_code_is_fenced_and_a_letter_is_not(markup: str, text: str) -> None:
    assert extract(markup).text == text


_SECTIONS = "<h1>Boats</h1>{}<h2 id='a'>1. Sloops</h2><p>One mast.</p><h2 id='b'>2. <i>Yawls</i></h2><p>Two.</p>"
_READ = "Boats\n\n1. Sloops\n\nOne mast.\n\n2. Yawls\n\nTwo.\n"


@pytest.mark.parametrize(
    "contents",
    [
        "<ul><li><a href='#a'>Sloops</a></li><li><a href='#b'>Yawls</a></li></ul>",
        "<ol><li>1. <a href='p.html#a'>Sloops</a><ol><li>2. <a href='p.html#b'>Yawls</a></ol></ol>",
        "<div><p>Contents</p><dl><dt><a href='#a'>1. Sloops</a><dd><dl><dt><a href='#b'>2. Yawls</a></dl></dl></div>",
        "<div><a onclick='x()'>► Contents</a><div><p><a href='#a'>Sloops</a><p><a href='#b'>2. Yawls</a></div></div>",
        "<p><b>On this page</b></p><table><tr><td><a href='#a'>Sloops</a><td><a href='#b'>Yawls</a></table>",
    ],
)
def test_what_a_page_says_of_its_own_headings_is_left_out(contents: str) -> None:
    assert extract(_SECTIONS.format(contents)).text == _READ


def test_a_menu_before_the_first_heading_is_left_out() -> None:
    menu = (
        "<div><ul>"
        + "".join(f"<li><a href='{name}'>{name}</a>" for name in ("Home", "News", "Help", "Shop"))
        + "</ul></div>"
    )
    assert extract(menu + _SECTIONS.format("")).text == _READ
    assert extract(menu + "<p>Boats sail.</p>").text.startswith("- Home")
    assert extract(_SECTIONS.format(menu)).text != _READ


NAVBAR = (
    '<div class="t-navbar"><div><a href="a">Winches</a> (1842)</div>'
    '<table><tr><td><a href="b">Ropes</a></td></tr></table>'
    "</div>"
)
SAYS = "It pulls boats up the slip, with a rope of hemp, as long as nobody stands in the way of its drum."


@pytest.mark.parametrize(
    ("frame", "kept"),
    [
        (NAVBAR, ""),
        ('<ul id="breadcrumb"><li><a href="a">Harbour</a></li><li><a href="b">Slip</a></li></ul>', ""),
        ('<div id="siteSub">From the harbour wiki</div>', ""),
        ('<p class="navigable">See <a href="a">ropes</a>, <a href="b">drums</a>.</p>', "See ropes, drums.\n\n"),
        (
            '<div class="sidebar"><p>A drum is oiled: see <a href="a">oil</a>.</p></div>',
            "A drum is oiled: see oil.\n\n",
        ),
    ],
)
def test_what_is_called_navigation_and_only_links_is_left_out(frame: str, kept: str) -> None:
    assert extract(f"<body><h1>The winch</h1>{frame}<p>{SAYS}</p></body>").text == f"The winch\n\n{kept}{SAYS}\n"


def test_a_page_that_is_but_navigation_keeps_it() -> None:
    assert "Ropes" in extract(f"<body><h1>Contents</h1>{NAVBAR}</body>").text


def test_a_heading_is_read_without_the_link_to_itself() -> None:
    page = (
        _SECTIONS.format("")
        .replace("Sloops", "Sloops <a class='permalink' href='#a'>¶</a>")
        .replace("</i>", "</i><a href='#'>#</a>")
    )
    assert extract(page).text == _READ


@pytest.mark.parametrize(
    "frame",
    [
        (
            "<ul class='docnav'><li><a accesskey='p' href='p.html'><b>Prev</b>Dinghies</a><li>The Book of Boats"
            "<li><a accesskey='n' href='n.html'>Next</a></ul>"
        ),
        (
            "<div><p>Next: <a href='#n' rel='next'>Yachts</a>, Up: <a href='#u' rel='up'>Top</a> "
            "[<a href='#c'>Contents</a>][<a href='#i'>Index</a>]</p></div>"
        ),
        "<div><p><span>Languages:</span> <a href='en.html'>en</a> | <a hreflang='fr' href='fr.html'>fr</a></p></div>",
    ],
)
def test_links_to_the_pages_beside_one_are_left_out(frame: str) -> None:
    assert extract(frame + _SECTIONS.format("") + frame).text == _READ


def test_what_an_index_only_links_is_no_entry() -> None:
    links = "<a href='1.html'>The chapter about the sails of a boat</a>, <a href='2.html'>Ropes and what holds</a>"
    page = f"<h1>Index</h1><dl><dt>mast</dt><dd>{links}</dd><dt>oar</dt><dd>What moves a boat where {links}</dd></dl>"
    assert [heading.title for heading in extract(page).headings] == ["Index", "oar"]


def test_a_sentence_that_leads_to_the_next_page_is_kept() -> None:
    page = "<p>Where boats go, <a rel='next' href='n.html'>the next chapter</a> tells; and why they do it at all.</p>"
    assert extract(_SECTIONS.format(page)).text != _READ


def test_many_links_to_pages_beside_are_looked_at_once() -> None:
    """A long manual in one page: what holds them all is read once, not once a link."""
    section = "<div><p>Next: <a href='#n' rel='next'>More</a></p></div><p>Boats sail.</p>"
    page = LexborHTMLParser(f"<div>{section * 3000}</div>")
    read: list[int] = []
    original = page_links._only_leads

    def counted(element: LexborNode) -> bool:
        read.append(element.mem_id)
        return original(element)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_links, "_only_leads", counted)
        assert page.body is not None
        page_links.without_pages_beside(page.body)
    assert len(read) == len(set(read))
    assert "Next" not in page.body.text()


@pytest.mark.parametrize(
    "links",
    [
        "<p><a href='#a'>Sloops</a> and <a href='#b'>Yawls</a> sail.</p>",
        "<p><a href='#a'>Sloops</a></p>",
        "<ul><li><a href='#a'>Sloops</a></li><li><a href='#c'>Ketches</a></li></ul>",
        "<ul><li><a href='sloops.html'>Sloops</a></li><li><a href='yawls.html'>Yawls</a></li></ul>",
    ],
)
def test_links_that_say_more_are_kept(links: str) -> None:
    assert extract(_SECTIONS.format(links)).text != _READ


def test_a_deep_table_of_contents_costs_no_more_than_its_length() -> None:
    deep = "<div>" * 2_000 + "<a href='#a'>Sloops</a><a href='#b'>Yawls</a>" + "</div>" * 2_000
    assert "One mast." in extract(_SECTIONS.format(deep)).text


def test_what_only_links_is_a_list() -> None:
    text = extract(
        "<p>See</p><dl><dt><span><a href='s.html'>1. Sloops</a></span></dt><dd><dl><dt><a href='y.html'>1.1. Yawls</a>"
        "</dt></dl></dd></dl><div><a href='a'>Masts</a></div><div><a href='b'>Spars</a></div>"
        "<p><a href='c'>A link alone.</a></p><p>Text.</p>"
    ).text
    assert text == "See\n\n- 1. Sloops\n\n- 1.1. Yawls\n\n- Masts\n- Spars\n\nA link alone.\n\nText.\n"


_NORTH = "<tr><td rowspan=2>North<td>Gull<td>7<tr><td>Tern<td>8"


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        pytest.param(
            f"<tr><td>Pier<td>Ship<td>Fee{_NORTH}",
            ["Pier | Ship | Fee", "Pier: North | Ship: Gull | Fee: 7", "Pier: North | Ship: Tern | Fee: 8"],
            id="names in plain cells",
        ),
        pytest.param(
            "<tr><td>Ship<td colspan=2>Fee<tr><td>Ship<td>Day<td>Week<tr><td>Gull<td>7<td>30",
            ["Ship | Fee", "Ship | Day | Week", "Ship: Gull | Fee Day: 7 | Fee Week: 30"],
            id="names in two rows",
        ),
        pytest.param(
            "<tr><th>Owner<td>Ada<tr><th>Port:<td>Bay<tr><th>Flag<td>Norway",
            ["Owner | Ada", "Port: | Bay", "Flag | Norway"],
            id="labels with and without colons",
        ),
        pytest.param(
            "<tr><th>Owner<td>Ada<tr><th>Port<td>Bay<tr><th>Flag<td>Norway",
            ["Owner: Ada", "Port: Bay", "Flag: Norway"],
            id="a form",
        ),
        pytest.param(
            "<tr><td>Owner:<td>Ada<tr><td>Port:<td>Bay<tr><td>Flag:<td>Norway",
            ["Owner: Ada", "Port: Bay", "Flag: Norway"],
            id="labels with colons",
        ),
        pytest.param(
            "<tr><td>Home<td>News<tr><td><h2>Tides</h2><td>They rise.<tr><td>Ebb<td>9",
            ["Home | News", "Tides", "They rise.", "Ebb | 9"],
            id="a layout",
        ),
    ],
)
def test_a_table_says_what_its_cells_are_without_marked_names(rows: str, lines: list[str]) -> None:
    assert [line for line in extract(f"<table>{rows}</table>").text.splitlines() if line] == lines


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('10<span style="vertical-align: super">6</span>', "10⁶"),
        ('10<b style="position: relative; top: -0.4em">6</b>', "10⁶"),
        ('H<i style="vertical-align:-.3em">2</i>O', "H₂O"),
        ('<style>span.up, .hi { vertical-align: super }</style>10<span class="up">6</span>', "10⁶"),
        ('<style>.up { top: -0.4em }</style>10<span class="up">6</span>', "106"),
        ('<span style="vertical-align: 2px">7</span>', "7"),
    ],
)
def test_styles_raise_and_lower_digits(markup: str, text: str) -> None:
    assert extract(f"<p>{markup}</p>").text == f"{text}\n"
