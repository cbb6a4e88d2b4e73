"""Texts whose bytes say something else than people read: overstrike, NULs, two encodings, front matter, series."""

import pytest

from biblicus.contracts import Given, MediaHint
from biblicus.extraction import json
from biblicus.extraction import text as plain
from biblicus.extraction.kit import front_matter
from biblicus.extraction.kit.texts import Options, decoded
from biblicus.extraction.outline import build
from biblicus.models.extraction import Extraction
from biblicus.text import media
from biblicus.text.decoding import decode, is_binary
from biblicus.text.latex_letters import with_letters
from biblicus.text.media.format_names import format_name
from tests.extraction.office_files import extracted, text_of


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"H\bHA\bAR\bR", "HAR"),
        (b"_\bo_\bf no\b_te", "of note"),
        (b"B\bB\bB", "B"),
        (b"10\b5", "10\b5"),
        (b"\x1b[1mNAME\x1b[0m of \x1b[4;31mfile\x1b[K", "NAME of file"),
        (b"\x1b]0;shell\x07\x1b[?2004hname\x1b(B", "name"),
        (b"+\bo note", "• note"),
    ],
)
def test_overstruck_letters_are_read_once(raw: bytes, text: str) -> None:
    assert decoded(raw)[0] == text


def test_nuls_in_a_log_cost_no_words() -> None:
    raw = b"09:00 crane up\n\0\0\0\0\n09:05 limit switch jammed\n"
    assert not is_binary(raw)
    assert media.media_type("n.log", raw) == "text/plain"
    text, warnings = decoded(raw)
    assert "limit switch jammed" in text
    assert "\0" not in text
    assert warnings
    assert is_binary(b"\x01\0\0\0abc\0\0def\0\0ghi")
    western = "Kran läuft\nSchleuse klemmt für immer\n".encode("cp1252")
    assert decoded(western.replace(b"\n", b"\n\0\0"))[0] == "Kran läuft\n?Schleuse klemmt für immer\n?"


@pytest.mark.parametrize(
    ("lines", "other"),
    [
        ("Neu: Gebühr für Möwen\nAlt: Gebühr für Fähren\n", "latin-1"),
        ("Neu: Gebühr für Möwen\nAlt: Gebühr für Fähren\n", "mac_roman"),
        ("Журнал: причал открыт.\nПлата за причал составляет 35 рублей.\n", "cp1251"),
        ("Журнал: причал открыт.\nПлата за причал составляет 35 рублей.\n", "koi8-r"),
        ("Журнал: причал открыт.\nПлата за причал составляет 35 рублей.\n", "cp866"),
        ("Dziennik: łódź płynie.\nOpłata za łódź wynosi 35 złotych.\n", "iso8859-2"),
        ("Günlük: vinç çalışıyor.\nTekne ücreti günde 35 liradır.\n", "iso8859-9"),
        ("Το ημερολόγιο.\nΤο τέλος είναι 35 δραχμές.\n", "iso8859-7"),
    ],
)
def test_lines_in_two_encodings_are_both_read(lines: str, other: str) -> None:
    first, second = lines.splitlines(keepends=True)
    assert decode(first.encode() + b"down\n" + second.encode(other)).text == f"{first}down\n{second}"


@pytest.mark.parametrize(
    "text",
    [
        '+++\ntitle = "Tides"\ndate = 2026-03-02\ntags = ["moon"]\n+++\nThey rise.\n',
        '+++\ntitle = "Tides"\ndate = 2026-03-02\n[taxonomies]\ntags = ["moon"]\n+++\nThey rise.\n',
        '{\n  "title": "Tides",\n  "date": "2026-03-02",\n  "tags": ["moon"]\n}\n\nThey rise.\n',
    ],
)
def test_front_matter_in_toml_and_json_is_read(text: str) -> None:
    found = front_matter.read(text)
    wanted = {"title": "Tides", "date": "2026-03-02", "tags": ["moon"]}
    assert {key: found.metadata[key] for key in wanted} == wanted
    assert text[found.masked[0].end :].strip() == "They rise."


