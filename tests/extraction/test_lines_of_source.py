"""Definitions of source code that no grammar is at hand for, by its lines."""

import time

import pytest

from biblicus.extraction.source_code.lines import LANGUAGES, definitions

CASES = {
    "text/x-kotlin": (
        """\
package a.b

/** A boat. */
@Serializable
data class Boat(val name: String) {

    /** Moors it. */
    override suspend fun moor(at: Int) {
        fun inner() = 1
    }

    fun <T> String.lift(x: T) = x
}
""",
        [(1, ""), (3, "Boat"), (7, "Boat.moor"), (12, "Boat.String.lift")],
    ),
    "text/x-swift": (
        """\
import UIKit

public struct Boat {
    // Builds it.
    public init(name: String) {
    }

    func moor() {
        let x = 1
    }
    let depth = 1
}
""",
        [(1, ""), (3, "Boat"), (4, "Boat.init"), (8, "Boat.moor"), (11, "Boat")],
    ),
    "text/x-lua": (
        """\
local M = {}
--- Moors it.
-- @param at where
function M.moor(at)
  local function inner() end
end

M.lift = function(x)
end
function M:sail()
end
return M
""",
        [(1, ""), (2, "M.moor"), (8, "M.lift"), (10, "M.sail"), (12, "")],
    ),
    "text/x-scala": (
        """\
object Harbour {
  /** Moors it. */
  def moor(at: Int): Unit = {
  }
  case class Boat(name: String)
}
""",
        [(1, "Harbour"), (2, "Harbour.moor"), (5, "Harbour.Boat")],
    ),
    "text/x-objective-c": (
        """\
@implementation Boat

/** Moors it. */
- (void)moor:(NSInteger)at with:(void (^)(id))block
{
}
int depth = 1;
""",
        [(1, "Boat"), (3, "moor"), (7, "")],
    ),
    "text/x-perl": ("# Moors it.\nsub moor {\n}\n\nmoor();\n", [(1, "moor"), (5, "")]),
    "text/x-julia": (
        'module Port\n\n"""\n    moor(boat)\n\nMoors it.\n"""\nfunction moor(boat)\nend\nend\n',
        [(1, "Port"), (3, "moor")],
    ),
    "text/x-elixir": (
        "defmodule Boat do\n  # Moors it.\n  def moor?(at) do\n    at\n  end\nend\n",
        [(1, "Boat"), (2, "Boat.moor?")],
    ),
}


@pytest.mark.parametrize("media_type", CASES)
def test_definitions_are_headings(media_type: str) -> None:
    text, wanted = CASES[media_type]
    assert media_type in LANGUAGES
    assert [(text.count("\n", 0, one.offset) + 1, one.title) for one in definitions(text, media_type)] == wanted


@pytest.mark.parametrize(
    ("media_type", "text", "titles"),
    [
        ("text/x-kotlin", "// matches src/*.kt\nfun a() {}\nfun b() {}\n", ["a", "b"]),
        ("text/x-lua", "-- reads conf/* files\nfunction a() end\n", ["a"]),
        ("text/x-kotlin", "/* a */ class A {\n    /* b\n\n    fun no()\n    */ fun g()\n}\n", ["A", "A.g"]),
        ("text/x-kotlin", "/* a */ /* b\n*/ // fun c()\nfun d()\n", ["d"]),
        ("text/x-elixir", 'defmodule A do\n  @doc """\n  def no\n  """\n  def a do\n  end\nend\n', ["A", "A.a"]),
        ("text/x-kotlin", "/*/ fun no()\n/**/ fun e()\n", ["e"]),
    ],
)
def test_a_block_of_comments_begins_where_a_line_does(media_type: str, text: str, titles: list[str]) -> None:
    assert [one.title for one in definitions(text, media_type) if one.title] == titles


@pytest.mark.parametrize(
    "text",
    ["/* */ " * 50_000 + "/*", "@a " * 50_000, "a " * 50_000, "/*\n" * 20_000, "class A {\n" * 8_000, "-(" * 50_000],
)
def test_hostile_lines_take_linear_time(text: str) -> None:
    began = time.process_time()
    for media_type in LANGUAGES:
        definitions(text, media_type)
    assert time.process_time() - began < 10
