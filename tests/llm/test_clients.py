"""Both providers, over their real protocols: what is sent, what is understood, what is survived."""

import asyncio
import json
import sys
import time
import tracemalloc

import pytest

from biblicus.errors import BiblicusError, ConfigInvalid, ExtraMissing, LLMError
from tests.llm.conftest import Make, ask, client, real_client
from tests.llm.server import KEY, Scripted

SCHEMA = {
    "type": "object",
    "properties": {"capital": {"type": "string"}},
    "required": ["capital"],
    "additionalProperties": False,
}
PARIS = '{"capital": "Paris"}'


def refused(client, **options) -> LLMError:
    with pytest.raises(LLMError) as caught:
        ask(client, **options)
    return caught.value


# --- what any model must do, the real one too ---


@pytest.fixture(params=["ours", "real"])
def any_model(request, make: Make, server: Scripted, provider: str):
    if request.param == "real":
        if provider != "ollama":
            pytest.skip("the real server is asked once")
        return real_client()
    server.says = lambda asked: PARIS if asked.schema else "Good day."
    return make()


def test_a_model_replies_with_text_and_counts_tokens(any_model):
    found = ask(any_model, "Say good day.", max_tokens=32)
    assert found.text.strip()
    assert found.tokens["output"] > 0
    assert found.tokens["input"] > 0
    assert found.tokens["requests"] == 1


def test_a_model_asked_with_a_schema_gives_json_that_fits(any_model):
    found = ask(any_model, "What is the capital of France?", json_schema=SCHEMA)
    assert set(json.loads(found.text)) == {"capital"}


# --- what is sent ---


def test_the_request_holds_prompts_schema_and_limits(make: Make, server: Scripted, provider: str):
    server.says = [PARIS]
    ask(make(), "Which?", system_prompt="Be short.", json_schema=SCHEMA, max_tokens=77, temperature=0.5)
    (asked,) = server.asked
    assert (asked.system, asked.user, asked.schema) == ("Be short.", "Which?", SCHEMA)
    assert not asked.body.get("tools")
    if provider == "ollama":
        assert asked.body["options"]["num_predict"] == 77
        assert asked.body["options"]["temperature"] == 0.5
    else:
        assert asked.body["max_tokens"] == 77
        assert asked.body["temperature"] == 0.5


def test_ollama_gets_room_for_a_long_prompt(server: Scripted):
    ours = client("ollama", {"model": "tiny", "url": server.url})
    ask(ours, "word " * 20_000)
    ask(ours, "short")
    assert [asked.body["options"]["num_ctx"] for asked in server.asked] == [65_536, 8192]


def test_options_of_the_user_go_to_the_server_as_they_are(make: Make, server: Scripted, provider: str):
    ask(make(options={"top_k": "5", "seed": None, "temperature": "0.25", "stop": "END"}))
    sent = server.asked[0].body["options"] if provider == "ollama" else server.asked[0].body
    assert (sent["top_k"], sent["temperature"], sent["stop"]) == (5, 0.25, "END")
    assert "seed" not in sent


def test_ollama_is_told_how_long_to_keep_the_model(server: Scripted):
    for told, sent in (("10m", "10m"), ("-1", -1.0), ("0", 0.0)):
        ask(client("ollama", {"model": "tiny", "url": server.url, "keep_alive": told}))
        assert server.asked[-1].body["keep_alive"] == sent


