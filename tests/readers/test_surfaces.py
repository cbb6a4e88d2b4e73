"""HTTP, agents, the page and Python answer a reader as they answer about a corpus without the hidden items."""

import io
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, ReaderLimited
from biblicus.models.plain import plain
from biblicus.models.sources.readers import ANYBODY, Reader
from biblicus.service.askers.here import here
from biblicus.service.tokens import Tokens
from biblicus.service.verbs import FOR_READERS, LIMITED, QUERY, VERBS
from features.steps.service import Asked
from features.surfaces import serving
from tests.front_door import biblicus
from tests.mcp_server.conftest import Served
from tests.readers.corpora import Made, bare
from tests.visitor import Visitor, page_of

COUNT = int(os.environ.get("READERS_ON_SURFACES", "4"))
"""Questions on each surface; `make test-readers` asks 500."""
READER = Reader("person3", ("hr",))
Ask = Callable[[str], Any]
_PATH = re.compile(r"(?:hr|lab|open)/\d+\.md")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, home: Path) -> tuple[Made, Path, frozenset[str]]:
    folder = tmp_path_factory.mktemp("readers")
    made = Made(folder, seed=2)
    hidden = made.hidden(READER)
    return made, made.without(folder / "without", hidden), hidden


@pytest.fixture
def open_ones() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def _over_http(folder: Path, reader: Reader, stack: ExitStack) -> Ask:
    tokens = Tokens(folder.parent / f"{folder.name}.json")
    asked = Asked(token=tokens.new("read", "test", Call(), reader=reader))
    asked.address, stop = serving(folder, tokens, name="same")
    stack.callback(stop)

    def ask(words: str) -> Any:
        asked.ask("POST", "/query", {"query": words, "limit": 50}, **asked.bearer())
        return asked.status, bare(asked.body)

    return ask


def _by_an_agent(folder: Path, reader: Reader, stack: ExitStack) -> Ask:
    agent = Served([str(folder)], reader=reader)

    def ask(words: str) -> Any:
        result = agent.call("query", query=words)
        found = result.structured_content or json.loads(result.content[0].text)  # type: ignore[union-attr]
        return bare({key: found[key] for key in ("evidence", "insufficient", "notes", "error") if key in found})

    return ask


def _on_the_page(folder: Path, reader: Reader, stack: ExitStack) -> Ask:
    tokens = Tokens(folder.parent / f"{folder.name}.json")
    token = tokens.new("read", "test", Call(), reader=reader).token
    address, _ = stack.enter_context(page_of(f"same={folder}", tokens=tokens))
    visitor = Visitor(address).look("/").send("/sign-in", token=token)

    def ask(words: str) -> Any:
        return [visitor.look(f"{place}q={quote(words)}").texts("main") for place in ("/?", "/suggest?", "/corpus?")]

    return ask


def _in_python(folder: Path, reader: Reader, stack: ExitStack) -> Ask:
    corpus = stack.enter_context(Corpus.open(folder, reader=reader))

    def ask(words: str) -> Any:
        try:
            return bare(plain(corpus.answer(words)))
        except BiblicusError as error:
            return error.as_object()

    return ask


def _at_the_command_line(folder: Path, reader: Reader, stack: ExitStack) -> Ask:
    patch = stack.enter_context(pytest.MonkeyPatch.context())
    patch.setenv("BIBLICUS_GROUPS", json.dumps({group: [reader.name] for group in reader.groups}))
    as_reader = ["--as", reader.name, "-C", str(folder), "--json", "--"]

    def ask(words: str) -> Any:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = biblicus(["query", "--limit", "50", *as_reader, words])
        return code, bare(json.loads(out.getvalue() or err.getvalue().splitlines()[-1]))

    return ask


@pytest.mark.parametrize("surface", [_over_http, _by_an_agent, _on_the_page, _in_python, _at_the_command_line])
def test_a_surface_tells_a_reader_nothing_of_hidden_items(
    made: tuple[Made, Path, frozenset[str]],
    open_ones: ExitStack,
    surface: Callable[..., Ask],
    tally: Callable[..., None],
) -> None:
    corpus, reference, hidden = made
    ask, expected = surface(corpus.folder, READER, open_ones), surface(reference, READER, open_ones)
    questions = [request.query for verb, request in corpus.requests(hidden, 3 * COUNT) if verb is QUERY][:COUNT]
    found = set()
    for words in questions:
        reply = ask(words)
        assert reply == expected(words), words
        found |= set(_PATH.findall(str(reply)))
    assert len(found) > min(COUNT, 12) // 4
    assert found.isdisjoint(hidden)
    tally(questions=len(questions))


def test_every_verb_that_views_do_not_answer_is_refused_to_readers(made: tuple[Made, Path, frozenset[str]]) -> None:
    asker = here(made[0].folder)
    for name, verb in VERBS.items():
        if name not in FOR_READERS | LIMITED:
            with pytest.raises(ReaderLimited):
                asker.ask(verb, None, Call(reader=ANYBODY))
    asker.close()
    assert VERBS.keys() >= FOR_READERS | LIMITED
    assert all(VERBS[name].scope == "read" for name in FOR_READERS)
