"""Literature and family trees that are broken, odd or hostile."""

import pytest

from tests.extraction.reading import read
from tests.sampling import each

_BIB, _RIS = "text/x-bibtex", "application/x-research-info-systems"
_GED = "text/vnd.familysearch.gedcom"


@pytest.mark.parametrize(
    ("name", "media_type", "text"),
    [
        ("literature", _BIB, "% nothing yet"),
        ("literature", _RIS, "TY  - BOOK\nER  - \n"),
        ("literature", _RIS, "ordinary notes\n"),
        ("literature", "application/vnd.citationstyles.csl+json", '[{"id": "a", "type": "book"}, 7, {"author": [{}]'),
        ("genealogy", _GED, "0 HEAD\n1 SOUR nothing yet\n0 @F1@ FAM\n1 HUSB @I1@\n"),
    ],
)
def test_what_holds_nothing_of_its_kind_is_plain_text(name: str, media_type: str, text: str) -> None:
    assert read(name, text, media_type).text == text


@pytest.mark.parametrize(
    ("written", "reads"),
    [
        (r"{G{\"o}del, Kurt}", "Kurt Gödel"),
        (r"{\'Ecole, {\O}ystein and {\v{C}}apek, Karel}", "Øystein École, Karel Čapek"),
        ('"Ada Vik and Bo {von Stone}"', "Ada Vik, Bo von Stone"),
        (r"{A \{ B}", "A B"),
        (r"{Jos{\'{\i}} and {The \LaTeX{} Team}}", "Josí, The LaTeX Team"),
    ],
)
def test_names_are_read_as_the_characters_that_they_mean(written: str, reads: str) -> None:
    assert f"author: {reads}" in read("literature", f"@misc{{k, author = {written}, year = 1}}", _BIB).text


def test_an_entry_that_is_not_closed_hides_no_other() -> None:
    text = "@book{a, title = {Open\n" + "x" * 30_000 + "\n@book{b, title = {Closed}}"
    assert [heading.title for heading in read("literature", text, _BIB).headings][-1] == "Closed"


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ('@misc{a, month = "10~" # jan, year = 1999}', "a; year: 1999; month: 10 jan; kind: misc; key: a"),
        ("@misc{, title = {Anchors}}", "Anchors; kind: misc"),
        ("@misc{Roe 2001, title = {Ropes}}", "Ropes; kind: misc; key: Roe 2001"),
        ("@misc{title = {Ropes}}", "Ropes; kind: misc"),
        ("@misc{a, note = {Brass}}", "a; kind: misc; key: a\n\nBrass"),
        ("@book{a, title = {One {open}\n@book{b, title = {Two}}", "One open; kind: book; key: a"),
        (
            "@string{p = {Quay}}\n@book{b, title = {B}, publisher = p # { Press}}",
            "B; publisher: Quay Press; kind: book",
        ),
        ("@book{b, url = {http://a.example/~bo--x}}", "url: http://a.example/~bo--x"),
        ("@book{b, title = {B}, year = 19 99, isbn = 7}", "99, isbn = 7"),
        ("% On ships\n@comment{Kept by Bo}\n@book{b, title = {B}}", "On ships\n@comment{Kept by Bo}"),
        ("@book{b, title = {B}, review = {" + "good " * 90 + "}}", "B; kind: book; key: b\n\nreview: good good"),
    ],
)
def test_no_entry_and_no_field_is_lost(text: str, reads: str) -> None:
    assert reads in read("literature", text, _BIB).text


def test_the_title_of_an_entry_that_is_not_closed_is_cut_and_all_of_it_kept() -> None:
    outcome = read("literature", "@book{a, title = {Open " + "x" * 900 + "end", _BIB)
    assert [len(heading.title) for heading in outcome.headings] == [300]
    assert "xend" in outcome.text


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("ER  - \nAU  - Roe, Jane", "Tides; kind: CHAP\n\nauthor: Jane Roe"),
        ("AB  - The tide\nturns.\n", "The tide turns."),
        ("N1  - From Bo.\nN1  - Read.\n", "From Bo. Read."),
        ("BT  - Sea\nC7  - Box 4\nID  - roe\n", "Tides; in: Sea; C7: Box 4; kind: CHAP; key: roe"),
        ("PY  - 1999/05/02/summer\nSP  - e12\n", "pages: e12; year: 1999; date: 1999/05/02/summer"),
        ("ER  - \nKept by Ada\nTY  - BOOK\nTI  - Last\n", "Kept by Ada\n\nTides\n\nTides; kind: CHAP\n\nLast\n\nLast"),
    ],
)
def test_no_line_of_an_entry_is_lost(text: str, reads: str) -> None:
    assert reads in read("literature", f"TY  - CHAP\nTI  - Tides\n{text}", _RIS).text


