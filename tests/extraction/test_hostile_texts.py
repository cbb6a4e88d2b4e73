"""No text takes more time than its length allows, nor becomes much longer."""

import time

from tests.extraction.reading import outcome_of
from tests.sampling import IS_LONG, each

UNITS = {
    ("markdown",): (
        *("#", "# ", "\n#", "\n# [", "\n# `", "\n# <a ", "\n```", "\n~~~ ", "=", "\n=", "a\n---\n", "-", "\n-", "\n "),
        *(
            "\n<h1 ",
            "---\n",
            "---\na: ",
            "\\_",
            "\n# _a",
            "\n# {#",
            '\n<Param name="a">',
            '\n<Param a="',
            '\n{name: "a"',
        ),
        *('\n{name: "a", description: "b"', '\n{name: "a", type: \'{', "\n<!--\n<h1>a</h1>", "\n\n    <h1>a</h1>"),
        *("\n<h1>a\n", "\n<h2>" + "a<b " * 50, "\n<p><h1>", '\n{name: "a", description: "' + "\\" * 99),
    ),
    ("rst", "text", "csv", "json"): ("=", "=\n", "\n=", "a\n=\n", ":a:`", "`a ", "``", "\n\n", ",", '{"a":', "\n.. "),
    ("outline",): ("\\section{a}", " ", "\\title", "\\title{", "\\section[", "{a}", "\\title  [a] {Winches}\n\\title"),
}
"""Pieces that are repeated, by the readers whose marks they abuse."""
TEXTS = {
    "asciidoc": [
        "[" * 25_000,
        "<<a," * 10_000,
        "a::\n" * 10_000,
        "|===\n" + "|" * 25_000 + "\n|===",
        "----\n" * 10_000,
        ":a: {b}{b}\n:b: {a}{a}\n" * 1_000 + "{a}",
        "'`*_#" * 20_000,
        "= x" + " " * 100_000 + "y",
        "~a " * 30_000,
        "anchor:a[" * 10_000,
        "--\n" * 10_001,
        "((a" * 10_000,
        "== a\n" * 10_000,
    ],
    "org": [
        "{{{" * 10_000,
        "=~*/+_`" * 4_500,
        "- " * 15_000,
        "* x" + " " * 100_000 + "y",
        "* a\n" * 10_000,
        "#+caption: a\n" * 20_000,
        ":A:\n" * 10_000,
        "#+begin_src\n" * 2_500,
    ],
    "info": [
        "\x1f\nFile: a, Node: b\n" + "* Menu:\n" * 10_000,
        "\x1f\nFile: a, Node: b\n" + "*note a" * 10_000,
        "\x1f\nFile: a, Node: b\n\n" + "a\n" * 10_000 + "     b",
    ],
    "wiki": [
        "{{a\n" * 4_500,
        "{|\n" * 10_000,
        "<code>\n" * 10_000,
        "[[a|" * 10_000,
        "''" * 20_000,
        "<!--" * 10_000,
        "<ref>" * 10_000,
        "[[category:" * 4_500,
        "<sub " * 10_000,
        "//a" * 15_000,
        "== a ==\n| a" + " " * 30_000 + "b |",
        "{{T\n|a" + " " * 30_000 + "x\n}}",
        "{|\n|a" + " " * 30_000 + "b\n|}",
    ],
    "pod": [
        "=begin x\n" * 10_000,
        "=head1 " + "B<" * 25_000 + ">" * 25_000,
        "=over\n" * 10_000 + "=item a\n" * 10_000,
    ],
    "genealogy": [
        "0 @a@ INDI\n1 NAME A /B/\n" + "1 FAMC @f@\n" * 8_000 + "0 @f@ FAM\n" + "1 HUSB @a@\n" * 8_000,
        "0 @a@ INDI\n" + "1 FAMC @f@\n" * 8_000 + "0 @f@ FAM\n" + "1 HUSB @a@\n" * 8_000,
    ],
    "html": [
        '<meta name="author" content="' + "x\u202e" * 200_000 + '">',
        '<meta name="citation_author" content="A">' * 50_000,
        '<script type="application/ld+json">{"author":' + "[" * 200_000 + "</script>",
        '<script type="application/ld+json">{"author": 1}</script>' * 20_000,
        *(
            f"<style>{sheet}</style><p>a"
            for sheet in ("a" * 2_000_000, "/*" * 100_000, "a" * 500 + "{" + "a" * 2_000_000)
        ),
        "<style>" + ",.b" * 100_000 + "{display:none}" + "".join(f".c{at}{{display:block}}" for at in range(99_999)),
        "<style>i" + " div" * 6 + " .x{display:none}</style>" + "<div>" * 40 + "<b class=x></b>" * 100 + "a",
        "<style>.x{display:none}</style>" + "<div class=x>" * 10_000 + "a",
    ],
}
"""Whole texts; `make test-long` hands each to all readers."""
HANDED = [(name, text) for name in TEXTS for own in TEXTS if IS_LONG or own == name for text in TEXTS[own]]


for readers, units in UNITS.items():
    for repeated in (unit * ((1 << 16) // len(unit)) for unit in units):
        HANDED += [(name, text) for name in readers for text in (repeated, f"# {repeated}", f"a{repeated}\n====")]


@each(("name", "hostile"), HANDED)
def test_what_is_hostile_ends_and_does_not_grow(name: str, hostile: str) -> None:
    began = time.process_time()
    outcome = outcome_of(name, hostile, "text/x-tex" if name == "outline" else "text/plain")
    assert time.process_time() - began < 8  # in a square of its length a hundred times as much as now
    assert len(getattr(outcome, "text", "")) <= 3 * len(hostile)
