"""AsciiDoc, Org, Info and POD are read as Markdown of the same lines."""

import re
import sys
from types import FrameType
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.models.extraction import CAPTION, ENTRY, NoExtraction
from biblicus.text import media
from tests.extraction.reading import outcome_of, outline, read
from tests.sampling import each

if TYPE_CHECKING:
    from _typeshed import TraceFunction

ASCIIDOC = """= Winch: a _manual_
Ada Oar <ada@harbour.example>
:speed: 3 knots
:unset!:
// A comment.

A {speed} winch, see <<ropes>>, <<drum,the drum
there>> and linkgit:davit[8]. {nowhere} stays, a{plus}b is a+b.

[source,java]
[subs=attributes+]
----
Winch();
----

[source,java]
----
include::Winch.java[tags=haul]
----

[[ropes]]
== About *ropes*

.Reeving
[source,sh]
----
winch --speed=3 # <1>
// {speed}
----
<1> Fast.

'winch' [-s <n>] +
stays `+one+`, ``a *b* c``.

Drums
~~~~~
[verse]
'winch' [--hold]
'winch' --let-go

The rope may be

  of hemp
  of steel

* One ((rope))(((cable)))
** [*] Two
. Haul
. Belay http://harbour.example[the rope^]

-s::
--speed=<n>::
	How fast it turns.
+
--
slow:::
	A knot.
fast;; Many.
--
+
More of `--speed`.

--hold::

Holds it.
ifdef::davit[]
All of it
ifndef::boat[]
and the boat.
endif::[]

What follows is no entry.

[cols="1,2", options="header"]
|===
|Rope | Load
|hemp
a|two
tons
|`steel` |9 t \\| more
|===

====
NOTE: footnote:[Not in port.] image::x.png[A drum]
====

////
Nothing.
////

include::more.adoc[]
"""
ASCIIDOC_READS = """# Winch: a manual
Ada Oar <ada@harbour.example>




A 3 knots winch, see About **ropes**, the drum
there and davit(8). {nowhere} stays, a+b is a+b.



```java
Winch();
```



[Winch.java](Winch.java)



## About ropes

Reeving:

```sh
winch --speed=3
// 3 knots
```
- Fast.

'winch' [-s <n>]
stays `one`, `a *b* c`.

### Drums

```
winch [--hold]
winch --let-go
```
The rope may be
```
  of hemp
  of steel
```
- One rope
  - [*] Two
    1. Haul
    2. Belay [the rope](http://harbour.example)

#### -s, --speed=<n>

How fast it turns.


#### slow
A knot.
- **fast**: Many.


More of `--speed`.

#### --hold

Holds it.

All of it

and the boat.


What follows is no entry.


| Rope | Load |
| --- | --- |
| hemp | two tons |
|  |  |
|  |  |
| `steel` | 9 t \\| more |



NOTE: (Not in port.) ![A drum](x.png)






[more.adoc](more.adoc)
"""
ORG = """#+TITLE: The /winch/
#+AUTHOR: Ada Oar
#+TODO: TODO TURN | DONE
# A comment.
* TURN [#A] About =ropes= [1/2] :deck:work:
SCHEDULED: <2026-06-01 Mon>
:PROPERTIES:
:ID: 7
:END:
A *strong* rope, see [[https://harbour.example][the
harbour]], [[file:drum.org::*Top]], [[#drum][the drum]] and /usr/bin/winch. ~a b~ +gone+ {{{kbd(M-x)}}}[fn:1]

#+begin_src sh :results none
,* winch --hold
#+end_src

: winch -s 3
: winch -s 4

- One
  - [X] Two
1) Three

- --hold ::
  Holds it.

  More of it.
- -s, ~--speed~ :: How fast.
- --let-go :: Lets it go.
  - now :: At once.
  It fell.
- User Option: winch-speed

  How fast it is.

After it.

| Rope | Load |
|------+------|
| hemp |    2 |

#+begin_comment
Nothing.
#+end_comment
** DONE Not a state of its own
[fn:1] A key.
"""
ORG_READS = """# The winch
Author: Ada Oar


# About ropes (TURN; deck; work)
SCHEDULED: <2026-06-01 Mon>



A **strong** rope, see [the
harbour](https://harbour.example), [drum.org](drum.org), the drum and /usr/bin/winch. `a b` ~~gone~~ M-x

```sh
* winch --hold
```
```
winch -s 3
winch -s 4
```
- One
  - [X] Two
1. Three

#### --hold
Holds it.

More of it.
- **-s, --speed**: How fast.
- **--let-go**: Lets it go.
- **now**: At once.
It fell.
#### winch-speed

How fast it is.

After it.

| Rope | Load |
| --- | --- |
| hemp |    2 |




## Not a state of its own (DONE)
A key.
"""