@each(
    ("lines", "reads"),
    [
        ("1 DEAT Y", "Ann Roe died."),
        ("1 BIRT", ""),
        ("1 BIRT\n2 DATE @#DFRENCH R@ 3 VEND 4", "Ann Roe was born on 3 VEND 4."),
        ("1 BIRT\n2 DATE @#DJULIAN@ BEF MAR 1701", "Ann Roe was born before March 1701."),
        ("1 BIRT\n2 DATE GREGORIAN 1701", "Ann Roe was born in 1701."),
        ("1 WILL Y", ""),
        ("0 HEAD\n1 NOTE Gathered by Bo", "Gathered by Bo"),
        ("0 @F1@ FAM\n1 WIFE @I1@\n1 MARB\n2 DATE 1701", "Ann Roe\n\nMarriage banns of Ann Roe: in 1701."),
        ("1 BIRT\n2 DATE 1701", "Ann Roe was born in 1701."),
        ("1 EMIG\n2 DATE JUN 1926\n2 PLAC Oslo", "Ann Roe emigrated in June 1926, Oslo."),
        ("1 RESI\n2 DATE FROM 1801 TO 1809\n2 PLAC Keld", "Ann Roe lived from 1801 until 1809 in Keld."),
        (
            "1 BURI\n2 DATE (in a storm)\n2 CAUS Fever",
            "Ann Roe was buried (in a storm).\n\nCause: Fever",
        ),
        ("1 FACT Keeper of the light\n2 TYPE Office", "Office of Ann Roe: Keeper of the light."),
        ("1 OCCU Pilot\n2 DATE BET 1890 AND 1902", "Occupation of Ann Roe: Pilot between 1890 and 1902."),
        ("1 NOTE @N1@\n0 @N1@ NOTE Lost her\n1 CONT boat.", "Lost her\nboat."),
        ("1 FAMC @F9@\n1 FAMS @VOID@\n1 NOTE @N9@", ""),
        (
            "0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I1@\n0 @I2@ INDI\n1 NAME Bo",
            "Bo and Ann Roe\n\nPartners: Bo (husband) and Ann Roe (wife).",
        ),
        ("1 NOTE Kept\nthe light.", "Kept\nthe light."),
        ("1 BIRT\n2 NOTE Born at sea", "Ann Roe was born. Born at sea"),
        ("1 BIRT\n2 SOUR @S@\n3 PAGE folio 88\n2 DATE 1701", "Ann Roe was born in 1701.\n\nPage: folio 88"),
        ("1 OCCU Farmer\n2 NOTE Of sheep", "Occupation of Ann Roe: Farmer. Of sheep"),
        ("1 EVEN\n2 TYPE Knighted", "Event of Ann Roe: Knighted."),
        ("1 WILL\n2 DATE 1901\n2 PLAC Leith", "WILL of Ann Roe: in 1901 in Leith."),
        ("1 _MILT Served\n2 DATE 1900", "MILT of Ann Roe: Served in 1900."),
        ("0 @N@ NOTE A stray note", "A stray note"),
        ("0 @S@ SOUR\n1 TITL Rolls\n1 TEXT As Bo read it", "Rolls\n\nText: As Bo read it"),
        (
            "1 ASSO @I2@\n2 RELA godfather\n0 @I2@ INDI\n1 NAME Bo",
            "ASSO of Ann Roe: Bo.\n\nRelation: godfather",
        ),
        (
            "1 SEX F\n1 FAMS @F@\n0 @F@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 MARR\n1 EVEN Fled\n0 @I2@ INDI\n1 NAME Bo",
            "Ann Roe and Bo\n\nAnn Roe (wife) and Bo (wife) married.\n\nEvent of Ann Roe and Bo: Fled.",
        ),
    ],
)
def test_what_family_trees_tell_is_told_in_sentences(lines: str, reads: str) -> None:
    outcome = read("genealogy", f"0 HEAD\n0 @I1@ INDI\n1 NAME Ann /Roe/\n{lines}\n0 TRLR\n", _GED)
    text = outcome.text.removeprefix("Ann Roe").strip()
    assert reads in (text, text.split("\n\nBo")[0].strip(), text.removeprefix("Bo\n\n"))


_OF_MANY = range(600)


@pytest.mark.parametrize(
    ("shared", "lines"),
    [
        ("1 FAMS @F@", "0 @F@ FAM\n" + "".join(f"1 CHIL @I{at}@\n" for at in _OF_MANY)),
        ("1 FAMS @F@", "0 @F@ FAM\n" + "".join(f"1 HUSB @I{at}@\n1 MARR Y\n" for at in _OF_MANY)),
        ("1 FAMC @F@", "0 @F@ FAM\n" + "".join(f"1 WIFE @I{at}@\n1 CHIL @I{at}@\n" for at in _OF_MANY)),
        ("1 NOTE @N@", f"0 @N@ NOTE {'Lost at sea. ' * 2_000}\n"),
    ],
)
def test_what_many_share_in_a_family_tree_is_not_told_without_end(shared: str, lines: str) -> None:
    people = "".join(f"0 @I{at}@ INDI\n1 NAME Ann{at} /Roe/\n{shared}\n" for at in _OF_MANY)
    last = "0 @I@ INDI\n1 NAME Bo\n1 NOTE @O@\n1 FAMS @G@\n0 @G@ FAM\n1 HUSB @I@\n1 CHIL @I7@\n0 @O@ NOTE A lamp"
    text = f"0 HEAD\n{people}{lines}{last}"
    reads = read("genealogy", text, _GED).text
    assert len(reads) < 600_000
    assert "Child of Bo: Ann7 Roe." in reads
    assert "A lamp" in reads
