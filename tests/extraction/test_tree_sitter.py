"""Definitions of other languages, by tree-sitter."""

import time

import pytest

from biblicus.contracts import Given, MediaHint
from biblicus.extraction.kit.texts import Options
from biblicus.extraction.source_code import macros
from biblicus.extraction.source_code.tree_sitter import TreeSitter, build
from biblicus.models.extraction import Extraction
from tests.sampling import each

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
(function () {
  function inside() {}
  exports.calls = function (a) {};
  Boat.prototype.dock = (a) => 1;
}.call(this));
define(['a'], (a) => {
  class Wrapped {
    m() {}
  }
  ready();
});
""",
        [
            (1, ""),
            (2, "A"),
            (5, "A.m"),
            (9, "f"),
            (12, "h"),
            (13, ""),
            (15, "inside"),
            (16, "calls"),
            (17, "Boat.dock"),
            (20, "Wrapped"),
            (21, "Wrapped.m"),
            (23, ""),
        ],
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
declare module "files" {
  /** Reads. */
  export function read(a: string): void;
  export function read(a: number): void;
  interface Stats {
    size: number;
    /** Is it? */
    isFile(): boolean;
  }
}
""",
        [
            (1, "I"),
            (4, "C"),
            (5, "C.m"),
            (7, "N"),
            (8, "N.g"),
            (11, "read"),
            (13, ""),
            (14, "Stats"),
            (16, "Stats.isFile"),
        ],
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
#ifndef HARBOUR_H
#define HARBOUR_H
#define DEEPER(a, b) ((a) > (b))
#ifdef __cplusplus
extern "C" {
#endif
int untold(int);
/* Opens it. */
int *dock_open(const char *name);
/* How many there are. */
int berths;
typedef struct { int x; } berth_t;
#ifdef __cplusplus
}
#endif
#endif
""",
        [
            (1, ""),
            (2, "p"),
            (3, "f"),
            (6, ""),
            (9, "DEEPER"),
            (13, ""),
            (14, "dock_open"),
            (16, "berths"),
            (18, "berth_t"),
        ],
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
    "text/x-csharp": (
        """\
using System;
namespace A.B {
  /// <summary>Doc</summary>
  [X]
  public class C<T> : D {
    private int x;
    public C() {}
    public int M(int a) => 1;
  }
  interface I { void N(); }
}
""",
        [(1, ""), (2, "A.B"), (3, "A.B.C"), (7, "A.B.C.C"), (8, "A.B.C.M"), (10, "A.B.I")],
    ),
    "text/x-php": (
        """\
<?php
namespace A\\B;

/** Doc. */
class C extends D {
  public $x = 1;
  /** Says m. */
  public function m(int $a): int { return 1; }
}
trait T {}
function f($x) { return 1; }
""",
        [(1, ""), (2, "A.B"), (4, "C"), (7, "C.m"), (10, "T"), (11, "f")],
    ),
    "text/x-ruby": (
        """\
require 'a'
# Boats.
module Harbour
  # A boat.
  class Boat < Craft
    attr_reader :name
    # Docks it.
    def dock(berth)
      1
    end
    def self.all?; end
  end
end
""",
        [(1, ""), (2, "Harbour"), (4, "Harbour.Boat"), (7, "Harbour.Boat.dock"), (11, "Harbour.Boat.all?")],
    ),
    "text/x-shellscript": (
        """\
#!/bin/sh
set -e
# Docks.
dock() {
  echo 1
}
function moor { echo; }
dock
""",
        [(1, ""), (3, "dock"), (7, "moor"), (8, "")],
    ),
}


@pytest.mark.parametrize("media_type", CASES)
def test_definitions_are_headings(media_type: str) -> None:
    text, wanted = CASES[media_type]
    extraction = build(Options(), Given()).extract(text.encode(), MediaHint("a", media_type.partition(" ")[0]))
    assert isinstance(extraction, Extraction)
    assert extraction.text == text
    assert [(text.count("\n", 0, heading.offset) + 1, heading.title) for heading in extraction.headings] == wanted


MEMBERS = {
    "text/x-java": (
        """\
enum Tide {
  /** Comes in. */
  FLOOD,
  EBB; // goes out
  private int untold;
  /** How high it stands. */
  private int depth = 3;
}
@interface Berth {
  /** Its number. */
  int number() default 1;
}
""",
        [(1, "Tide"), (2, "Tide.FLOOD"), (4, "Tide"), (6, "Tide.depth"), (9, "Berth"), (10, "Berth.number")],
    ),
    "text/x-csharp": (
        """\