INFO = """This is winch.info, produced by makeinfo.

\x1f
File: winch.info,  Node: Top,  Next: Ropes

Winch
*****

   It winds (*note Ropes::), as ‘davit’ does.  *Note The davit:
(davit)Top, too.

* Menu:

* Ropes::       Of hemp.

\x1f
File: winch.info,  Node: Ropes,  Prev: Top

1 Ropes
=======

‘-s’
‘--speed=N’
     How fast it winds.

     For instance:

          winch -s 3

     • One.
‘--hold’
     Holds it.

   So it ends.

‘h’     (‘hold-rope’)

     Holds it, too.

 -- Command: let-go ROPE
     Lets it go.

     This is a quotation that is said in many words, as people do.

   ---------- Footnotes ----------

   (1) A note.

\x1f
Tag Table:
Node: Top\x7f42
"""
INFO_READS = """




# Winch


It winds (see Ropes), as `davit` does.  See The davit
, too.








## 1 Ropes


#### -s, --speed=N

How fast it winds.

For instance:
```
winch -s 3
```
- One.
#### --hold
Holds it.

So it ends.

#### h, hold-rope

Holds it, too.

#### let-go ROPE
Lets it go.

This is a quotation that is said in many words, as people do.



(1) A note.




"""


MEDIAWIKI = """{{Infobox boat
| name = Gull
| image = [[File:gull.png|thumb|200px|The ''Gull'' at sea]]
}}
'''Gull''' is a [[sloop|small sloop]] of [[Harbour]].<ref>Stone.</ref> See [http://a.example the list].
== Her history ==
* Ada
** Bob
# first
; davit : A crane for boats.
{| class="wikitable"
|+ Trips
|-
! Year !! Days
|-
| align="right" | 1900
| 12
|}
<syntaxhighlight lang="python">
x = "[[a]]"
</syntaxhighlight>
{{stub}} [[Category:Boats]]"""
DOKUWIKI = """====== The winch ======
It **pulls** //boats//, see [[harbour:slip|the slip]] and [[harbour:drum]]. Mono ''winch -s'' ((A note.)).
===== Use =====
  * one
^ Gear ^ Speed ^
| low | 3 m [[a|b]] |
<code bash>
winch --slow
</code>"""
ZIM = """Content-Type: text/x-zim-wiki
Creation-Date: 2010-03-02

====== Tags ======

[ ] Oil it
=== More ==="""
POD = """package Harbour::Winch;
use strict;
# Hauls.
sub haul { 1 }

1;

=encoding utf8

=head1 NAME

Harbour::Winch - hauls B<boats>

=head1 SYNOPSIS

  use Harbour::Winch;

  haul(2) > 1;

=head2 haul

It I<hauls> C<< a->b >>, see L<the drum|Harbour::Drum/"turn"> and
L<perlfunc/sort>, A E<lt> B.

=begin html

<p>not shown</p>

=end html

=over 4

=item * Slow.

=item splice ARRAY,OFFSET
X<splice>

=item splice ARRAY

Removes parts.

=item 2.

Second.

=back

The end.

=cut

sub veer { 2 }
"""