@pytest.mark.parametrize(
    ("name", "body", "shown"),
    [
        ("html", "<!DOCTYPE html><p>They rise.</p>", "They rise.\n"),
        ("asciidoc", "= Ebb\n\nThey rise.\n", "# Ebb\n\nThey rise.\n"),
        ("rst", "Ebb\n===\n\nThey rise.\n", "Ebb\n===\n\nThey rise.\n"),
    ],
)
def test_front_matter_of_other_markup_is_read_and_lines_stay(name: str, body: str, shown: str) -> None:
    front = "---\ntitle: Tides\ntags: [moon]\n---\n"
    found = extracted(name, (front + body).encode())
    assert isinstance(found, Extraction)
    assert found.metadata == {"title": "Tides", "tags": ["moon"]}
    assert found.text.removeprefix(front).lstrip(" \n") == shown
    assert name == "html" or found.text.count("\n") == (front + body).count("\n")


@pytest.mark.parametrize("name", ["html", "asciidoc", "rst", "org", "wiki", "markdown"])
@pytest.mark.parametrize("front", ["---\ntitle: Pay\nreaders: [ben\n---\n", "---\nreaders: [ben]\n"])
def test_readers_in_front_matter_that_cannot_be_read_are_unreadable(name: str, front: str) -> None:
    found = extracted(name, f"{front}<title>Pay</title><meta name=author content=Ada>They rise.\n".encode())
    assert isinstance(found, Extraction)
    assert found.metadata["readers"] is None


def test_an_object_that_is_the_whole_text_is_no_front_matter() -> None:
    assert front_matter.read('{\n"title": "x"\n}\n').masked == ()
    assert front_matter.read('{\n"port": 1\n}\ntext\n').masked == ()


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"Stra{\ss}e", "Straße"),
        (r"Geb\"uhr", "Gebühr"),
        (r"na\"{\i}ve", "naïve"),
        (r"\o re", "øre"),
        (r'\usepackage[ngerman]{babel} Stra"se', r"\usepackage[ngerman]{babel} Straße"),
        (r'\usepackage[ngerman]{babel} an "active" "--"', r'\usepackage[ngerman]{babel} an "active" "--"'),
        (r'\emph{a} "so"', r'\emph{a} "so"'),
        (r"P\v{r}\'\i stav", "Přístav"),
        (r"\lor", r"\lor"),
        (r"Hafen\-geb\"uhr", "Hafengebühr"),
    ],
)
def test_letters_of_latex(written: str, shown: str) -> None:
    assert with_letters(written) == shown


@pytest.mark.parametrize(
    ("name", "raw", "shown"),
    [
        ("a.json", rb'{"a": "Geb\u00fchr \u2693\n\ud83d\ude80"}', '{"a": "Gebühr ⚓\\n🚀"}'),
        ("a.jsonl", rb'{"a": "\u0022 \\u00fc \u00ad \ud83d"}', r'{"a": "\u0022 \\u00fc \u00ad \ud83d"}'),
        ("a.properties", rb"a=Gr\u00f6\u00dfe", "a=Größe"),
        ("a.tex", rb"Die Geb\"uhr f\"ur \L{}\'od\'z", "Die Gebühr für Łódź"),
    ],
)
def test_escaped_letters_are_shown(name: str, raw: bytes, shown: str) -> None:
    kind = media.media_type(name, raw)
    extractor = {"a.json": json.build, "a.tex": build}.get(name, plain.build)(Options(), Given())
    outcome = extractor.extract(raw, MediaHint(name, kind))
    assert isinstance(outcome, Extraction)
    assert outcome.text == shown


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("wiki", "The fee is <s>40</s> 55."),
        ("asciidoc", "The fee is [line-through]#40# 55."),
        ("xml", "<article><para>The fee is <emphasis role='strikethrough'>40</emphasis> 55.</para></article>"),
        ("xml", "<TEI><p>The fee is <hi rend='strikethrough'>40</hi> 55.</p></TEI>"),
    ],
)
def test_struck_words_of_markup_are_left_out(name: str, source: str) -> None:
    assert " ".join(text_of(name, source.encode()).split()) == "The fee is 55."


def test_headers_without_a_charset_are_decoded_together() -> None:
    raw = "From: Иван <i@e.org>\nSubject: Причал закрыт\n\nBody.\n".encode("koi8-r")
    assert text_of("mail", raw).startswith("Причал закрыт\n\nFrom: Иван <i@e.org>")


