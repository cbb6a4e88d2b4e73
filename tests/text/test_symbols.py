"""Names of definitions as terms of their own."""

import pytest

from biblicus.text.symbols import asked, spelled_out, terms


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        ("@a\ndef get(self):\n    pass", True),
        ("async def get (x): pass", True),
        ("class get: pass", True),
        ("x = get(1)", False),
        ("def get_all(): return get()", False),
        ("def forget(): pass", False),
        ("  public static int get(int a) {", True),
        ("  return get(a);", False),
        ("  get(a);", False),
        ("  get(a) {", True),
        ("func (c *Client) get(path string) error {", True),
        ("", False),
    ],
)
def test_a_chunk_has_terms_for_what_it_defines(text: str, defines: bool) -> None:
    assert len(terms("client.Client.get", text)) == (3 if defines else 0)
    assert terms(None, text) == ()


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What does Client.get return?", "Client.get"),
        ("why `get`?", "get"),
        ("where is get() called", "get"),
        ("use of parse_query here", "parse_query"),
        ("use of _private here", "_private"),
        ("use of readTideGauge here", "readTideGauge"),
        ("use of HttpClient here", "HttpClient"),
        ("std::vector", "std.vector"),
    ],
)
def test_names_in_a_question_are_told(question: str, name: str) -> None:
    parts = name.split(".")
    wanted = terms(f"m.{name}", f"def {parts[-1]}(): pass")
    assert [set(found) & set(wanted) for found in asked(question, [])] == [set(wanted[: len(parts)])]


@pytest.mark.parametrize(
    "question", ["How do I print a table?", "What is BM25, e.g. in U.S. law?", "the well-known 3.5"]
)
def test_words_are_no_names(question: str) -> None:
    every = {term for found in asked(question, []) for term in found}
    assert not every & set(terms("print", "def print(): pass") + terms("BM25", "def BM25(): pass"))


def test_words_together_make_a_name() -> None:
    assert terms("readGauge", "def readGauge()")[0] in spelled_out(["read", "gauge()"])
    assert terms("read_gauge", "def read_gauge()")[0] in spelled_out(["read", "gauge"])
    assert spelled_out(["read", "3.5"]) == ()


@pytest.mark.parametrize("unit", ["a.", "_", "`", "aB", "Aa", "a::", "()", "->"])
def test_hostile_questions_take_linear_time(unit: str) -> None:
    assert len(asked(unit * 50_000, [])) <= 16