def test_no_address_of_the_environment_is_asked(server: Scripted, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:1")
    assert ask(client("ollama", {"model": "tiny", "url": server.url})).text == "Good day."


def test_a_reply_may_hold_what_some_readers_take_for_the_end_of_a_line(server: Scripted):
    server.says = ["one\u0085two\u2028three"]
    assert ask(client("ollama", {"model": "tiny", "url": server.url})).text == "one\u0085two\u2028three"


def test_without_its_library_the_extra_is_named(server: Scripted, monkeypatch: pytest.MonkeyPatch):
    ours = client("ollama", {"model": "tiny", "url": server.url})
    monkeypatch.setitem(sys.modules, "ollama", None)
    with pytest.raises(ExtraMissing, match=r"needs an extra") as caught:
        ask(ours)
    assert caught.value.hint == 'pip install "biblicus-corpus[ollama]"'


def test_a_model_is_told_whether_to_think(server: Scripted):
    server.always = "thinking"
    found = ask(client("ollama", {"model": "tiny", "url": server.url, "think": "false"}))
    assert server.asked[0].body["think"] is False
    assert found.text == "Good day."


def test_a_key_comes_from_the_named_variable(make: Make, server: Scripted, monkeypatch: pytest.MonkeyPatch):
    server.key = KEY
    monkeypatch.setenv("MY_KEY", KEY)
    assert ask(make(key_env="MY_KEY")).text == "Good day."


def test_a_missing_key_is_said_before_anything_is_sent(make: Make, server: Scripted):
    with pytest.raises(LLMError) as caught:
        make(key_env="MY_KEY")
    assert caught.value.hint == "export MY_KEY=…"
    assert not server.asked


def test_no_key_of_the_environment_is_sent_unasked(make: Make, server: Scripted, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OLLAMA_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    ask(make())
    assert KEY not in str(server.asked[0].headers)


def test_a_wrong_key_is_not_repeated_and_not_shown(make: Make, server: Scripted, monkeypatch: pytest.MonkeyPatch):
    server.key = KEY
    monkeypatch.setenv("MY_KEY", "another")
    error = refused(make(key_env="MY_KEY"))
    assert "401" in error.message
    assert "another" not in error.message + error.hint
    assert len(server.asked) == 1


def test_a_proxy_of_the_environment_is_not_used(make: Make, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert ask(make()).text == "Good day."


def test_a_redirect_is_not_followed(make: Make, server: Scripted):
    server.always = "redirect"
    assert "307" in refused(make()).message
    assert len(server.asked) == 1


# --- what is understood ---


def test_a_reply_is_heard_while_it_is_written(make: Make, server: Scripted):
    server.says = ["The tide follows the moon, twice a day."]
    heard: list[str] = []
    found = ask(make(hear=heard.append))
    assert len(heard) > 2
    assert "".join(heard) == found.text


def test_a_repeated_reply_voids_what_was_heard(make: Make, server: Scripted):
    server.script = ["failing"]
    heard: list[str] = []
    found = ask(make(hear=heard.append))
    assert heard.count("") == 2
    assert "".join(heard[len(heard) - heard[::-1].index("") :]) == found.text


def test_servers_that_do_not_stream_or_count_are_understood(make: Make, server: Scripted):
    server.script = ["one object", "no usage"]
    assert ask(make()).text == "Good day."
    assert ask(make()).tokens == {"requests": 1}


def test_a_server_without_schemas_is_asked_for_less(server: Scripted):
    server.always = "no schemas"
    server.says = [f"```json\n{PARIS}\n```"]
    ours = client("openai-compatible", {"model": "tiny", "url": f"{server.url}/v1"})
    assert json.loads(ask(ours, json_schema=SCHEMA).text) == {"capital": "Paris"}
    forms = [(asked.body.get("response_format") or {}).get("type") for asked in server.asked]
    assert forms == ["json_schema", "json_object"]
    ask(ours, json_schema=SCHEMA)
    assert len(server.asked) == 3, "what a server cannot do is asked once"


def test_a_bad_request_that_no_form_helps_is_an_error(server: Scripted):
    server.always = "400"
    ours = client("openai-compatible", {"model": "tiny", "url": f"{server.url}/v1"})
    assert "400" in refused(ours, json_schema=SCHEMA).message


# --- replies that do not fit ---


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("Paris, of course.", "it is no JSON"),
        ('{"capital": "Par', "it is no JSON"),
        ('{"capital": 7}', "does not fit type"),
        ('{"town": "Paris"}', "does not fit"),
        ('{"capital": "Paris", "capital": "Rome"}', "it is no JSON"),
        ('{"capital": NaN}', "it is no JSON"),
        ("[" * 100_000, "it is"),
        ("", "it is no JSON"),
    ],
)
def test_a_reply_that_does_not_fit_is_sent_back_with_what_is_wrong(make: Make, server: Scripted, reply, problem):
    server.says = [reply, PARIS]
    found = ask(make(), "Which?", json_schema=SCHEMA, max_tokens=4000)
    assert json.loads(found.text) == {"capital": "Paris"}
    assert found.tokens["requests"] == 2
    assert problem in server.asked[1].user
    assert reply[:50] in server.asked[1].user
    assert server.asked[1].user.startswith("Which?")


def test_after_so_many_repairs_the_error_has_both(make: Make, server: Scripted):
    server.says = ["I would rather not."]
    error = refused(make(repairs=2), json_schema=SCHEMA)
    assert len(server.asked) == 3
    assert "it is no JSON" in error.message
    assert error.reply == "I would rather not."
    assert "rather" not in error.message, "a reply may repeat the corpus, and an error must not"
    assert "rather" in error.__notes__[0]


def test_a_reply_that_was_cut_gets_more_room(make: Make, server: Scripted, provider: str):
    server.script = ["length"]
    server.says = ['{"capital": "Par', PARIS]
    ask(make(), json_schema=SCHEMA, max_tokens=100)
    limits = [asked.body["options"]["num_predict"] if provider == "ollama" else asked.body["max_tokens"]
              for asked in server.asked]  # fmt: skip
    assert limits == [100, 200]
    assert "it was cut after 100 tokens" in server.asked[1].user


def test_a_thought_before_the_json_is_taken_off(make: Make, server: Scripted):
    server.says = [f"<think>France? {{Paris}}.</think>\n\n{PARIS}"]
    assert json.loads(ask(make(), json_schema=SCHEMA).text) == {"capital": "Paris"}
    assert len(server.asked) == 1


# --- servers that fail ---


@pytest.mark.parametrize("act", ["503", "429", "500", "hang up", "truncated", "torn", "failing", "nested"])
def test_what_may_pass_is_tried_again(make: Make, server: Scripted, act: str):
    server.script = [act]
    assert ask(make()).text == "Good day."
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "act",
    ["503", "500", "hang up", "truncated", "torn", "failing", "endless", "endless line", "bomb", "nested", "html",
     "other shape"],
)  # fmt: skip
def test_what_does_not_pass_is_an_error_after_so_many_attempts(make: Make, server: Scripted, act: str):
    server.always = act
    began = time.monotonic()
    error = refused(make(attempts=2, seconds=60))
    assert len(server.asked) == 2
    assert error.code == "llm"
    assert error.category == "partition"
    assert "\x1b" not in error.message
    assert "\n" not in error.message
    assert time.monotonic() - began < 100


