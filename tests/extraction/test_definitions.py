"""Definitions and declarations of source code are headings, each from the comment above it."""

import time
from collections.abc import Iterator

import pytest

from biblicus.contracts import MediaHint
from biblicus.extraction.source_code import code, declared, tree_sitter
from biblicus.extraction.source_code.tree_sitter import TreeSitter
from biblicus.models.extraction import Extraction
from biblicus.text import media
from tests.extraction.reading import read
from tests.sampling import each

CASES = r'''
=== text/javascript
-         | import x from 'x';
A         | // About A.
          | export class A extends B {
          |   s = 2;
A.m       |   m(a) {
          |     return 1;
          |   }
          | }
f         | const f = (x) => {
          |   return g(x);
          | };
h         | export default function h() {}
-         | module.exports = {};
          | (function () {
inside    |   function inside() {}
calls     |   exports.calls = function (a) {};
Boat.dock |   Boat.prototype.dock = (a) => 1;
          | }.call(this));
          | define(['a'], (a) => {
Wrapped   |   class Wrapped {
Wrapped.m |     m() {}
          |   }
-         |   ready();
          | });
=== text/x-typescript
I            | interface I<T> {
             |   a: T;
             | }
C            | export abstract class C {
C.m          |   private m(): void {}
             | }
N            | namespace N {
N.g          |   function g() {}
             | }
             | declare module "files" {
read         |   /** Reads. */
             |   export function read(a: string): void;
-            |   export function read(a: number): void;
Stats        |   interface Stats {
             |     size: number;
Stats.isFile |     /** Is it? */
             |     isFile(): boolean;
             |   }
             | }
=== text/x-go
-          | package a
           |
Client.Get | // Get gets.
           | func (c *Client[T]) Get(p string) error { return nil }
           |
Client     | type Client struct {
           | 	a int
           | }
           |
F          | func F() {}
=== text/x-rust
-   | use a;
S   | /// Doc.
    | #[derive(X)]
    | struct S { a: i32 }
S   | impl T for S {
S.m |     fn m(&self) {}
    | }
t   | mod t {
t.u |     fn u() {}
    | }
=== text/x-java
-   | package a;
A   | /** Doc. */
    | @X
    | public class A {
    |   int b;
A.A |   A() {}
A.m |   public static int m(int a) {
    |     return a;
    |   }
    | }
=== text/x-c
-         | #include <a.h>
p         | struct p { int x; };
f         | static int *f(int a) {
          |   return 0;
          | }
-         | int limit = 3;
          | #ifndef HARBOUR_H
          | #define HARBOUR_H
DEEPER    | #define DEEPER(a, b) ((a) > (b))
          | #ifdef __cplusplus
          | extern "C" {
          | #endif
-         | int untold(int);
dock_open | /* Opens it. */
          | int *dock_open(const char *name);
berths    | /* How many there are. */
          | int berths;
berth_t   | typedef struct { int x; } berth_t;
          | #ifdef __cplusplus
          | }
          | #endif
          | #endif
=== text/x-c++
n     | namespace n {
n.A   | template <class T>
      | class A {
n.A.m |   void m(int a) {}
      | };
      | }
A.f   | int A::f(int x) {
      |   return 1;
      | }
=== text/x-csharp
-       | using System;
A.B     | namespace A.B {
A.B.C   |   /// <summary>Doc</summary>
        |   [X]
        |   public class C<T> : D {
        |     private int x;
A.B.C.C |     public C() {}
A.B.C.M |     public int M(int a) => 1;
        |   }
A.B.I   |   interface I { void N(); }
        | }
=== text/x-php
-   | <?php
A.B | namespace A\B;
    |
C   | /** Doc. */
    | class C extends D {
    |   public $x = 1;
C.m |   /** Says m. */
    |   public function m(int $a): int { return 1; }
    | }
T   | trait T {}
f   | function f($x) { return 1; }
=== text/x-ruby
-                 | require 'a'
Harbour           | # Boats.
                  | module Harbour
Harbour.Boat      |   # A boat.
                  |   class Boat < Craft
                  |     attr_reader :name
Harbour.Boat.dock |     # Docks it.
                  |     def dock(berth)
                  |       1
                  |     end
Harbour.Boat.all? |     def self.all?; end
                  |   end
                  | end
=== text/x-shellscript
-    | #!/bin/sh
     | set -e
dock | # Docks.
     | dock() {
     |   echo 1
     | }
moor | function moor { echo; }
-    | dock
=== text/x-java
Tide         | enum Tide {
Tide.FLOOD   |   /** Comes in. */
             |   FLOOD,
Tide         |   EBB; // goes out
             |   private int untold;
Tide.depth   |   /** How high it stands. */
             |   private int depth = 3;
             | }
Berth        | @interface Berth {
Berth.number |   /** Its number. */
             |   int number() default 1;
             | }
=== text/x-csharp
Boat        | class Boat {
Boat.Floats |   /// <summary>Whether it floats.</summary>
            |   public bool Floats { get; }
Boat.Most   |   /// <summary>How many.</summary>
            |   const int Most = 3;
Boat.Sunk   |   /// <summary>When it sinks.</summary>
            |   public event Action Sunk;
            | }
=== text/x-rust
Tide       | enum Tide {
Tide.Flood |     /// Comes in.
           |     Flood,
Tide       |     Ebb,
           | }
MOST       | /// The most.
           | pub const MOST: u8 = 3;
=== text/x-c++
-          | HARBOUR_BEGIN_NAMESPACE
Boat       | class HARBOUR_API Boat {
           |   HARBOUR_OBJECT
           |  public:
Boat.depth |   /// How deep.
           |   int depth;
Boat       |   int untold;  ///< not above
Boat.moor  |   /// Moors it.
           |   HARBOUR_INLINE void moor(int at, Rope rope = {}) HARBOUR_NOEXCEPT;
           | };
Boat.moor  | HARBOUR_INLINE void Boat::moor(int at, Rope rope) HARBOUR_NOEXCEPT {}
=== text/x-typescript
Boat      | interface Boat {
Boat.name |   /** Its name. */
          |   name: string;
          | }
MOST      | /** The most. */
          | export const MOST = 3;
-         | const untold = 4;
=== text/x-go
-         | package harbour
Boat      | type Boat struct {
Boat.Name | 	// Name is painted on it.
          | 	Name string
Boat      | 	Depth int // at the keel
          | }
          | const (
Most      | 	// Most is how many there may be.
          | 	Most = 3
          | )
=== text/x-kotlin
-                | package a.b
                 |
Boat             | /** A boat. */
                 | @Serializable
                 | data class Boat(val name: String) {
                 |
Boat.moor        |     /** Moors it. */
                 |     override suspend fun moor(at: Int) {
                 |         fun inner() = 1
                 |     }
                 |
Boat.String.lift |     fun <T> String.lift(x: T) = x
                 | }
=== text/x-swift
-         | import UIKit
          |
Boat      | public struct Boat {
Boat.init |     // Builds it.
          |     public init(name: String) {
          |     }
          |
Boat.moor |     func moor() {
          |         let x = 1
          |     }
Boat      |     let depth = 1
          | }
=== text/x-lua
-      | local M = {}
M.moor | --- Moors it.
       | -- @param at where
       | function M.moor(at)
       |   local function inner() end
       | end
       |
M.lift | M.lift = function(x)
       | end
M.sail | function M:sail()
       | end
-      | return M
=== text/x-scala
Harbour      | object Harbour {
Harbour.moor |   /** Moors it. */
             |   def moor(at: Int): Unit = {
             |   }
Harbour.Boat |   case class Boat(name: String)
             | }
=== text/x-objective-c
Boat | @implementation Boat
     |
moor | /** Moors it. */
     | - (void)moor:(NSInteger)at with:(void (^)(id))block
     | {
     | }
-    | int depth = 1;
=== text/x-perl
moor | # Moors it.
     | sub moor {
     | }
     |
-    | moor();
=== text/x-julia
Port | module Port
     |
moor | """
     |     moor(boat)
     |
     | Moors it.
     | """
     | function moor(boat)
     | end
     | end
=== text/x-elixir
Boat       | defmodule Boat do
Boat.moor? |   # Moors it.
           |   def moor?(at) do
           |     at
           |   end
           | end
=== text/x-sql
boats       | -- The harbour.
            |
            | --
            | -- Table "boats"
            | --
            |
            | CREATE TABLE "boats" (
            |   id integer
            | );
            | CREATE INDEX boats_name ON boats (name);
            |
            | ALTER TABLE ONLY boats ADD COLUMN name text;
moor        | CREATE OR REPLACE FUNCTION moor(boat integer) RETURNS void AS $$
            |   CREATE TEMP TABLE t (a int);
            | $$;
port.berths | create table if not exists /*_*/port.berths (id int);
=== text/x-protobuf
-    | syntax = "proto3";
     |
Slip | // Hauls boats.
     | service Slip {
     |   // Hauls one.
     |   rpc Haul(Boat) returns (Stone);
     | }
Boat | message Boat {
     |   string name = 1;
     | }
=== text/x-graphql
Boat | """
     | A boat.
     | """
     | type Boat {
     |   """Its name."""
     |   name: String!
     | }
     |
Gate | enum Gate {
     |   OPEN
     | }
Day  | scalar Day
=== text/x-terraform
-                 | locals {
                  |   a = 1
                  | }
                  |
aws_slip.north    | # Where boats lie.
                  | resource "aws_slip" "north" {
                  | }
depth             | variable "depth" {
                  | }
data.aws_tide.now | data "aws_tide" "now" {}
-                 | terraform {
                  | }
=== text/x-makefile
-     | DEPTH := 3
      | X = a:b
      |
haul  | .PHONY: haul
      | # Hauls all.
      | haul: boats ## Haul boats
      | 	@echo haul: it
      | ifdef X
boats | boats moor:
      | endif
-     | Y ?= 2
=== text/x-cmake
-          | #[=====[.rst:
           | Haul
           | ----
           |
           | ::
           |
           |   haul_boats(<boat>)
           |
           | Hauls.
           |
           | ::
           |
           |   moor_boats(<boat>)
           |
           | #]=====]
           | include(X)
haul_boats | function(haul_boats boat)
           | endfunction()
MOOR_BOATS | macro(MOOR_BOATS)
           | endmacro()
-          | set(A 1)
=== text/x-m4
AX_HAUL | # SYNOPSIS
        | #
        | #   AX_HAUL(BOAT)
        |
        | #serial 3
        |
        | AU_ALIAS([HAUL], [AX_HAUL])
        | AC_DEFUN([AX_HAUL], [
        | ])
=== text/x-haskell
-    | module Port where
     |
haul | -- | Hauls one.
     | haul :: Boat -> Stone
     | haul boat = stone
     |
Boat | data Boat = Boat
=== text/x-erlang
-    | -module(port).
     |
haul | %% Hauls one.
     | -spec haul(boat()) -> ok.
     | haul(Boat) ->
     |     ok;
     | haul(_) ->
     |     no.
=== text/x-lisp
haul-boat | ;; Hauls.
          | (defun haul-boat (boat)
          |   t)
*depth*   | (defvar *depth* 3)
=== text/x-clojure
-    | (ns port)
     |
haul | ; Hauls.
     | (defn haul [boat]
     |   1)
'''
"""Sources by media type. At the left the name of the definition that begins with a line; `-` is outside of all."""


