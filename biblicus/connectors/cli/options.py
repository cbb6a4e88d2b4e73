"""Options that several commands share, so that they mean the same everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from biblicus.errors import UsageError

if TYPE_CHECKING:
    from biblicus.corpus.folder import CorpusFolder
    from biblicus.models.question import Filters
    from biblicus.service.askers.in_turn import Reader

CORPUS_HELP = "The corpus: a folder in it, or corpus://NAME from your settings (default: where you are)."
Corpus = Annotated[str | None, typer.Option("-C", "--corpus", metavar="PATH", help=CORPUS_HELP)]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="PLACE", help="Where to ask: local, daemon, an address, or several by comma."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
Strict = Annotated[bool, typer.Option("--strict", help="Leave with exit code 4 where a file failed.")]
Tag = Annotated[
    list[str] | None, typer.Option("--tag", metavar="TAG", help="Only items with this tag (all, if repeated).")
]
Type = Annotated[
    list[str] | None,
    typer.Option("--type", metavar="TYPE", help="Only this media type: text/markdown, text/*, pdf (any, if repeated)."),
]
Doctype = Annotated[
    list[str] | None, typer.Option("--doctype", metavar="NAME", help="Only this doctype: paper, code, … (any).")
]
Language = Annotated[
    list[str] | None, typer.Option("--language", metavar="CODE", help="Only this language: en, de, … (any).")
]
PathGlob = Annotated[
    list[str] | None, typer.Option("--path", metavar="GLOB", help="Only paths that fit: notes/**, *.pdf (any).")
]
Where = Annotated[
    list[str] | None, typer.Option("--where", metavar="K=V", help="Only items with this metadata (all, if repeated).")
]

Toolkit = Annotated[
    list[str] | None, typer.Option("--toolkit", metavar="NAME", help="Only items of this toolkit (any, if repeated).")
]
Category = Annotated[
    list[str] | None, typer.Option("--category", metavar="NAME", help="Only items of this category (any).")
]
SourceOption = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="SOURCE", help="Only this source: its name, kind or address's beginning (any)."),
]
Since = Annotated[str | None, typer.Option("--since", metavar="DAY", help="Only items of this day or later: 2026-05.")]
Until = Annotated[str | None, typer.Option("--until", metavar="DAY", help="Only items of this day or earlier.")]
Text = Annotated[list[str], typer.Argument(metavar="TEXT", help='The question; "quoted words" must stand together.')]
RecipeName = Annotated[str | None, typer.Option("--recipe", metavar="NAME|FILE", help="The recipe to rank with.")]
RunId = Annotated[str | None, typer.Option("--run", metavar="ID", help="A certain run.")]
Limit = Annotated[int | None, typer.Option("-n", "--limit", min=1, metavar="N", help="At most this much evidence.")]
MaxTokens = Annotated[
    int | None, typer.Option("--max-tokens", min=1, metavar="N", help="Budget of the evidence in tokens (estimate).")
]
MaxCharacters = Annotated[
    int | None, typer.Option("--max-characters", min=1, metavar="N", help="Budget of the evidence in characters.")
]
MaxPerSource = Annotated[
    int | None, typer.Option("--max-per-source", min=1, metavar="N", help="At most this much evidence per item.")
]
Timeout = Annotated[
    float | None, typer.Option("--timeout", min=0.001, metavar="SECONDS", help="Answer in this time, or fail.")
]


class State:
    """What the global options said."""

    corpus: str | None = None


def place_of(corpus: str | None) -> CorpusFolder:
    """The corpus a command works on, on this machine. Raises `CorpusNotFound`."""
    from biblicus.corpus.folder import find
    from biblicus.service.places import folder_of  # lazy, as below: --help needs no corpus

    return find(folder_of(corpus or State.corpus))


def reader_of(corpus: str | None, at: str | None) -> Reader:
    """The corpus a command reads, wherever it is asked; where a place is passed over, standard error says so."""
    from biblicus.connectors.cli.output import remark
    from biblicus.service.askers.in_turn import reading

    return reading(corpus or State.corpus, at, remark)


def pairs(values: list[str] | None, option: str) -> dict[str, str]:
    """`K=V` options as a mapping."""
    found = {}
    for value in values or []:
        key, equals, text = value.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"{option} takes KEY=VALUE, not {value}.", f"{option} author=Ada")
        found[key.strip()] = text
    return found


def filters(
    tag: list[str] | None,
    media_type: list[str] | None,
    doctype: list[str] | None,
    language: list[str] | None,
    path: list[str] | None,
    where: list[str] | None,
    toolkit: list[str] | None = None,
    category: list[str] | None = None,
    source: list[str] | None = None,
    since: str | None = None,
    until: str | None = None,
) -> Filters:
    """The filters of `list`, `query` and whatever else asks."""
    from biblicus.models.item import DOCTYPES
    from biblicus.models.question import Filters

    for name in doctype or []:
        if name not in DOCTYPES:
            raise UsageError(f"There is no doctype {name}; known: {', '.join(DOCTYPES)}.")
    return Filters(
        tuple(tag or ()),
        tuple(media_type or ()),
        tuple(doctype or ()),
        tuple(code.lower() for code in language or ()),
        tuple(path or ()),
        pairs(where, "--where"),
        tuple(toolkit or ()),
        tuple(category or ()),
        tuple(source or ()),
        since,
        until,
    )
