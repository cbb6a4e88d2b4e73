"""Answers that a language model writes, on the page: seen while they are written, without a script."""

import http.client
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

import pytest

from biblicus.service.corpora import Corpora
from tests.answering.language_models import reply, statement
from tests.folders import corpus_of
from tests.hearing import heard
from tests.http.test_writing import a_model_that_says
from tests.llm.server import Scripted
from tests.visitor import Visitor, no_tokens, page_of

STATED = reply(
    statement("The <moon> pulls tides.", (1, "The moon pulls tides")), statement("Cheese floats.", (1, "Cheese"))
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("drafts") / "harbour"
    corpus_of(folder, {"tides.md": "The moon pulls tides twice a day.\n"})
    with page_of(str(folder), tokens=no_tokens(folder.parent)) as (address, _):
        yield address


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    yield from a_model_that_says(STATED, monkeypatch)


def begun(home: str, method: str, path: str, fields: dict[str, str], cookie: str = "") -> http.client.HTTPResponse:
    """The head of an answer; the rest is read as it comes."""
    line = http.client.HTTPConnection(urlsplit(home).netloc, timeout=120)
    sent = {"Accept-Encoding": "gzip", "Cookie": cookie, "Origin": home}
    sent["Content-Type"] = "application/x-www-form-urlencoded"
    line.request(method, path, urlencode(fields) if fields else None, sent)
    return line.getresponse()


def until(answer: http.client.HTTPResponse, words: str) -> str:
    """What came until these words had come."""
    text = ""
    while words not in text:
        part = answer.read1()
        assert part, text
        text += part.decode()
    return text


def test_an_answer_is_seen_while_it_is_written(home: str, model: Scripted) -> None:
    model.script = ["halting"]
    answer = begun(home, "GET", "/?q=what+pulls+tides", {})
    first = until(answer, "The &lt;moon&gt;")
    assert "Your language model writes" in first
    assert "Confidence" not in first
    model.over.set()
    rest = answer.read().decode()
    assert 'class="statements' in rest
    assert "Left out (1)" in rest
    assert (first + rest).count("</html>") == (first + rest).count("<h1") == 1


def test_a_turn_of_a_conversation_is_seen_while_it_is_written(home: str, model: Scripted) -> None:
    visitor = Visitor(home).look("/?q=What+pulls+tides%3F")
    model.script = ["halting"]
    cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    fields = {str(one.attributes["name"]): str(one.attributes["value"]) for one in visitor.nodes("input[type=hidden]")}
    answer = begun(home, "POST", "/ask", fields | {"q": "What floats?"}, cookie)
    first = until(answer, '<p class="draft"')
    assert first.count('class="turn"') == 1
    assert ">What floats?</h2>" in first
    model.over.set()
    rest = answer.read().decode()
    assert rest.count('name="turn"') == 2
    assert (first + rest).count("</main>") == 1


def test_what_the_page_asks_names_its_service(home: str, model: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    chains = heard(monkeypatch, Corpora, "ask", lambda *words: words[-1].through)
    for path in ("/?q=moon", "/?q=what+pulls+tides"):
        assert Visitor(home).ask("GET", path).status == 200
    assert len(chains) > 1
    assert {len(chain) for chain in chains} == {1}


def test_a_model_that_fails_is_told_where_the_answer_would_be(home: str, model: Scripted) -> None:
    model.always = "breaking"
    text = begun(home, "GET", "/?q=what+pulls+tides", {}).read().decode()
    assert text.index('class="draft"') < text.index('class="problem"')
    assert text.count("</html>") == 1