class Boat {
  /// <summary>Whether it floats.</summary>
  public bool Floats { get; }
  /// <summary>How many.</summary>
  const int Most = 3;
  /// <summary>When it sinks.</summary>
  public event Action Sunk;
}
""",
        [(1, "Boat"), (2, "Boat.Floats"), (4, "Boat.Most"), (6, "Boat.Sunk")],
    ),
    "text/x-rust": (
        """\
enum Tide {
    /// Comes in.
    Flood,
    Ebb,
}
/// The most.
pub const MOST: u8 = 3;
cfg_rt! {
    /// Moors it.
    pub fn moor() {}
}
""",
        [(1, "Tide"), (2, "Tide.Flood"), (4, "Tide"), (6, "MOST"), (9, "moor")],
    ),
    "text/x-c++": (
        """\
HARBOUR_BEGIN_NAMESPACE
class HARBOUR_API Boat {
  HARBOUR_OBJECT
 public:
  /// How deep.
  int depth;
  int untold;  ///< not above
  /// Moors it.
  HARBOUR_INLINE void moor(int at, Rope rope = {}) HARBOUR_NOEXCEPT;
};
HARBOUR_INLINE void Boat::moor(int at, Rope rope) HARBOUR_NOEXCEPT {}
""",
        [(1, ""), (2, "Boat"), (5, "Boat.depth"), (7, "Boat"), (8, "Boat.moor"), (11, "Boat.moor")],
    ),
    "text/x-typescript": (
        """\
interface Boat {
  /** Its name. */
  name: string;
}
/** The most. */
export const MOST = 3;
const untold = 4;
""",
        [(1, "Boat"), (2, "Boat.name"), (5, "MOST"), (7, "")],
    ),
    "text/x-go": (
        """\
package harbour
type Boat struct {
	// Name is painted on it.
	Name string
	Depth int // at the keel
}
const (
	// Most is how many there may be.
	Most = 3
)
""",
        [(1, ""), (2, "Boat"), (3, "Boat.Name"), (5, "Boat"), (8, "Most")],
    ),
}


@pytest.mark.parametrize("media_type", MEMBERS)
def test_what_a_comment_tells_of_is_a_heading(media_type: str) -> None:
    text, wanted = MEMBERS[media_type]
    extraction = build(Options(), Given()).extract(text.encode(), MediaHint("a", media_type))
    assert isinstance(extraction, Extraction)
    assert extraction.text == text
    assert [(text.count("\n", 0, heading.offset) + 1, heading.title) for heading in extraction.headings] == wanted


@pytest.mark.parametrize(
    "text",
    [
        "A_B(" * 5_000,
        "A_B " * 12_500,
        "x! {\n" * 5_000,
        "x" + " A_B" * 12_500,
        "x A_B y " * 7_500,
        '"' * 25_000,
        "/* " * 12_500,
    ],
)
def test_macros_are_found_in_linear_time(text: str) -> None:
    began = time.process_time()
    for media_type in ("text/x-c", "text/x-rust"):
        assert all(len(reading) == len(text) for reading in macros.readings(text, media_type))
    assert time.process_time() - began < 5


@each("media_type", CASES)
@each("text", ["{{{{(((", "class", "é 漢 class A { 漢() {} }", "\x00\x01", "class A {" * 3_000])
def test_what_no_grammar_reads_keeps_its_text(media_type: str, text: str) -> None:
    extraction = build(Options(), Given()).extract(text.encode(), MediaHint("a", media_type))
    assert isinstance(extraction, Extraction)
    assert extraction.text == text
    assert all(text[: heading.offset].endswith("\n") or not heading.offset for heading in extraction.headings)


@pytest.mark.parametrize(
    ("media_type", "size"), [("text/javascript", 8 << 10), ("text/x-java", 16 << 10), ("text/x-typescript", 60 << 10)]
)
def test_what_a_grammar_cannot_read_in_time_keeps_its_text(media_type: str, size: int):
    """Its time grows with the square of the size: such a file took all that a worker has, and gave nothing."""
    hostile = "|-" * (size // 2)
    extractor = TreeSitter(seconds=0.2)
    outcome = extractor.extract(hostile.encode(), MediaHint("a", media_type))
    assert isinstance(outcome, Extraction)
    assert outcome.text == hostile
    assert outcome.warnings == ("its grammar could not read it in time: it is cut by lines",)
    after = extractor.extract(b"class A { int f() { return 1; } }", MediaHint("b", media_type))
    assert isinstance(after, Extraction)
    assert after.headings
