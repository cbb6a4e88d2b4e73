"""Manual pages are read as Markdown, whichever macros they are written with."""

from functools import partial

import pytest

from biblicus.models.extraction import ENTRY, NoExtraction
from tests.extraction.reading import outcome_of, read
from tests.sampling import each

MAN = r""".\" A comment.
.de Vb
.nf
..
.TH WINCH 1 "June 2026"
.SH NAME
winch \- pull a rope
.SH SYNOPSIS
.SY winch
.OP \-s speed
.I rope
.YS
.SH "THE OPTIONS"
.TP
.BR \-s ", " \-\-speed =\fIN\fP
How \(lqfast\(rq it winds.
Three at most.
.TP
.B \-\-hold
.TQ
.B \-h
Holds\c
.br
it.
.IP \(bu 2
A rope.
.IP
More of it.
.SS Ropes
.EX
winch \-\-speed=3 \e
  rope
.EE
.if t Not on paper.
.if n Not on a terminal\*(Aqs edge.
.ie \nF .IX Title
.el \{\
.  IX None
.\}
.UR https://harbour.example
The harbour
.UE .
.PP
\-\-tide <hour>
.RS 4
Waits for high water.
.RE
.TS
tab(;) box;
lb l.
Rope;Load
hemp;T{
two
tons
T}
.TE
"""
MAN_READS = """# winch(1)

## NAME

winch - pull a rope

## SYNOPSIS

winch [-s speed] rope

## THE OPTIONS

#### -s, --speed=N

How “fast” it winds. Three at most.

#### --hold, -h

Holds it.

- A rope.

More of it.

### Ropes

```
winch --speed=3 \\
  rope
```

Not on a terminal's edge. The harbour <https://harbour.example>.

#### --tide <hour>

Waits for high water.

| Rope | Load |
| --- | --- |
| hemp | two tons |
"""
MDOC = r""".Dd June 1, 2026
.Dt DAVIT 8
.Os
.Sh NAME
.Nm davit
.Nd lower a boat
.Sh SYNOPSIS
.Nm
.Op Fl v
.Op Fl s Ar speed
.Ar boat ...
.Sh DESCRIPTION
.Nm
lowers a boat, as
.Xr winch 1
pulls one
.Pq unless Sq \&!
.Bl -tag -width Ds
.It Fl s Ar speed , Fl -speed Ns = Ns Ar speed
How fast.
.It Xo
.Fl v | Cm verbose
.Xc
Says more, in
.Pa /var/log/davit .
.El
.Bl -enum -compact
.It
Lift.
.It
Lower.
.El
.Bd -literal
davit -v gig
.Ed
.Ex -std
"""
MDOC_READS = """# davit(8)

## NAME

davit – lower a boat

## SYNOPSIS

davit [-v] [-s speed] boat ...

## DESCRIPTION

davit lowers a boat, as winch(1) pulls one (unless ‘!’)

#### -s speed, --speed=speed

How fast.

#### -v | verbose

Says more, in /var/log/davit.

1. Lift.

2. Lower.

```
davit -v gig
```

The davit utility exits 0 on success, and >0 if an error occurs.
"""


text_of = partial(read, "man")


@pytest.mark.parametrize(("source", "reads"), [(MAN, MAN_READS), (MDOC, MDOC_READS)])
def test_a_page_reads_as_markdown(source: str, reads: str) -> None:
    assert text_of(source).text.rstrip("\n") == reads.rstrip("\n")


def test_sections_and_entries_are_headings_at_their_places() -> None:
    page = text_of(MAN)
    assert page.title == "winch(1)"
    assert [(heading.level, heading.title) for heading in page.headings] == [
        *((1, "winch(1)"), (2, "NAME"), (2, "SYNOPSIS"), (2, "THE OPTIONS"), (ENTRY, "-s, --speed=N")),
        *((ENTRY, "--hold, -h"), (3, "Ropes"), (ENTRY, "--tide <hour>")),
    ]
    for heading in page.headings:
        assert page.text[heading.offset :].lstrip("# ").startswith(heading.title)


@each(
    ("written", "reads"),
    [
        (r"\fBbold\fR \f[I]italic\fP \f(CWcode\fP", "bold italic code"),
        (r"a\-b \(aqc\(aq \[u00E9] \('e d\[:u]r", "a-b 'c' é é dür"),
        (r"\s-1SMALL\s0 \s+2big\s0 \h'-04'x\v'1'", "SMALL big x"),
        (r"back\e slash\\ x\&.y \n(zz \w'abc'", "back\\ slash\\ x.y"),
        (r"\*(C+ \*(lq", "C++ “"),
        (
            r"long \
line",
            "long line",
        ),
        (r"shown \" hidden", "shown"),
        (".ig\nhidden\n..\nshown", "shown"),
        (".de XX\nhidden\n..\n.XX\nshown", "shown"),
        (".ie n \\{\\\nshown\n.\\}\n.el hidden", "shown"),
        (".ie t \\{\\\nhidden\n.\\}\n.el shown", "shown"),
        (".if !t shown", "shown"),
        ('.BR "a b" "" c', "a bc"),
        ('.B "say ""ah"""', 'say "ah"'),
    ],
)
def test_escapes_and_requests(written: str, reads: str) -> None:
    page = text_of(f".ds C+ C++\n.TH X 1\n.SH A\n{written}\n")
    assert page.text == f"# X(1)\n\n## A\n\n{reads.rstrip()}\n\n"


@pytest.mark.parametrize(
    ("source", "reads"),
    [("1.5 2.5\n.9 1\n", "1.5 2.5\n.9 1\n"), (".so man1/winch.1\n", "See man1/winch.1.\n\n")],
)
def test_what_is_no_page_is_read_as_it_is(source: str, reads: str) -> None:
    assert text_of(source).text == reads


@pytest.mark.parametrize("source", ["", " \n", ".TH\n.SH\n"])
def test_nothing_is_empty(source: str) -> None:
    assert isinstance(outcome_of("man", source), NoExtraction)


@pytest.mark.parametrize("unit", ["\\", "\\f", ".if n \\{", ".IP x\n", ".TP\n", ".ds a \\*a\\*ab\n", "\\*a", '"'])
def test_a_hostile_page_stays_in_bounds(unit: str) -> None:
    outcome = outcome_of("man", ".ds a abc\n.TH X 1\n.SH A\n" + unit * 20_000)
    assert isinstance(outcome, NoExtraction) or len(outcome.text) < 4_000_000