def test_a_title_of_latex_has_its_letters() -> None:
    outcome = build(Options(), Given()).extract(
        rb"\title{Stra{\ss}en und Geb\"uhren}", MediaHint("a.tex", "text/x-tex")
    )
    assert isinstance(outcome, Extraction)
    assert outcome.title == "Straßen und Gebühren"


def test_a_series_says_what_it_leaves_out_and_what_stands_instead() -> None:
    event = "BEGIN:VEVENT\nSUMMARY:Watch\nDTSTART:{}\n{}END:VEVENT\n"
    series = event.format("20260302T090000", "RRULE:FREQ=WEEKLY;COUNT=4\nEXDATE:20260309T090000,20260323T090000\n")
    moved = event.format("20260316T140000", "RECURRENCE-ID:20260316T090000\n")
    text = text_of("icalendar", f"BEGIN:VCALENDAR\n{series}{moved}END:VCALENDAR\n".encode())
    assert "Not on: 2026-03-09 09:00, 2026-03-23 09:00" in text
    assert "Instead of: 2026-03-16 09:00" in text


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.pages", b"PK\x03\x04\x14\0\0\0Index/Document.iwa", "application/vnd.apple.pages"),
        ("a.hwp", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "application/x-hwp"),
        ("a.hwpx", b"PK\x03\x04\x14\0\0\0mimetype", "application/x-hwp"),
        ("a.wpd", b"\xffWPC\x10\0\0\0", "application/vnd.wordperfect"),
        ("a.psd", b"8BPS\0\1\0\0", "image/vnd.adobe.photoshop"),
        ("mail", b"!BDN\x9f\1\0\0", "application/vnd.ms-outlook-pst"),
        ("plan.dwg", b"AC1032\0\0\0", "image/vnd.dwg"),
        ("a.xps", b"PK\x03\x04\x14\0", "application/vnd.ms-xpsdocument"),
        ("a.ai", b"%!PS-Adobe-3.0\n%%Creator: Adobe Illustrator", "application/postscript"),
        ("a.indd", b"\x06\x06\xed\xf5\xd8\x1d\x46\xe5", "application/x-indesign"),
        ("a.sketch", b"PK\x03\x04\x14\0", "application/vnd.sketch"),
        ("a.blend", b"BLENDER-v300REND\0\0", "application/x-blender"),
        ("a.mdb", b"\0\1\0\0Standard Jet DB\0", "application/vnd.ms-access"),
        ("a.one", b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d", "application/onenote"),
        ("a.pub", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "application/x-mspublisher"),
        ("a.dxf", b"  0\nSECTION\n  2\nHEADER\n", "image/vnd.dxf"),
        ("notes.txt", b"AC10 is a code, BLENDER a mixer\n", "text/plain"),
        ("id.pub", b"ssh-ed25519 AAAA ada\n", "text/plain"),
        ("key.key", b"-----BEGIN KEY-----\n", "text/plain"),
    ],
)
def test_formats_that_are_not_read_have_names(name: str, head: bytes, kind: str) -> None:
    assert media.media_type(name, head) == kind
    assert kind == "text/plain" or format_name(kind) != kind


_UNMOVED = "`x<sup>2</sup>` HEAD~1~2 ~~a 2~~ the 1<sup>st</sup>"
_LATEX = "\\begin{{table}}\\begin{{tabular}}{{lr}}Gull & 35\\end{{tabular}}\\caption{{{}}}\\end{{table}}"
_JATS = "<table-wrap><caption><p>{}</p></caption><table><tr><td>Gull</td><td>35</td></tr></table></table-wrap>"
_FEES = "Everybody pays.\n\n{}\n\n{}\n\nAfter the tables.\n"