@pytest.mark.parametrize("act", ["endless", "endless line", "bomb"])
def test_no_reply_takes_much_memory(make: Make, server: Scripted, act: str):
    server.always = act
    bare = make(bare=True)
    ask_once = pytest.raises(LLMError)
    tracemalloc.start()
    try:
        with ask_once:
            ask(bare, max_tokens=100)
        assert tracemalloc.get_traced_memory()[1] < 24 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("act", ["400", "401", "403", "418"])
def test_what_will_not_pass_is_not_tried_again(make: Make, server: Scripted, act: str):
    server.always = act
    assert act in refused(make()).message
    assert len(server.asked) == 1


def test_a_server_that_is_down_says_what_to_start(make: Make, server: Scripted, provider: str):
    ours = make()
    server.stop()
    server.stop = lambda: None
    error = refused(ours)
    assert "there is no connection" in error.message
    assert error.hint == "ollama serve" if provider == "ollama" else "start the server" in error.hint


def test_a_model_that_is_not_there_says_how_to_get_it(make: Make, provider: str):
    error = refused(make(model="llama3.2"))
    assert "llama3.2" in error.message
    assert error.hint == "ollama pull llama3.2" if provider == "ollama" else "another model" in error.hint


@pytest.mark.parametrize("act", ["silent", "dripping"])
def test_a_reply_that_takes_too_long_is_given_up_at_once(make: Make, server: Scripted, act: str):
    server.always = act
    began = time.monotonic()
    error = refused(make(seconds=0.5))
    assert time.monotonic() - began < 10  # the server takes 20
    assert "within 0.5 s" in error.message
    assert len(server.asked) == 1, "another attempt would take as long"


def test_a_reply_can_be_cancelled_while_it_is_written(make: Make, server: Scripted):
    server.always = "dripping"

    async def cancelled() -> None:
        task = asyncio.create_task(make().generate("Count."))
        assert await asyncio.to_thread(server.dripped.wait, 20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert not server.over.is_set()


def test_options_that_are_not_known_or_not_safe_are_refused(make: Make):
    for wrong in ({"mdoel": "x"}, {"url": "file:///etc/passwd"}, {"url": "http://me:secret@host/"}, {"model": ""},
                  {"key_env": "a b"}, {"seconds": 0}):  # fmt: skip
        with pytest.raises(ConfigInvalid):
            make(**wrong)


def test_the_errors_are_of_one_tree():
    assert issubclass(LLMError, BiblicusError)
