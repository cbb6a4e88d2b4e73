"""Documents written in XML: what each element becomes, and what makes a document plain text."""

from functools import partial

import pytest

from biblicus.guards import xml
from biblicus.models.extraction import CAPTION, ENTRY
from biblicus.text import headings, media
from tests.extraction import reading

DOCBOOK = (
    b'<?xml version="1.0"?>\n<!-- <!DOCTYPE old [ -->\n'
    b'<!DOCTYPE refentry PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "x.dtd"'
)
WINCH = """<info><author><personname><firstname>Ada</firstname><surname>Stone</surname></personname></author>
<date>2020-01-02</date></info>
<refmeta><refentrytitle>winch</refentrytitle><manvolnum>1</manvolnum></refmeta>
<refnamediv><refname>winch</refname><refname>crab</refname><refpurpose>pull a rope</refpurpose></refnamediv>
<refsynopsisdiv><cmdsynopsis><command>winch</command><arg>-s <replaceable>N</replaceable></arg>
<arg choice="req" rep="repeat">ROPE</arg><group><arg>--up</arg><arg>--down</arg></group></cmdsynopsis></refsynopsisdiv>
<refsect1 xml:id="o"><title>Options<indexterm><primary>flags</primary></indexterm></title><variablelist><varlistentry>
<term><option>--slow</option></term><listitem><para>Turns slowly, which spares the rope and the winch.</para>
</listitem></varlistentry></variablelist><note><title>Beware</title><para>See <xref linkend="o"/> and
<xref linkend="sails"/>.<footnote><para>Or ask.</para></footnote></para></note>
<table><title>Speeds</title><tgroup cols="2"><thead><row><entry>Gear</entry><entry>Speed</entry></row></thead><tbody>
<row><entry>low</entry><entry><para>3 m</para></entry></row></tbody></tgroup></table><programlisting>winch -s 3 \\
  rope &lt; list</programlisting>
<mediaobject><imageobject/><textobject><phrase>A winch</phrase></textobject></mediaobject>
</refsect1>"""


read = partial(reading.read, "xml")


def test_docbook_is_read_as_its_page() -> None:
    outcome = read(f'<refentry xmlns="http://docbook.org/ns/docbook" xml:lang="en">{WINCH}</refentry>')
    assert outcome.text == (
        "winch\n\nwinch, crab — pull a rope\n\nSynopsis\n\n```\nwinch [-s N] {ROPE}... [--up | --down]\n```\n\n"
        "Options\n\n--slow\nTurns slowly, which spares the rope and the winch.\n\nBeware\n\n"
        "See Options and sails. (Or ask.)\n\nSpeeds\nGear | Speed\nGear: low | Speed: 3 m\n\n"
        "```\nwinch -s 3 \\\n  rope < list\n```\n\nA winch.\n"
    )
    assert reading.outline(outcome) == [
        (1, "winch"), (2, "Synopsis"), (2, "Options"), (ENTRY, "--slow"), (2, "Options"),
        (CAPTION, "Speeds"), (2, "Options"),
    ]  # fmt: skip
    assert (outcome.title, outcome.language) == ("winch", "en")
    assert outcome.metadata == {"author": "Ada Stone", "date": "2020-01-02"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(
            "<sect1><title>A</title><para>One.</para></sect1>\n<sect1><title>B</title><para>Two.</para></sect1>",
            "A\n\nOne.\n\nB\n\nTwo.\n",
            id="a file that others include",
        ),
        pytest.param(
            "<!DOCTYPE book [<!ENTITY % more \"xmlns:xi CDATA #FIXED 'x'\">]><book><title>A</title>"
            '<xi:include href="b.xml"/><para>One.</para></book>',
            "A\n\nOne.\n",
            id="a prefix that only its document type binds",
        ),
        pytest.param(
            "<chapter><title>A</title><para>The &app; &mdash; 3 &lt; 4<![CDATA[ &app;]]></para></chapter>",
            "A\n\nThe app — 3 < 4 &app;\n",
            id="entities that nobody declares",
        ),
        pytest.param(
            '<!DOCTYPE a [<!ENTITY b "bo&amp;y"><!ENTITY c "&b;s"><!ENTITY d SYSTEM "d">]><a><para>&c;&d;</para></a>',
            "bo&ys\n",
            id="entities that it declares",
        ),
        pytest.param(
            "<topic><title>A</title><body><dl><dlentry><dt>davit</dt><dd>A crane for boats.</dd></dlentry></dl>"
            "</body></topic>",
            "A\n\ndavit\nA crane for boats.\n",
            id="a list of terms",
        ),
        pytest.param(
            "<page><title>A</title><steps><item><p>Open it.</p></item><item><p>Shut it.</p></item></steps></page>",
            "A\n\n1. Open it.\n2. Shut it.\n",
            id="steps",
        ),
        pytest.param(
            "<article><body><sec><title>A</title><fig><label>Figure 1.</label><caption><title>The tank.</title>"
            "<p>Ropes.</p></caption></fig></sec></body></article>",
            "A\n\nFigure 1. The tank. Ropes.\n",
            id="a figure",
        ),
        pytest.param(
            "<page><list><item>Press OK<p>Then wait.</p></item><item><p>alpha</p>tail</item></list></page>",
            "- Press OK Then wait.\n- alpha tail\n",
            id="words beside paragraphs",
        ),
        pytest.param(
            "<chapter><para>One.<footnote><para>Two.</para><para>Three.</para></footnote></para></chapter>",
            "One. (Two. Three.)\n",
            id="a note of two paragraphs",
        ),
        pytest.param(
            "<TEI><text><front><div><head>A</head><lg><l>Row,</l><l>row.</l></lg></div></front></text></TEI>",
            "A\n\nRow,\nrow.\n",
            id="a poem",
        ),
    ],
)
def test_what_elements_become(text: str, words: str) -> None:
    assert read(text).text == words


