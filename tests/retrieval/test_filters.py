import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from biblicus.contracts import Call
from biblicus.models.question import Allow, Question
from biblicus.models.requests.query import Filters
from biblicus.retrieval.filters import allowed, path_pattern
from tests.sampling import examples

PATHS = [
    "a.md", "a/b.md", "a/b/c.md", "x y.txt", "a\nb.txt", "[x].md", "été.md", "a-b.c++", "d{1}.md", "a^b$", "a/.h/x.py",
    "猫/犬.md", "&&~~#.md", "a|b(c)", "a/a/a/a.md", "b", "a",
]  # fmt: skip
PIECES = ["a", "b", "c", ".md", "/", "*", "**", "**/", "/**", "?", "[ab]", "[!a]", "猫", "+", ".", "(", "|", "^", "-"]


@pytest.fixture
def shelf(built, chunk):
    chunks = [chunk(row, "tide", path=path) for row, path in enumerate(PATHS)]
    return built(chunks), chunks


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example("./")
@example("./a/")
@example("././a")
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join))
def test_the_engine_finds_the_paths_that_a_glob_fits(shelf, glob):
    reader, chunks = shelf
    allow = Allow(Filters(path=(glob,)))
    found = reader.search(Question("tide", {"en": 1.0}), allow, 100, Call())
    assert {hit.row for hit in found} == {chunk.row for chunk in chunks if allowed(allow, chunk)}


def test_globs_without_sets_are_patterns_of_the_engine():
    assert path_pattern("docs/**/*.md") == r"docs/([\s\S]*/)?[^/]*\.md"
    assert path_pattern("docs/[ab].md") is None