POD_READS = """``` package Harbour::Winch;
use strict;
# Hauls.
sub haul { 1 }

1;
```


# NAME

Harbour::Winch - hauls **boats**

# SYNOPSIS
```
  use Harbour::Winch;

  haul(2) > 1;
```
## haul

It *hauls* `a->b`, see the drum and
perlfunc sort, A < B.









- Slow.

#### splice ARRAY,OFFSET


`splice ARRAY`

Removes parts.



2. Second.



The end.


```
sub veer { 2 }
```"""


@pytest.mark.parametrize(
    ("name", "source", "reads"),
    [
        ("asciidoc", ASCIIDOC, ASCIIDOC_READS),
        ("org", ORG, ORG_READS),
        ("info", INFO, INFO_READS),
        ("pod", POD, POD_READS),
    ],
)
def test_it_is_written_anew_line_by_line(name: str, source: str, reads: str) -> None:
    assert read(name, source).text.split("\n") == reads.split("\n")
    assert source.count("\n") == reads.count("\n")


def test_what_pod_documents_is_called_by_its_name() -> None:
    found = read("pod", POD)
    assert found.title == "Harbour::Winch"
    assert [heading.title for heading in found.headings if heading.title] == [
        *("Harbour::Winch", "NAME", "SYNOPSIS", "haul", "splice", "haul"),
    ]


@each(
    ("escape", "shown"),
    [
        *(
            ("E<gt>", ">"),
            ("E<eacute>", "é"),
            ("E<233>", "é"),
            ("E<0x263A>", "☺"),
            ("E<0101>", "A"),
            ("E<160>", "\xa0"),
        ),
        *(
            (name, name)
            for name in ("E<55296>", "E<0>", "E<10>", "E<0x110000>", "E<NewLine>", "E<#10>", "E<x y>", "E<1114112>")
        ),
        *((name, name) for name in (f"E<{'9' * 5_000}>", f"E<0x{'f' * 5_000}>", f"E<#{'9' * 5_000}>")),
    ],
)
def test_escapes_of_pod_are_characters_that_can_be_shown(escape: str, shown: str) -> None:
    text = read("pod", f"=pod\n\nA {escape} b.\n").text
    assert text.encode().decode().split("\n")[2] == f"A {shown} b."


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.pm", "package A;\n\n=head1 NAME\n", "text/x-pod"),
        ("A.PM", "=pod\n\nWords.\n", "text/x-pod"),
        ("a.pm", "package A;\nsub b { my $c =head1; }\n", "text/x-perl"),
        ("a.pm", "", "text/x-perl"),
        ("a.pm", "#\n" * 4_096 + "=head1 NAME\n", "text/x-perl"),
        ("a.pl", "=head1 NAME\n", "text/x-perl"),
        ("a.pod", "Words.\n", "text/x-pod"),
    ],
)
def test_modules_of_perl_are_pod_where_they_begin_with_it(name: str, head: str, kind: str) -> None:
    assert media.media_type(name, head.encode()) == kind
    assert media.doctype(name, kind) == ("doc" if kind == "text/x-pod" else "code")


def test_sections_are_headings_and_terms_are_entries() -> None:
    named = outline(read("asciidoc", ASCIIDOC))
    assert named == [
        *((1, "Winch: a manual"), (2, "About ropes"), (3, "Drums"), (ENTRY, "-s, --speed=<n>"), (ENTRY + 1, "slow")),
        *((ENTRY + 2, "fast"), (ENTRY, "-s, --speed=<n>"), (ENTRY, "--hold"), (3, "Drums")),
    ]
    named = outline(read("org", ORG))
    assert named == [
        *((1, "The winch"), (1, "About ropes"), (ENTRY, "--hold"), (ENTRY, "-s, --speed"), (ENTRY, "--let-go")),
        *((ENTRY + 1, "now"), (ENTRY, "--let-go"), (ENTRY, "winch-speed"), (1, "About ropes")),
        (2, "Not a state of its own"),
    ]


