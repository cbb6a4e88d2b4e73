"""Definitions of other languages, by tree-sitter."""

import pytest

from biblicus.contracts import Given, MediaHint
from biblicus.extraction.source_code.tree_sitter import Options, build
from biblicus.models.extraction import Extraction

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
            (10, ""),
            (14, "dock_open"),
            (16, ""),
            (18, "berth_t"),
            (19, ""),
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
