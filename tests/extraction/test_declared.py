"""What files declare (tables, messages, types, targets, resources, macros), by their lines."""

import time

import pytest

from biblicus.extraction.source_code.declared import LANGUAGES, definitions

_FIELDS = "".join(f"  // The rope {at}.\n  string rope{at} = {at};\n" for at in range(1, 40))

CASES = {
    "text/x-sql": (
        """\
-- The harbour.

--
-- Table "boats"
--

CREATE TABLE "boats" (
  id integer
);
CREATE INDEX boats_name ON boats (name);

ALTER TABLE ONLY boats ADD COLUMN name text;
CREATE OR REPLACE FUNCTION moor(boat integer) RETURNS void AS $$
  CREATE TEMP TABLE t (a int);
$$;
create table if not exists /*_*/port.berths (id int);
""",
        [(1, ""), (3, "boats"), (13, "moor"), (16, "port.berths")],
    ),
    "text/x-protobuf": (
        f"""\
syntax = "proto3";

// Hauls boats.
service Slip {{
  // Hauls one.
  rpc Haul(Boat) returns (Stone) {{
    option (http) = "x";
  }}
  rpc Lower(Boat) returns (Stone);
}}
message Boat {{
  // Its name.
  string name = 1;
}}
message Fleet {{
{_FIELDS}  string last = 40;
}}
""",
        [(1, ""), (3, "Slip"), (5, "Slip.Haul"), (9, "Slip"), (11, "Boat"), (15, "Fleet")]
        + [(14 + 2 * at, f"Fleet.rope{at}") for at in range(1, 40)]
        + [(94, "Fleet")],
    ),
    "text/x-graphql": (
        '"""\nA boat.\n"""\ntype Boat {\n  """Its name."""\n  name: String!\n}\n\nenum Gate {\n  OPEN\n}\nscalar Day\n',
        [(1, "Boat"), (9, "Gate"), (12, "Day")],
    ),
    "text/x-terraform": (
        (
            'locals {\n  a = 1\n}\n\n# Where boats lie.\nresource "aws_slip" "north" {\n}\nvariable "depth" {\n}\n'
            'data "aws_tide" "now" {}\nterraform {\n}\n'
        ),
        [(1, ""), (5, "aws_slip.north"), (8, "depth"), (10, "data.aws_tide.now"), (11, "")],
    ),
    "text/x-makefile": (
        (
            "DEPTH := 3\nX = a:b\n\n.PHONY: haul\n# Hauls all.\nhaul: boats ## Haul boats\n"
            "\t@echo haul: it\nifdef X\nboats moor:\n"
            "endif\nY ?= 2\n"
        ),
        [(1, ""), (4, "haul"), (9, "boats"), (11, "")],
    ),
    "text/x-cmake": (
        (
            "#[=====[.rst:\nHaul\n----\n\n::\n\n  haul_boats(<boat>)\n\nHauls.\n\n::\n\n"
            "  moor_boats(<boat>)\n\n#]=====]\n"
            "include(X)\nfunction(haul_boats boat)\nendfunction()\nmacro(MOOR_BOATS)\nendmacro()\nset(A 1)\n"
        ),
        [(1, "haul_boats"), (13, "MOOR_BOATS"), (16, ""), (17, "haul_boats"), (19, "MOOR_BOATS"), (21, "")],
    ),
    "text/x-m4": (
        "# SYNOPSIS\n#\n#   AX_HAUL(BOAT)\n\n#serial 3\n\nAU_ALIAS([HAUL], [AX_HAUL])\nAC_DEFUN([AX_HAUL], [\n])\n",
        [(1, "AX_HAUL")],
    ),
    "text/x-haskell": (
        "module Port where\n\n-- | Hauls one.\nhaul :: Boat -> Stone\nhaul boat = stone\n\ndata Boat = Boat\n",
        [(1, ""), (3, "haul"), (7, "Boat")],
    ),
    "text/x-erlang": (
        "-module(port).\n\n%% Hauls one.\n-spec haul(boat()) -> ok.\nhaul(Boat) ->\n    ok;\nhaul(_) ->\n    no.\n",
        [(1, ""), (3, "haul")],
    ),
    "text/x-lisp": (
        ";; Hauls.\n(defun haul-boat (boat)\n  t)\n(defvar *depth* 3)\n",
        [(1, "haul-boat"), (4, "*depth*")],
    ),
    "text/x-clojure": ("(ns port)\n\n; Hauls.\n(defn haul [boat]\n  1)\n", [(1, ""), (3, "haul")]),
}


@pytest.mark.parametrize("media_type", CASES)
def test_declarations_are_headings(media_type: str) -> None:
    text, wanted = CASES[media_type]
    assert [(text.count("\n", 0, one.offset) + 1, one.title) for one in definitions(text, media_type)] == wanted


def test_every_language_has_a_case() -> None:
    assert CASES.keys() == LANGUAGES


@pytest.mark.parametrize(
    "text",
    [
        "CREATE " * 50_000,
        "CREATE TABLE " * 20_000,
        "CREATE INDEX a ON " * 20_000,
        "a " * 50_000,
        "a " * 50_000 + ":",
        "/* " * 50_000,
        "message A {\n" * 20_000,
        "".join(f"{' ' * at}message A {{\n" for at in range(500)),
        '"""\n' * 20_001,
        "#[" * 50_000,
        "(def" * 50_000,
    ],
)
def test_hostile_lines_take_linear_time(text: str) -> None:
    began = time.process_time()
    for media_type in LANGUAGES:
        definitions(text, media_type)
    assert time.process_time() - began < 10