def test_tables_and_definitions_of_info_are_entries() -> None:
    named = outline(read("info", INFO))
    assert named == [
        *((1, "Winch"), (2, "1 Ropes"), (ENTRY, "-s, --speed=N"), (ENTRY, "--hold"), (2, "1 Ropes")),
        *((ENTRY, "h, hold-rope"), (ENTRY, "let-go ROPE"), (2, "1 Ropes")),
    ]


@pytest.mark.parametrize(
    ("name", "source", "title"),
    [
        ("asciidoc", ASCIIDOC, "Winch: a manual"),
        ("asciidoc", "winch(1)\n========\n\nNAME\n----\nwinch", "winch(1)"),
        ("asciidoc", "== Ropes\n\nOf hemp.", None),
        ("org", ORG, "The winch"),
        ("org", "* Ropes\nOf hemp.", "Ropes"),
        ("org", "* Ropes\nOf hemp.\n* Drums\nOf steel.", None),
    ],
)
def test_what_a_document_is_called(name: str, source: str, title: str | None) -> None:
    assert read(name, source).title == title


@pytest.mark.parametrize(
    ("source", "reads"),
    [
        ("Run:\n----\nwinch\n----\n", "Run:\n```\nwinch\n```\n"),
        ("----\nnever closed", "\nnever closed"),
        ("----\n```\n----", "~~~~\n```\n~~~~"),
        ("|===\n|Rope\n|===", "\n| Rope |\n"),
        (
            "|===\n|Rope |Load\n\n|hemp |2\n|===",
            "\n".join(["| Rope | Load |", "| --- | --- |", "|  |  |", "| hemp | 2 |", ""]),
        ),
        ("a::\n\nb::\n\n text", "#### a, b\n\n\n\ntext"),
        ("a::\n", "#### a\n"),
        ("See std::rope, or\nrope::\nits end.", "See std::rope, or\nrope::\nits end."),
        ('++++\n<b>x</b>\n++++\nkbd:[Enter] menu:File[Save] ((rope)) "`no`"', "\n\n\nEnter File > Save rope “no”"),
        ("=== A\n==== B\n====\nc\n====", "### A\n#### B\n\nc\n"),
        ("== Gate [<n>] (s)(((Gates,Gate [<n>] (s))))\n\nx", "## Gate [<n>] (s)\n\nx"),
    ],
)
def test_odd_asciidoc(source: str, reads: str) -> None:
    assert read("asciidoc", source).text == reads


@pytest.mark.parametrize(
    ("source", "reads"),
    [
        ("#+begin_src\nnever closed", "\nnever closed"),
        (":DRAWER:\nnever closed", ":DRAWER:\nnever closed"),
        ("a\n: b\nc", "a\n`b`\nc"),
        ("- a ::\n- b :: c", "#### a\n- **b**: c"),
        ("#+begin_quote\nSo *be* it.\n#+end_quote", "\nSo **be** it.\n"),
        ('#+include: "ropes.org" :lines', "[ropes.org](ropes.org)"),
        ("#+begin_src md\n```\n#+end_src", "~~~~md\n```\n~~~~"),
    ],
)
def test_odd_org(source: str, reads: str) -> None:
    assert read("org", source).text == reads


@pytest.mark.parametrize("name", ["asciidoc", "org", "info", "wiki", "pod"])
@given(
    st.lists(
        st.sampled_from(
            [
                *ASCIIDOC.splitlines(),
                *ORG.splitlines(),
                *INFO.split("\n"),
                *MEDIAWIKI.splitlines(),
                *DOKUWIKI.splitlines(),
                *POD.splitlines(),
                "",
            ]
        ),
        max_size=40,
    ).map("\n".join)
)
def test_whatever_is_written_every_line_stays(name: str, source: str) -> None:
    outcome = outcome_of(name, source)
    if isinstance(outcome, NoExtraction):
        return
    assert outcome.text.count("\n") == source.count("\n")
    assert list(outcome.headings) == sorted(outcome.headings)
    starts = {0, *(match.end() for match in re.finditer("\n", outcome.text))}
    assert {heading.offset for heading in outcome.headings} <= starts


