"""Questions out of docstrings ask for definitions that no longer hold them."""

from benchmarks import docstrings


def test_a_docstring_asks_for_its_definition_without_it() -> None:
    pairs = dict(docstrings.pairs("packaging"))
    assert len(pairs) > 20
    assert all(question not in " ".join(body.split()) and "def " in body for question, body in pairs.items())
