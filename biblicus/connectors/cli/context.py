"""The command that makes evidence ready for a prompt: context."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

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
    MaxCharacters,
    MaxPerSource,
    PathGlob,
    RecipeName,
    RunId,
    Since,
    SourceOption,
    Tag,
    Text,
    Timeout,
    Toolkit,
    Type,
    Until,
    Where,
    filters,
    reader_of,
)  # fmt: skip
from biblicus.errors import UsageError

if TYPE_CHECKING:
    from biblicus.models.pack import Pack

_SHOWN = 8


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(context)


def context(
    text: Text,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", min=1, metavar="N", help="Budget of the whole text, heads included.")
    ] = 4000,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="markdown, xml, json (which verify takes) or plain.")
    ] = "markdown",
    order: Annotated[
        str,
        typer.Option(
            "--order", metavar="ORDER", help="rank; source: items by their best rank; document: path and place."
        ),
    ] = "rank",
    neighbours: Annotated[
        int,
        typer.Option(
            "--neighbours", min=0, metavar="N", help="Paragraphs to add around what was found, while there is room."
        ),
    ] = 1,
    share: Annotated[
        float, typer.Option("--share", metavar="0-1", help="How much of the budget one item may take.")
    ] = 1.0,
    tokenizer: Annotated[
        str, typer.Option("--tokenizer", metavar="NAME", help="Who counts: estimate, minilm, or an embedder of yours.")
    ] = "estimate",
    recipe: RecipeName = None,
    run: RunId = None,
    limit: Limit = None,
    max_characters: MaxCharacters = None,
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
    """Ask a question; the answer is a pack for a prompt: numbered, exact evidence behind marks nobody can forge."""
    from biblicus.contracts import Call
    from biblicus.models.pack import PackPolicy
    from biblicus.models.question import Query

    if recipe is not None and run is not None:
        raise UsageError("Give a recipe or a run, not both.", "biblicus context TEXT --run ID")
    chosen = filters(tag, media_type, doctype, language, path, where, toolkit, category, source, since, until)
    query = Query(" ".join(text), chosen, limit, None, max_characters, max_per_source, recipe, run)
    policy = PackPolicy(max_tokens, form, order, neighbours, share, tokenizer)  # type: ignore[arg-type]  # it checks
    call = Call(deadline=None if timeout is None else time.monotonic() + timeout)
    pack = reader_of(corpus, at).context(query, policy, call)
    if as_json:
        output.document(pack)
    else:
        _show(pack)


def _show(pack: Pack) -> None:
    """The text on standard output; what is not in it on standard error, so that the text can be piped."""
    if pack.text:
        output.raw(pack.text)
    else:
        output.remark(f"Not even a sentence fits into {pack.policy.tokens} tokens.")
    if pack.dropped:
        output.remark(f"Left out ({len(pack.dropped)}), while {pack.tokens} of {pack.policy.tokens} tokens are used:")
    for one in pack.dropped[:_SHOWN]:
        output.remark(f"  {one.path} ({one.chunk_id}): {one.reason}")
    if len(pack.dropped) > _SHOWN:
        output.remark(f"  … and {len(pack.dropped) - _SHOWN} more; --json lists them all")
