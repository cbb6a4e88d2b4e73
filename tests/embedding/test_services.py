"""Embedders behind a server: the wire protocols, and every way in which a server can let us down."""

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from biblicus.contracts import Call, Embedder, Given
from biblicus.embedding import embed_text, ollama, openai_compatible
from biblicus.errors import Cancelled, DeadlineExceeded, EmbedderUnavailable
from tests.embedding.server import DIM, Scripted, running, vector

TEXTS = [f"text number {number}" for number in range(10)]
Make = Callable[..., Embedder]


@pytest.fixture
def server() -> Iterator[Scripted]:
    with running() as scripted:
        yield scripted


@pytest.fixture(params=["ollama", "openai-compatible", "embed-text"])
def make(request: pytest.FixtureRequest, server: Scripted, monkeypatch: pytest.MonkeyPatch) -> Make:
    """An embedder of each protocol at the server."""
    monkeypatch.setattr("biblicus.guards.network.transport._FIRST_PAUSE", 0.01)

    def made(**options: object) -> Embedder:
        values = {"model": "tiny", "seconds": 1.0, "batch": 4, "attempts": 3} | options
        if request.param == "ollama":
            pytest.importorskip("ollama", reason="the extra [ollama] is not installed")
            return ollama.build(ollama.Options.model_validate({"url": server.url, **values}), Given())
        if request.param == "embed-text":
            return embed_text.build(embed_text.Options.model_validate({"url": server.url, **values}), Given())
        url = f"{server.url}/v1"
        return openai_compatible.build(openai_compatible.Options.model_validate({"url": url, **values}), Given())

    return made


def expected(texts: list[str]) -> np.ndarray:
    rows: np.ndarray = np.array([vector(text) for text in texts], np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def test_vectors_come_back_in_the_order_of_their_texts_normalised(make: Make, server: Scripted):
    texts = [*sorted(TEXTS, key=len, reverse=True), "short", "a rather longer text than the others"]
    vectors = make().embed(texts, Call())
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, expected(texts), atol=1e-6)
    assert [len(asked) for asked in server.asked] == [4, 4, 4]


def test_a_question_gets_the_same_vector_as_a_text(make: Make):
    embedder = make()
    np.testing.assert_allclose(embedder.question("moon", Call()), embedder.embed(["moon"], Call())[0], atol=1e-6)


def test_nothing_to_embed_gives_no_rows(make: Make):
    assert make().embed([], Call()).shape == (0, DIM)


def test_the_dimension_is_asked_for_where_nothing_is_known(make: Make):
    assert make().dim == DIM


def test_prefixes_are_put_before_texts_and_questions(make: Make, server: Scripted):
    embedder = make(text_prefix="passage: ", question_prefix="query: ")
    embedder.embed(["moon"], Call())
    embedder.question("moon", Call())
    assert server.asked == [["passage: moon"], ["query: moon"]]
    assert embedder.fingerprint != make().fingerprint


def test_used_tokens_are_counted_for_the_bill(make: Make):
    embedder = make()
    embedder.embed(TEXTS, Call())
    assert embedder.used_tokens == 3 * len(TEXTS)  # type: ignore[attr-defined]


def test_half_a_surrogate_pair_is_no_failure(make: Make):
    assert np.isfinite(make().embed(["moon \ud800 tide"], Call())).all()


@pytest.mark.parametrize(
    "fault",
    [
        "429", "500", "503", "silent", "hang up", "truncated", "not json", "empty", "text rows", "ragged", "zeros",
        "nan", "one too few",
    ],
)  # fmt: skip
def test_a_passing_fault_costs_nothing_but_time(make: Make, server: Scripted, fault: str):
    server.script = ["good", fault]
    is_silent = fault == "silent"  # then a good reply that takes its time is asked for again, too
    vectors = make(seconds=0.3 if is_silent else 60).embed(TEXTS, Call())
    np.testing.assert_allclose(vectors, expected(TEXTS), atol=1e-6)
    assert len(server.asked) == 4 or is_silent


def test_a_reply_of_another_dimension_is_asked_again(make: Make, server: Scripted):
    server.script = ["good", "wider"]
    assert np.isfinite(make().embed(TEXTS, Call())).all()


@pytest.mark.parametrize("kind", ["bad", "poison"])
def test_one_bad_text_costs_its_own_row_only(make: Make, server: Scripted, kind: str):
    setattr(server, kind, {TEXTS[1]})
    vectors = make().embed(TEXTS, Call())
    assert np.isnan(vectors[1]).all()
    np.testing.assert_allclose(np.delete(vectors, 1, axis=0), expected(TEXTS[:1] + TEXTS[2:]), atol=1e-6)


def test_a_bad_text_alone_at_the_start_is_told_from_a_bad_server(make: Make, server: Scripted):
    server.bad = {"moon"}
    assert np.isnan(make().embed(["moon"], Call())).all()


@pytest.mark.parametrize("fault", ["500", "not json", "nan", "400", "zeros"])
def test_a_server_that_never_gives_a_vector_is_an_error(make: Make, server: Scripted, fault: str):
    server.always = fault
    with pytest.raises(EmbedderUnavailable, match="tiny"):
        make().embed(TEXTS, Call())