MEDIAWIKI_READ = """
name: Gull
image: The *Gull* at sea

**Gull** is a [small sloop](sloop) of [Harbour](Harbour). See [the list](http://a.example).
## Her history
- Ada
  - Bob
1. first
- **davit**: A crane for boats.

Trips

| Year | Days |
| --- | --- |
| 1900 | 12 |


```python
x = "[[a]]"
```
"""
DOKUWIKI_READ = """# The winch
It **pulls** *boats*, see [the slip](harbour:slip) and [drum](harbour:drum). Mono `winch -s` (A note.).
## Use
  - one
| Gear | Speed |
| Gear: low | Speed: 3 m [b](a) |
```bash
winch --slow
```"""


@pytest.mark.parametrize(
    ("source", "text", "headings"),
    [
        (
            MEDIAWIKI,
            MEDIAWIKI_READ,
            [(2, "Her history"), (ENTRY, "davit"), (CAPTION, "Trips"), (2, "Her history")],
        ),
        (DOKUWIKI, DOKUWIKI_READ, [(1, "The winch"), (2, "Use")]),
        (ZIM, "\n\n\n# Tags\n\n[ ] Oil it\n#### More", [(1, "Tags"), (4, "More")]),
        ("<pre>apt install a\na --init</pre>", "apt install a\na --init", []),
        ("<source lang='x'>\na\n</source> Now b.", "\na\nNow b.", []),
        ("{|\n! A !! B\n|-\n| {{yes|}} || two\n|}", "\n| A | B |\n| --- | --- |\n|  | two |\n", []),
        ("{|\n! A\n|-\n| 1\n|-\n| 2\n|}", "\n| A |\n| --- |\n| 1 |\n|  |\n| 2 |\n", []),
        ("{{Note|\nRun it.\n| a = b [[c]]\n}} Then", "\nRun it.\na: b [c](c)\nThen", []),
        ("Run {{ic|a -S}} and {{stub}}.\n{{W|Never.}}", "Run a -S and .\nNever.", []),
        (
            "[[File:a|thumb|A [[boat]] here]]\n;davit\n:A crane.",
            "A [boat](boat) here\n#### davit\nA crane.",
            [(ENTRY, "davit")],
        ),
        ("== A ==\n<code>\n{|\n{{b\n", "## A\n<code>\n{|\n{{b\n", [(2, "A")]),
    ],
)
def test_a_wiki_is_read_line_by_line(source: str, text: str, headings: list[tuple[int, str]]) -> None:
    outcome = read("wiki", source)
    assert outcome.text == text
    assert outline(outcome) == headings


@pytest.mark.parametrize(
    ("head", "media_type"),
    [
        (ZIM, "text/x-wiki"),
        (DOKUWIKI, "text/x-wiki"),
        (MEDIAWIKI, "text/x-wiki"),
        ("= Winch\n\n== Ropes\n\nSee <<drum>>.\n\n----\nx\n----\n", "text/asciidoc"),
        ("=====\nWinch\n=====\n\n.. note:: x\n", "text/x-rst"),
        ("== a == b\nx = 3\n", "text/plain"),
    ],
)
def test_a_wiki_is_known_by_its_beginning(head: str, media_type: str) -> None:
    assert media.media_type("a.txt", head.encode()) == media_type


def test_asciidoc_with_many_listings_is_read_in_as_many_steps_as_it_has_lines() -> None:
    _, few, many = (_steps("[source]\n[subs=a]\n----\nx\n----\n" * count) for count in (1, 100, 400))  # 1: imports
    assert many < 5 * few


def _steps(source: str) -> int:
    """The lines of code, each as often as it runs, that it takes to read a text."""
    steps = 0

    def step(frame: FrameType, event: str, value: object) -> "TraceFunction":
        nonlocal steps
        steps += event == "line"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        read("asciidoc", source)
    finally:
        sys.settrace(before)
    return steps
