"""The command that answers: statements with footnotes, or an honest empty answer."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import (
    At,
    Category,
    Corpus,
    Doctype,
    Json,
    Language,
    Limit,
    MaxPerSource,
    MaxTokens,
    PathGlob,
    RecipeName,
    RunId,
    Since,
    SourceOption,
    Tag,
    Timeout,
    Toolkit,
    Type,
    Until,
    Where,
    filters,
    place_of,
    reader_of,
)  # fmt: skip
from biblicus.errors import BiblicusError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from biblicus.answers.answer import AnswerRequest
    from biblicus.contracts import Call, LLMClient
    from biblicus.corpus.folder import CorpusFolder
    from biblicus.models.answer import Answer
    from biblicus.models.evidence import Evidence


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(answer)


def answer(
    question: Annotated[
        list[str], typer.Argument(metavar="QUESTION", help='The question; "quoted words" must stand together.')
    ],
    answerer: Annotated[
        str | None,
        typer.Option("--answerer", metavar="NAME", help="Who answers: quote (the default) needs no model, llm does."),
    ] = None,
    llm: Annotated[
        str | None, typer.Option("--llm", metavar="NAME", help="Which language model of your configuration.")
    ] = None,
    persona: Annotated[
        str | None, typer.Option("--persona", metavar="ID", help="Who answers, by which manual: see biblicus personas.")
    ] = None,
    max_words: Annotated[
        int | None, typer.Option("--max-words", min=5, metavar="N", help="At most this many words (60; llm: 150).")
    ] = None,
    recipe: RecipeName = None,
    run: RunId = None,
    limit: Limit = None,
    max_tokens: MaxTokens = None,
    max_per_source: MaxPerSource = None,
    tag: Tag = None,
    media_type: Type = None,
    doctype: Doctype = None,
    language: Language = None,
    path: PathGlob = None,
    where: Where = None,
    toolkit: Toolkit = None,
    category: Category = None,
    source: SourceOption = None,
    since: Since = None,
    until: Until = None,
    at: At = None,
    timeout: Timeout = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Answer a question from the corpus: sentences that cite the exact words they stand on, or none."""
    from biblicus.answers.answer import AnswerRequest
    from biblicus.answers.answer import answer as operation
    from biblicus.answers.language_models import answerer_for
    from biblicus.contracts import Call
    from biblicus.models.question import Query

    if recipe is not None and run is not None:
        raise UsageError("Give a recipe or a run, not both.", "biblicus answer QUESTION --run ID")
    query = Query(
        " ".join(question),
        filters(tag, media_type, doctype, language, path, where, toolkit, category, source, since, until),
        limit,
        max_tokens,
        None,
        max_per_source,
        recipe,
        run,
    )
    options = {} if max_words is None else {"max_words": max_words}
    call = Call(deadline=None if timeout is None else time.monotonic() + timeout)
    request = AnswerRequest(query, answerer_for(answerer, llm), options)
    if persona is not None:
        _answer_as(persona, request, call, corpus, at, llm, as_json=as_json)
        return
    with _model(corpus, request, llm, shown=not as_json) as model:
        found = operation(reader_of(corpus, at).query, request, call, model)
    if as_json:
        output.document(found)
    else:
        show(found, _root(corpus))


@contextmanager
def _model(corpus: str | None, request: AnswerRequest, name: str | None, *, shown: bool) -> Iterator[LLMClient | None]:
    """The language model where one is needed; a terminal shows what it writes while it does."""
    from biblicus.answers import language_models as llms
    from biblicus.answers.answer import DEFAULT

    with output.writing(shown=shown and request.answerer != DEFAULT) as hear:
        yield llms.for_answerer(_place(corpus), request.answerer, name, hear=hear)