@pytest.mark.parametrize("fault", ["401", "403", "404", "redirect"])
def test_what_no_repetition_mends_is_said_at_once(make: Make, server: Scripted, fault: str):
    server.script = ["good", fault]
    with pytest.raises(EmbedderUnavailable):
        make().embed(TEXTS, Call())
    assert len(server.asked) == 2


def test_a_server_that_goes_away_midway_leaves_what_was_embedded(make: Make, server: Scripted):
    server.script = ["good"]
    server.always = "503"
    embedder = make()
    vectors = embedder.embed(TEXTS, Call())
    assert np.isfinite(vectors).all(axis=1).sum() == 4
    asked = len(server.asked)
    assert asked == 1 + 3
    assert np.isnan(embedder.embed(["more"], Call())).all()
    assert len(server.asked) == asked  # it is gone for this run, and not waited for again


def test_a_server_that_is_not_there_is_an_error_with_a_command(make: Make, server: Scripted):
    embedder = make()
    server.stop()
    server.stop = lambda: None
    with pytest.raises(EmbedderUnavailable) as caught:
        embedder.question("moon", Call())
    assert "no connection" in caught.value.message
    assert caught.value.hint


def test_a_silent_server_is_left_at_the_deadline(make: Make, server: Scripted):
    server.always = "silent"
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        make(seconds=30).embed(TEXTS, Call(deadline=began + 0.2))
    assert time.monotonic() - began < 15


def test_a_silent_server_is_left_when_cancelled(make: Make, server: Scripted):
    server.always = "silent"
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        make(seconds=30).embed(TEXTS, Call(cancel=cancel))
    assert time.monotonic() - began < 15


def test_no_pause_outlasts_the_deadline(make: Make, server: Scripted):
    server.always = "500"
    embedder = make(attempts=20)
    server.script = ["good"]
    began = time.monotonic()
    with pytest.raises((DeadlineExceeded, EmbedderUnavailable)):
        embedder.embed(TEXTS, Call(deadline=began + 0.5))
    assert time.monotonic() - began < 15


def test_what_a_server_says_is_shown_without_its_control_characters(make: Make, server: Scripted):
    server.bad = {"moon"}
    with pytest.raises(EmbedderUnavailable) as caught:
        make().question("moon", Call())
    assert "I cannot take this" in caught.value.message
    assert caught.value.message.isprintable()


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://host/", "http://", "host:11434", "http://me:secret@host"])
def test_only_plain_web_addresses_are_taken(url: str):
    with pytest.raises(ValueError, match="http"):
        ollama.Options.model_validate({"model": "tiny", "url": url})


# --- what is each protocol's own --------------------------------------------------------------------------------------


def ollama_at(server: Scripted, model: str = "tiny") -> Embedder:
    pytest.importorskip("ollama", reason="the extra [ollama] is not installed")
    return ollama.build(ollama.Options(model=model, url=server.url), Given())


def test_ollama_is_known_by_the_digest_that_it_tells(server: Scripted):
    assert ollama_at(server).fingerprint.startswith("ollama/1 tiny:latest abcdef0123456789")
    assert ollama_at(server).max_tokens == 512


def test_a_model_that_ollama_lacks_names_the_command_that_fetches_it(server: Scripted):
    with pytest.raises(EmbedderUnavailable) as caught:
        _ = ollama_at(server, "other").fingerprint
    assert caught.value.hint == "ollama pull other"
    server.always = "404"
    with pytest.raises(EmbedderUnavailable) as caught:
        ollama_at(server).question("moon", Call())
    assert caught.value.hint == "ollama pull tiny"


def test_the_key_comes_from_the_environment_and_goes_to_the_server_only(
    server: Scripted, monkeypatch: pytest.MonkeyPatch
):
    options = openai_compatible.Options(model="tiny", url=server.url, key_env="A_KEY")
    monkeypatch.delenv("A_KEY", raising=False)
    with pytest.raises(EmbedderUnavailable, match="A_KEY"):
        openai_compatible.build(options, Given())
    monkeypatch.setenv("A_KEY", "s3cret")
    embedder = openai_compatible.build(options, Given())
    embedder.question("moon", Call())
    assert server.headers[0]["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in embedder.fingerprint
    server.always = "401"
    with pytest.raises(EmbedderUnavailable) as caught:
        embedder.question("tide", Call())
    assert "A_KEY" in caught.value.hint
    assert "s3cret" not in caught.value.message + caught.value.hint


def test_a_fingerprint_names_no_address(server: Scripted):
    for embedder in (
        ollama_at(server),
        openai_compatible.build(openai_compatible.Options(model="m", url=server.url), Given()),
    ):
        assert "127.0.0.1" not in embedder.fingerprint


def test_dimensions_are_asked_for_where_they_are_chosen(server: Scripted):
    options = openai_compatible.Options(model="tiny", url=server.url, dimensions=DIM)
    openai_compatible.build(options, Given()).question("moon", Call())
    assert server.bodies[0]["dimensions"] == DIM