@pytest.mark.parametrize(
    ("name", "section", "table"),
    [
        ("html", "<h2>Charges</h2>", "<table><caption>{}</caption><tr><td>Gull<td>35<tr><td>Tern<td>42</table>"),
        ("html", "<h2>Charges</h2>", "<figure><table><tr><td>Gull<td>35</table><figcaption>{}</figcaption></figure>"),
        ("html", "<h2>Charges</h2>", "<figure><pre>fee = 35</pre><figcaption>{}</figcaption></figure>"),
        ("xml", "<sec><title>Charges</title>", _JATS),
        ("rst", "Charges\n=======\n", ".. table:: {}\n\n   ==== =====\n   Gull Thirty-five marks, in advance"),
        ("outline", "\\section{{Charges}}", _LATEX),
        ("asciidoc", "== Charges\n", ".{}\n[cols=2]\n|===\n|Gull |35\n|==="),
        ("org", "* Charges", "#+CAPTION: {}\n#+NAME: t\n| Gull | 35 |"),
        ("markdown", "# Charges", "| Gull | 35 |\n|------|---:|\n| Tern | 42 |\n\n: {}"),
        ("wiki", "== Charges ==", "{{|\n|+ class=a | {}\n| Gull || 35\n|}}"),
    ],
)
def test_rows_of_a_table_are_under_its_caption(name: str, section: str, table: str) -> None:
    source = _FEES.format(table.format("Winter berths"), table.format("Summer berths"))
    end = "</sec>" if name == "xml" else ""
    found = extracted(name, (section.replace("{{", "{").replace("}}", "}") + "\n" + source + end).encode())
    assert isinstance(found, Extraction)
    shown = [(heading.title, found.text[heading.offset :].lstrip()[:5]) for heading in found.headings]
    after = ("Charges", "After")
    names = [title for title, _ in shown]
    assert [name for name in names if "berths" in name] == ["Winter berths", "Summer berths"]
    assert shown[0][0] == "Charges"
    assert shown[-1] == after
    levels = {heading.title: heading.level for heading in found.headings}
    assert levels["Summer berths"] == levels["Winter berths"] > levels["Charges"]


@pytest.mark.parametrize(
    ("style", "body", "shown"),
    [
        (".pre{display:none}", "<p class='a pre'>Teaser</p><p>Fee 35, in advance.</p>", "Fee 35, in advance.\n"),
        ("#pre{visibility:hidden}", "<p id=pre>Teaser</p><p>Fee 35 in advance.</p>", "Fee 35 in advance.\n"),
        ("@media print{p{display:none}.a{display:none}}", "<p class=a>Fee 35.</p>", "Fee 35.\n"),
        (".tab{display:none}.tab.on{display:block}", "<p class=tab>A.</p><p>B at last.</p>", "A.\n\nB at last.\n"),
        (".old{text-decoration: line-through}", "<p>Fee <b class=old>40</b> 55.</p>", "Fee 55.\n"),
        ("p.all{display:none}", "<p class=all>Fee 35.</p>", "Fee 35.\n"),
        (".pre { display: none }", "<p class=pre>Teaser</p><p>Fee 35 in advance.</p>", "Fee 35 in advance.\n"),
        (".a{display:none}", "<p class=a style='display: block'>A.</p><p>B at last.</p>", "A.\n\nB at last.\n"),
        ("</style><style media=print>.a{display:none}", "<p class=a>A.</p><p>B at last.</p>", "A.\n\nB at last.\n"),
        (".a{display:none}", "<p class=a>Fee 35.</p><script>let b = 'much longer'</script>", "Fee 35.\n"),
        (".a{display:none}", "<p class=a>A.</p><p>B at last.</p><script src=a.js></script>", "A.\n\nB at last.\n"),
        (
            ".a{display:none}.b{display:none}",
            "<div class=a><p class=b>Teaser</p></div><p>Fee 35.</p>",
            "Fee 35.\n",
        ),
    ],
)
def test_words_that_the_style_sheet_of_a_page_hides_are_no_text(style: str, body: str, shown: str) -> None:
    assert text_of("html", f"<style>/* a */ h1{{color:red}} {style}</style>{body}".encode()) == shown


@pytest.mark.parametrize(
    ("kind", "written", "shown"),
    [
        ("markdown", "10<sup>6</sup> l, 1<sup>1</sup>/<sub>2</sub>, H~2~O, 10^-3^", "10⁶ l, 1 1/2, H₂O, 10⁻³"),
        ("markdown", _UNMOVED, _UNMOVED),
        ("x-rst", r"H\ :sub:`2`\ O, 10 :sup:`6`", "H₂O, 10 ⁶"),
        ("x-wiki", "10<sup>6</sup> and H<sub>2</sub>O", "10⁶ and H₂O"),
        ("x-tex", r"10\textsuperscript{6}, H$_2$O, 10$^{-3}$, Fig.~2~a", "10⁶, H₂O, 10⁻³, Fig.~2~a"),
    ],
)
def test_raised_digits_of_markup(kind: str, written: str, shown: str) -> None:
    assert decoded(written.encode(), f"text/{kind}")[0] == shown