def _answer_as(
    persona: str,
    request: AnswerRequest,
    call: Call,
    corpus: str | None,
    at: str | None,
    llm: str | None,
    *,
    as_json: bool,
) -> None:
    """The same as a persona, with how it came to the answer."""
    from biblicus.answers.answer_as import answer_as as operation
    from biblicus.connectors.cli.persona_answer import show_approach

    place = place_of(corpus)
    with _model(corpus, request, llm, shown=not as_json) as model:
        found = operation(place, persona, request, reader_of(corpus, at).query, call, model)
    if as_json:
        output.document(found)
        return
    show(found.answer, place.root)
    show_approach(found)


def show(found: Answer, root: Path | None) -> None:
    """Print an answer with its footnotes. `root`: the corpus's folder, where it is on this machine."""
    if not found.statements:
        _show_empty(found)
        return
    notes: dict[tuple[str, int, int], int] = {}
    pieces: list[Evidence] = []
    for statement in found.statements:
        marks = []
        for citation in statement.citations:
            piece = citation.as_evidence()
            key = piece.chunk_id, piece.span_start, piece.span_end
            if key not in notes:
                notes[key] = len(notes) + 1
                pieces.append(piece)
            marks.append(f"[{notes[key]}]")
        text = f"{' '.join(statement.text.split())} {''.join(marks)}"
        for row in textwrap.wrap(text, output.width(), break_on_hyphens=False):
            output.line(row)
        output.line()
    for number, piece in enumerate(pieces, 1):
        _show_note(number, piece, root)
    if found.insufficient:
        output.line("The evidence is thin: it holds little of the question.", fg="yellow")
    output.line(_measures(found), fg="bright_black")


def _show_note(number: int, piece: Evidence, root: Path | None) -> None:
    """Where a statement's words stand; on a terminal, a link that opens there."""
    place = f"{piece.path}:{piece.line_start}"
    page = f", page {piece.page}" if piece.page else ""
    names = " › ".join(dict.fromkeys(name for name in (piece.title, piece.heading) if name and name != piece.path))
    output.parts(
        output.styled(f"[{number}] ", bold=True),
        output.linked(output.styled(f"{place}{page}", fg="cyan"), _address(piece, root)),
        output.styled(f"  {names}" if names else ""),
        output.styled("  (changed since the run: biblicus reindex)", fg="yellow") if piece.stale else "",
    )


def _address(piece: Evidence, root: Path | None) -> str | None:
    """What the footnote opens: the file at its page or line, else where the item is from."""
    path = root / piece.path if root else None
    if path is not None and path.is_file():
        return f"{path.as_uri()}#{f'page={piece.page}' if piece.page else f'L{piece.line_start}'}"
    return quote(piece.citation_url, safe=":/?#[]@!$&'()*+,;=%") if piece.citation_url else None


def _show_empty(found: Answer) -> None:
    searched = found.searched
    output.line("No answer: nothing in the corpus answers this well enough to be quoted.", fg="yellow")
    pieces = "1 piece" if searched["pieces"] == 1 else f"{searched['pieces']} pieces"
    held = ", ".join(f"{leg} {value:.2f}" for leg, value in searched["support"].items())
    output.line(f"Searched: {searched['recipe_id']}, run {searched['run_id']}; {pieces} of evidence seen.")
    if searched["filters"]:
        output.line(f"Only: {', '.join(f'{key} {value}' for key, value in searched['filters'].items())}")
    if held:
        output.line(f"Of the question they hold at best: {held} (of 1).")
    output.line("biblicus query shows what comes nearest; other words or fewer filters may help.", fg="bright_black")


def _measures(found: Answer) -> str:
    said = f"Confidence {found.confidence:.2f}; evidence {found.evidence_strength:.2f}"
    left_out = f"; {len(found.left_out)} statements left out" if found.left_out else ""
    return f"{said}{left_out}; {found.answerer}, {found.timings['total']:.0f} ms"


def _root(corpus: str | None) -> Path | None:
    """The corpus's folder, where it is on this machine."""
    place = _place(corpus)
    return place.root if place else None


def _place(corpus: str | None) -> CorpusFolder | None:
    try:
        return place_of(corpus)
    except BiblicusError:
        return None
