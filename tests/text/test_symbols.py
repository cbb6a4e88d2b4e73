"""Names of definitions as terms of their own."""

import pytest

from biblicus.text.terms import code_names, symbols
from biblicus.text.terms.code_names import terms
from biblicus.text.terms.symbols import Asked, alone, asked, exact
from tests.sampling import each


def named(question: str) -> list[Asked]:
    return asked(question, [], {})


def parts_of(names: list[Asked]) -> list[set[str]]:
    """Of each name the terms in any case of letters."""
    return [{name.whole, *name.parts} for name in names]


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
    assert len(terms("client.Client.get", text)) == (7 if defines else 0)
    assert terms(None, text) == ()


@pytest.mark.parametrize(
    ("text", "media_type", "is_told"),
    [
        ("/**\n * Gets it.\n */\nint x();", "text/x-java", True),
        ("/**\n * {@inheritDoc}\n */\nint x() {}", "text/x-java", False),
        ("/** @param a b */\nint x() {}", "text/x-java", False),
        ("// Override default methods\nint x() {}", "text/x-java", False),
        ("/// <summary>\n/// Fills it.\n/// </summary>\nint x() {}", "text/x-csharp", True),
        ("/// <inheritdoc />\nint x() {}", "text/x-csharp", False),
        ("/* Opens it. */\nint x(int a)\n{", "text/x-c", True),
        ("/// @brief opens it\nint x();", "text/x-c++", True),
        ("# Docks it.\ndef x\nend", "text/x-ruby", True),
        ('def x(\n    a):\n    """Docks it."""', "text/x-python", True),
        ("def x(a):\n    return a", "text/x-python", False),
        ("/** How many. */\nint x = 3;", "text/x-java", False),
    ],
)
def test_what_a_comment_tells_of_has_a_term_of_its_own(text: str, media_type: str, is_told: bool) -> None:
    told = asked("x()", [], {})[0].told
    assert ({*told} <= {*terms("a.x", text, True, media_type)}) is is_told


def test_a_constructor_is_not_what_its_class_is() -> None:
    name = asked("`Slip`", [], {})[0].whole
    assert name in terms("Slip.Slip", "public class Slip {", True, "text/x-java")
    assert name not in terms("Slip.Slip.Slip", "public Slip(int width) {", True, "text/x-java")
    assert name in terms("slip.Slip", "def Slip(width):", True, "text/x-python")


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
    assert parts_of(named(question)) == [set(wanted[: len(parts)])]
    assert named(question)[0].spelled in wanted


@pytest.mark.parametrize(
    "question", ["How do I print a table?", "What is BM25, e.g. in U.S. law?", "the well-known 3.5"]
)
def test_words_are_no_names(question: str) -> None:
    every = set().union(*parts_of(named(question)))
    assert not every & set(terms("print", "def print(): pass") + terms("BM25", "def BM25(): pass"))


def test_a_spelling_is_of_one_name_alone() -> None:
    upper, lower = terms("m.Source", "class Source:"), terms("m.source", "def source(): pass")
    (name,) = named("`Source`")
    assert name.whole in upper
    assert name.whole in lower
    assert name.spelled in upper
    assert name.spelled not in lower


@pytest.mark.parametrize("unit", ["a.", "_", "`", "aB", "Aa", "a::", "()", "->"])
def test_hostile_questions_take_linear_time(unit: str) -> None:
    assert len(named(unit * 50_000)) <= 16


@each(
    ("question", "name"),
    [
        ("--strict", "--strict"),
        ("What does --strict turn on?", "--strict"),
        ("When should I use `Winch.haul_in()`?", "Winch.haul_in"),
        ("why would I need HarbourMaster", "HarbourMaster"),
        ("How does the HTTP option work?", "HTTP"),
        ("how does mooring work", "mooring"),
        ("mooring", "mooring"),
        ("spring tides", "spring tides"),
        ("Wann brauche ich --strict?", "--strict"),
        ("¿Cómo funciona HarbourMaster?", "HarbourMaster"),
        ("Как работает HarbourMaster?", "HarbourMaster"),
        ("When should I use git log --oneline?", "git log --oneline"),
        ("How do I use --strict?", ""),
        ("What does MD013 check?", "MD013"),
        ("what does the no-tar rule forbid", "no-tar"),
        ("What does the keeper check?", ""),
        ("What does the by-law require?", ""),
        ("What does OSHA require?", ""),
        ("What does the TIMEOUT setting control?", "TIMEOUT"),
        ("what is a using declaration", ""),
        ("use case", ""),
        ("using HarbourMaster", ""),
        ("When is using HarbourMaster needed?", "HarbourMaster"),
        ("comment utiliser HarbourMaster", ""),
        ("Can --strict be turned off by a test?", ""),
        ("What is the mooring?", ""),
        ("When was the mooring?", ""),
        ("the depth of the harbour", ""),
        ("什么是浮标", ""),
        ("what is it", ""),
        ("", ""),
    ],
)
def test_the_one_name_that_a_question_asks_about(question: str, name: str) -> None:
    assert alone(question) == name


@pytest.mark.parametrize(
    ("text", "name", "spelled"),
    [
        ("use --no-strict, -v or Winch.haul_in", "", ["=--no-strict", "=-v", "=winch.haul_in"]),
        ("a well-known HarbourMaster", "", []),
        ("Value", "Value", ["=Value"]),
        ("value", "value", []),
    ],
)
def test_options_and_joined_names_are_terms_as_they_are_spelled(text: str, name: str, spelled: list[str]) -> None:
    assert exact(text, name) == spelled


@pytest.mark.parametrize(
    ("heading", "text", "is_one"),
    [
        ("schema.boats", 'CREATE TABLE "boats" (\n  id integer\n);', True),
        ("schema.boats", "ALTER TABLE boats ADD COLUMN id integer;", False),
        ("slip.Slip.Haul", "  rpc Haul(Boat) returns (Stone);", True),
        ("main.aws_slip.north", 'resource "aws_slip" "north" {', True),
        ("Makefile.haul", "haul: boats", True),
        ("Port.haul", "function(haul boat)", True),
        ("port.haul", "haul :: Boat -> Stone", True),
        ("port.haul", "// haul(boat) brings it up\nboat = 1", False),
    ],
)
def test_a_line_that_declares_a_name_defines_it(heading: str, text: str, is_one: bool) -> None:
    assert code_names.is_defined(heading, text) is is_one


def test_an_operation_of_an_api_is_a_name_as_it_is_spelled() -> None:
    assert "=GET /boats/{id}" in symbols.exact("What does GET /boats/{id} return?")


def test_a_target_is_called_as_what_it_makes_and_asked_for_as_a_target():
    text = "haul:\n\t@echo up\n"
    assert terms("Makefile.haul", text, True, "text/x-makefile") == terms("haul", text)[-1:] != ()
    assert len(terms("Makefile.haul", text, True, "text/x-python")) > 1