BOOK = """<?xml version="1.0"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info><author><first-name>Ада</first-name>
<last-name>Мёллер</last-name></author><book-title>О приливах</book-title><lang>ru</lang></title-info></description>
<body><section><title><p>Луна</p></title><p>Луна <emphasis>тянет</emphasis> море<a type="note">[1]</a>.</p></section>
<section><title><p>Мол</p></title><section><title><p>Длина</p></title><p>300 м.</p>
<image alt="План мола"/><poem><stanza><v>Раз</v><v>Два</v>
</stanza><date>1907</date></poem></section></section></body><body name="notes"><section><title><p>1</p></title>
<p>Весной.</p></section></body><binary id="a.png">AAAA</binary></FictionBook>"""


def test_a_fictionbook_is_read_by_its_sections() -> None:
    outcome = read(BOOK)
    assert outcome.text == (
        "О приливах\n\nЛуна\n\nЛуна тянет море[1].\n\nМол\n\nДлина\n\n300 м.\n\nРаз\nДва\n1907\n\n1\n\nВесной.\n"
    )
    assert reading.outline(outcome) == [(1, "О приливах"), (2, "Луна"), (2, "Мол"), (3, "Длина"), (2, "1")]
    assert (outcome.title, outcome.language, outcome.metadata) == ("О приливах", "ru", {"author": "Ада Мёллер"})


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("<refentry><refnamediv><refname>A</refname><refname>B</refname></refnamediv></refentry>", "A"),
        ("<book xmlns='x' xmlns:xi='i'><bookinfo><title>A</title></bookinfo><xi:include/></book>", "A"),
    ],
)
def test_a_document_is_called_by_its_title_or_its_first_name(text: str, title: str) -> None:
    assert read(text.replace("/></book>", "/><para>One.</para></book>")).title == title


@pytest.mark.parametrize("text", ["<chapter><para>One</chapter>", "<chapter>" + "<section>" * 200])
def test_a_broken_document_is_plain_text_and_says_so(text: str) -> None:
    outcome = read(text)
    assert outcome.text == text
    assert "is read as plain text" in outcome.warnings[0]


def test_entities_that_make_a_document_much_longer_are_refused() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY a "' + "x" * 1000 + '"><!ENTITY b "' + "&a;" * 100 + '">]><a>' + "&b;" * 50 + "</a>"
    with pytest.raises(xml.XmlRefused, match="much longer"):
        xml.with_texts_of_entities(bomb)


@pytest.mark.parametrize(
    ("name", "head", "media_type"),
    [
        ("a.xml", DOCBOOK + b" [" + b"<!ENTITY x 'y'>" * 500, "application/docbook+xml"),
        ("a.xml", DOCBOOK + b"><refentry>", "application/docbook+xml"),
        ("a.xml", b"<sect1><title>A</title><para>One.</para></sect1>", "application/docbook+xml"),
        ("a.page", b'<page xmlns="http://projectmallard.org/1.0/">', "application/x-mallard+xml"),
        ("a.xml", b'<!DOCTYPE task PUBLIC "-//OASIS//DTD DITA Task//EN" "task.dtd"><task>', "application/dita+xml"),
        ("a.xml", b'<article article-type="research-article">', "application/jats+xml"),
        ("a.nxml", b"<article>", "application/jats+xml"),
        ("a.fb2", b"<FictionBook>", "application/x-fictionbook+xml"),
        ("a.xml", b'<TEI xmlns="http://www.tei-c.org/ns/1.0">', "application/tei+xml"),
        ("pom.xml", b"<project><artifactId>a</artifactId></project>", "application/xml"),
        ("a.xml", b"<section><name>A</name></section>", "application/xml"),
        ("a.page", b"<page>A</page>", "text/plain"),
    ],
)
def test_they_are_known_by_their_beginning(name: str, head: bytes, media_type: str) -> None:
    assert media.media_type(name, head[:8192]) == media_type


def test_what_is_read_as_a_page_is_known_as_one() -> None:
    assert {media.choose(name) for name in headings.PAGES} == {"html", "mhtml", "xml"}
