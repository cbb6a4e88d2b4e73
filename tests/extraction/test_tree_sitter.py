"""Definitions of other languages, by tree-sitter."""

from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.contracts import Given, MediaHint
from biblicus.models.extraction import Extraction

pytest.importorskip("tree_sitter_javascript", reason="needs the extra [code]")

from biblicus.extraction.source_code.tree_sitter import Options, build

CASES = {
    "text/javascript": (
        """\
import x from 'x';
// About A.
export class A extends B {
  s = 2;
  m(a) {
    return 1;
  }
}
const f = (x) => {
  return g(x);
};
export default function h() {}
module.exports = {};
""",
        [(1, ""), (2, "A"), (5, "A.m"), (9, "f"), (12, "h"), (13, "")],
    ),
    "text/x-typescript": (
        """\
interface I<T> {
  a: T;
}
export abstract class C {
  private m(): void {}
}
namespace N {
  function g() {}
}
""",
        [(1, "I"), (4, "C"), (5, "C.m"), (7, "N"), (8, "N.g")],
    ),
    "text/x-go": (
        """\
package a

// Get gets.
func (c *Client[T]) Get(p string) error { return nil }

type Client struct {
\ta int
}

func F() {}
""",
        [(1, ""), (3, "Client.Get"), (6, "Client"), (10, "F")],
    ),
    "text/x-rust": (
        """\
use a;
/// Doc.
#[derive(X)]
struct S { a: i32 }
impl T for S {
    fn m(&self) {}
}
mod t {
    fn u() {}
}
""",
        [(1, ""), (2, "S"), (5, "S"), (6, "S.m"), (8, "t"), (9, "t.u")],
    ),
    "text/x-java": (
        """\
package a;
/** Doc. */
@X
public class A {
  int b;
  A() {}
  public static int m(int a) {
    return a;
  }
}
""",
        [(1, ""), (2, "A"), (6, "A.A"), (7, "A.m")],
    ),
    "text/x-c": (
        """\
#include <a.h>
struct p { int x; };
static int *f(int a) {
  return 0;
}
int limit = 3;
""",
        [(1, ""), (2, "p"), (3, "f"), (6, "")],
    ),
    "text/x-c++": (
        """\
namespace n {
template <class T>
class A {
  void m(int a) {}
};
}
int A::f(int x) {
  return 1;
}
""",
        [(1, "n"), (2, "n.A"), (4, "n.A.m"), (7, "A.f")],
    ),
}


@pytest.mark.parametrize("media_type", CASES)
def test_definitions_are_headings(media_type: str) -> None:
    text, wanted = CASES[media_type]
    extraction = build(Options(), Given()).extract(text.encode(), MediaHint("a", media_type))
    assert isinstance(extraction, Extraction)
    assert extraction.text == text
    assert [(text.count("\n", 0, heading.offset) + 1, heading.title) for heading in extraction.headings] == wanted


@pytest.mark.parametrize("media_type", CASES)
@pytest.mark.parametrize("text", ["{{{{(((", "class", "é 漢 class A { 漢() {} }", "\x00\x01", "class A {" * 3_000])
def test_what_no_grammar_reads_keeps_its_text(media_type: str, text: str) -> None:
    extraction = build(Options(), Given()).extract(text.encode(), MediaHint("a", media_type))
    assert isinstance(extraction, Extraction)
    assert extraction.text == text
    assert all(text[: heading.offset].endswith("\n") or not heading.offset for heading in extraction.headings)


RECIPE = """
name: parsed
build:
  extraction: {tree-sitter: {}}
  chunking: {default: {by: paragraphs}, code: {by: definitions}}
  legs: {lexical: {engine: tantivy}}
"""


def test_a_recipe_that_names_it_cuts_by_definition(tmp_path: Path) -> None:
    (tmp_path / "crew.js").write_text("board(board(1), board);\n\nfunction board(a) {\n  return dock(a);\n}\n", "utf-8")
    (tmp_path / "a.py").write_text("def dock():\n    pass\n", "utf-8")
    with Corpus.init(tmp_path) as corpus:
        (tmp_path / ".biblicus/recipes").mkdir(exist_ok=True)
        (tmp_path / ".biblicus/recipes/parsed.yml").write_text(RECIPE, "utf-8")
        corpus.reindex("parsed")
        (piece, *_) = corpus.query("board()", recipe="parsed").evidence
        (other, *_) = corpus.query("dock", recipe="parsed").evidence
    assert (piece.heading, piece.line_start, piece.line_end) == ("crew.board", 3, 5)
    assert other.path == "a.py"
