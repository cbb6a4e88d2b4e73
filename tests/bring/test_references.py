"""Bibliographies of all kinds, and of none."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.bring import references
from biblicus.bring.references import Reference, arxiv_of, arxivs_in, doi_of, dois_in
from biblicus.errors import BadData


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("doi:10.1000/ABC.1.", ["10.1000/abc.1"]),
        ("https://doi.org/10.1016/S0140-6736(20)30183-5)", ["10.1016/s0140-6736(20)30183-5"]),
        ("(10.1000/x), [10.1000/y].", ["10.1000/x", "10.1000/y"]),
        ("10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O", ["10.1002/(sici)1097-4571(199806)49:8"]),
        ("version 10.2/3 of 110.1000/x", []),
        ("10.1000/", []),
        ("10.1000/).", []),
    ],
)
def test_dois(text: str, found: list[str]) -> None:
    assert list(dois_in(text)) == found


@pytest.mark.parametrize(
    ("text", "bare", "found"),
    [
        ("arXiv:2401.01234v2 [cs.CL] 3 Jan 2024", False, "2401.01234"),
        ("https://arxiv.org/pdf/2401.01234v2.pdf", False, "2401.01234"),
        ("https://arxiv.org/abs/hep-th/9901001", False, "hep-th/9901001"),
        ("arXiv preprint arXiv:math.AG/0601001", False, "math.ag/0601001"),
        ("2401.01234v1", True, "2401.01234"),
        ("2401.01234", False, ""),
        ("arXiv:2401.0123456", False, ""),
        ("10.1000/2401.01234", True, ""),
    ],
)
def test_arxiv_ids(text: str, bare: bool, found: str) -> None:
    assert arxiv_of(text, bare=bare) == found


@given(st.text(alphabet="10./()[]arxiv:v-;, ", max_size=80))
def test_any_text_can_be_searched(text: str) -> None:
    assert all(doi.startswith("10.") for doi in dois_in(text))
    assert list(arxivs_in(text)) == list(arxivs_in(text))
    doi_of(text)


BIB = r"""
@comment{ignored} @preamble{"x"} @string{jt = "Journal of " # "Tides"}
Words between entries are no entries.
@Article{a1,
  title = {The {\"O}kologie of $x^2$ \& 50\% {T}ides --- ``quoted''},
  author = "Ada {Lovelace} and {The Harbour Group} and von Neumann, Jr., John and G{\"o}del, Kurt and others",
  journal = jt, year = "c. 1843", month = 10,
  file = {Full Text:files/0/a\:b.pdf:application/pdf;C\:\\Users\\ada\\x.pdf}}
@misc{b, title={B}, url={https://arxiv.org/abs/2401.01234v3}, date={2024-01-02/2024-03-04}}
@misc{c, doi={10.48550/arXiv.2402.00001}, editor={Bo}, file={papers/c.pdf}, ARCHIVEPREFIX={hal}, eprint={2401.99999}}
@misc{c, title={twice}}
@book{broken title={x}}
@misc{d, title="The " # {End}, year={MMXX}, note={a # b}}
"""


def test_bibtex() -> None:
    found, failed = references.bibtex_in(BIB)
    a1, b, c, d = found
    assert a1 == Reference(
        "a1",
        "article",
        "The Ökologie of $x^2$ & 50% Tides — “quoted”",
        ("Ada Lovelace", "The Harbour Group", "John von Neumann Jr.", "Kurt Gödel"),
        "1843-10",
        "Journal of Tides",
        files=("files/0/a:b.pdf", "C:/Users/ada/x.pdf"),
        line=4,
    )
    assert (b.arxiv, b.date) == ("2401.01234", "2024-01-02")
    assert (c.doi, c.arxiv, c.authors, c.files) == (
        "10.48550/arxiv.2402.00001",
        "2402.00001",
        ("Bo",),
        ("papers/c.pdf",),
    )
    assert (d.title, d.date) == ("The End", "")
    assert len(failed) == 2


def test_csl() -> None:
    text = """{"items": [
      {"id": "http://zotero.org/1", "citation-key": "a", "type": "book", "title": "T <i>x</i>", "DOI": "10.1/no",
       "author": [{"family": "Neumann", "given": "John", "non-dropping-particle": "von"}, 7, {"given": [7]}],
       "issued": {"date-parts": [["1950", 2]]}, "note": "arXiv: 2401.01234",
       "attachments": [{"path": "C:\\\\x\\\\y.pdf"}]},
      {"id": 7, "issued": {"raw": "2020-01 or so"}, "URL": "https://doi.org/10.1000/x"},
      {"title": "no id", "issued": {"date-parts": [[1950, 99]]}}, "junk"]}"""
    found, failed = references.csl_in(text)
    a, seven, third = found
    assert (a.key, a.title, a.authors, a.date, a.doi, a.arxiv, a.files) == (
        "a", "T x", ("John von Neumann",), "1950-02", "", "2401.01234", ("C:/x/y.pdf",),
    )  # fmt: skip
    assert (seven.key, seven.date, seven.doi) == ("7", "2020-01", "10.1000/x")
    assert (third.key, third.date) == ("entry-3", "1950")
    assert [note.path for note in failed] == ["entry 4"]


@pytest.mark.parametrize("text", ["[", "{}", '{"items": 1}', "[" * 100_000, '[{"a": 1, "a": 2}]'])
def test_json_that_is_no_bibliography(text: str) -> None:
    with pytest.raises(BadData):
        references.csl_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "@article{a, title={" + "{" * 200_000,
        "@article{a, title={" * 20_000,
        "@" * 300_000,
        "@a{b," + "x=1," * 50_000 + "}",
        "@string{a=a}@article{k, title=a # a}",
        "@a{b, author={" + " and ".join(["A B"] * 50_000) + "}}",
        "@a{b, title={" + r"\frac{" * 9_000 + "}" * 9_000 + "}}",
        "@a{b, title={" + "$" * 50_000 + "}}",
        "@a{b, title={" + "\\" * 3_999 + "}}",
        "@a{b, title={\\input{/etc/passwd}}}",
        "@a{b, author={" + "," * 4_000 + "}}",
        "@a{b, file={" + ":" * 4_000 + "}}",
        "@a{b, file={" + "\\" * 3_999 + "}}",
        "@a{b, title={\x1b[2J\u202e}}",
    ],
)
def test_hostile_bibtex(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    began = time.process_time()
    found, _ = references.bibtex_in(text)
    assert time.process_time() - began < 5
    for reference in found:
        assert len(reference.authors) <= 500
        assert "root:" not in reference.title
        assert all(char.isprintable() for char in reference.title)
    assert capfd.readouterr() == ("", "")
