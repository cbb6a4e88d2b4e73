"""Which lines of source code are words."""

from biblicus.answering.reader.reading import comments
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import units
from tests.sampling import each

PYTHON, C = "text/x-python", "text/x-c"


@each(
    ("text", "media_type", "told"),
    [
        ('"""Hauls."""\nx = 1', PYTHON, {0}),
        ('def haul():\n    """\n    Hauls.\n    """\n    return 1', PYTHON, {1, 2, 3}),
        ('    boats at the ebb.\n    """\n    return 1', PYTHON, {0, 1}),
        ('text = """\nno words\n"""\n# words\n#!no', PYTHON, {3}),
        ('text = """\n# no words\n"""', PYTHON, set()),
        ("x = 1  # beside code", PYTHON, set()),
        (
            'def haul():\n    """Hauls.\n\n    >>> haul(\n    ... 2)\n    7741\n\n    Up.\n    """',
            PYTHON,
            set(range(1, 9)),
        ),
        ('# >>> haul(2)\n# 7741\ndef haul():\n    r"""Hauls."""', PYTHON, {0, 1, 3}),
        ("#!/bin/sh\n# words\nlamp", "text/x-shellscript", {1}),
        ("-- words\nSELECT 1", "text/x-sql", {0}),
        ("// words\nint x; // beside\n/* a\nb */\nint y;", C, {0, 2, 3}),
        ("of a block\n */\nint x;", C, {0, 1}),
        ("#include <x.h>\nint x;", C, set()),
        ("# words", "text/x-feature", None),
        ("# A heading", "text/markdown", None),
    ],
)
def test_the_lines_that_are_words(text: str, media_type: str, told: set[int] | None) -> None:
    assert comments.lines_told(text.split("\n"), media_type) == told
    assert comments.is_source(media_type) == (told is not None)


def test_a_session_in_a_docstring_is_code() -> None:
    text = '"""Hauls.\n\n    >>> haul(\n    ... 2)\n    7741\n\n    Up.\n    """'
    read = [(unit.kind, unit.reads.split()) for unit in units(text, media_type=PYTHON) if unit.kind is not Kind.MARKS]
    assert [kind for kind, _ in read] == [Kind.PROSE, Kind.CODE, Kind.PROSE]


def test_a_comment_is_read_without_its_marks() -> None:
    text = "/**\n * Rings the bell.\n *\n * - twice in fog\n */\nvoid ring(void);\n/// Once at noon."
    read = [(unit.kind, unit.reads) for unit in units(text, media_type=C) if any(map(str.isalnum, unit.reads))]
    assert read == [
        (Kind.PROSE, "Rings the bell."),
        (Kind.ITEM, "twice in fog"),
        (Kind.CODE, "void ring(void);"),
        (Kind.PROSE, "Once at noon."),
    ]


def test_marks_without_end_are_looked_at_once() -> None:
    assert comments.without_marks("a" + "*" * 200_000 + " " * 200_000 + "b").startswith("a*")