def cases() -> Iterator[tuple[str, str, list[tuple[int, str]]]]:
    for case in CASES.strip().split("=== ")[1:]:
        media_type, *rows = case.rstrip("\n").split("\n")
        parts = [row.partition("|")[::2] for row in rows]
        names = [(number, mark.strip().lstrip("-")) for number, (mark, _) in enumerate(parts, 1) if mark.strip()]
        yield media_type, "".join(f"{code.removeprefix(' ')}\n" for _, code in parts), names


def headings(media_type: str, text: str) -> list[tuple[int, str]]:
    """The number of the line where each heading begins, with its title."""
    extraction = read(media.choose(media_type) or "", text, media_type)
    assert extraction.text == text
    return [(text.count("\n", 0, heading.offset) + 1, heading.title) for heading in extraction.headings]


@pytest.mark.parametrize(("media_type", "text", "names"), list(cases()))
def test_definitions_are_headings(media_type: str, text: str, names: list[tuple[int, str]]) -> None:
    assert headings(media_type, text) == names


def test_every_language_of_declarations_has_a_case() -> None:
    assert {media_type for media_type, *_ in cases()} >= declared.LANGUAGES


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
    assert [title for _, title in headings(media_type, text) if title] == titles


HOSTILE = (
    *("CREATE " * 50_000, "CREATE TABLE " * 20_000, "CREATE INDEX a ON " * 20_000, "a " * 50_000 + ":", "a " * 50_000),
    *("/* " * 50_000, "message A {\n" * 20_000, "".join(f"{' ' * at}message A {{\n" for at in range(500))),
    *('"""\n' * 20_001, "#[" * 50_000, "(def" * 50_000, "/* */ " * 50_000 + "/*", "@a " * 50_000, "/*\n" * 20_000),
    *("class A {\n" * 8_000, "-(" * 50_000),
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_lines_take_linear_time(text: str) -> None:
    began = time.process_time()
    for languages, definitions in ((declared.LANGUAGES, declared.definitions), (code._BY_LINES, code._by_lines)):
        for media_type in languages:
            definitions(text, media_type)
    assert time.process_time() - began < 20


@each("text", ["A_B(" * 5_000, "A_B " * 12_500, "x! {\n" * 5_000, "x A_B y " * 7_500, '"' * 25_000, "/* " * 12_500])
def test_macros_are_found_in_linear_time(text: str) -> None:
    began = time.process_time()
    for media_type in ("text/x-c", "text/x-c++"):
        assert all(len(reading) == len(text) for reading in tree_sitter.readings(text, media_type))
    assert time.process_time() - began < 5


@each("media_type", [media_type for media_type, *_ in cases() if media.choose(media_type) == "tree-sitter"])
@each("text", ["{{{{(((", "class", "é 漢 class A { 漢() {} }", "\x00\x01", "class A {" * 3_000])
def test_what_no_grammar_reads_keeps_its_text(media_type: str, text: str) -> None:
    extraction = read("tree-sitter", text, media_type)
    assert extraction.text == text
    assert all(text[: heading.offset].endswith("\n") or not heading.offset for heading in extraction.headings)


@pytest.mark.parametrize(
    ("media_type", "size"), [("text/javascript", 8 << 10), ("text/x-java", 16 << 10), ("text/x-typescript", 60 << 10)]
)
def test_what_a_grammar_cannot_read_in_time_keeps_its_text(media_type: str, size: int) -> None:
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
