"""Languages are told apart offline; what is unsure is not guessed."""

import re
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.text import languages
from biblicus.text.languages import _NO_PROSE, _WITH_ADDRESSES, detect


@pytest.fixture(params=["pycld2", "py3langid"], autouse=True)
def detector(request: pytest.FixtureRequest) -> Iterator[None]:
    """Both: which one is installed, a platform's wheels decide."""
    pytest.importorskip(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(languages, "has_cld2", lambda: request.param == "pycld2")
        yield


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The moon pulls the tides, twice a day.", "en"),
        ("Der Mond zieht die Gezeiten an, zweimal am Tag.", "de"),
        ("La lune attire les marées deux fois par jour.", "fr"),
        ("Однажды, в студеную зимнюю пору, я из лесу вышел", "ru"),
        ("في قرية من القرى كان هناك رجل حكيم", "ar"),
        ("人人生而自由,在尊严和权利上一律平等。", "zh"),
        ("人人生而自由,在尊嚴及權利上均各平等。", "zh"),
        ("すべての人間は、生まれながらにして自由である。", "ja"),
        ("모든 인간은 태어날 때부터 자유롭다.", "ko"),
        ("人", "zh"),
        ("ひ", "ja"),
        ("Мы и вы", "ru"),
    ],
)
def test_the_main_language_is_found(text: str, code: str) -> None:
    assert detect(text) == code


@pytest.mark.parametrize(
    "text", ["", "   \n", "1234 5678", "x", "def f(x):\n    return x", "\x00\x01\ud800\uffff", "`" * 99]
)
def test_what_is_unsure_is_none(text: str) -> None:
    assert detect(text) is None


def test_code_and_markup_do_not_hide_the_prose() -> None:
    text = "```python\n" + "for item in the_list_of_things: print(item)\n" * 20 + "```\n"
    text += '<div class="container navigation-bar">Die Fähre fährt täglich über den großen See, auch im Winter.</div>'
    assert detect(text) == "de"


@given(st.text(st.characters()))
def test_no_text_ever_fails_and_the_answer_is_stable(text: str) -> None:
    found = detect(text)
    assert found is None or (len(found) == 2 and found.isalpha() and found.islower())
    assert detect(text) == found


@pytest.mark.parametrize("unit", ["`", "<a", "{{", "http://", "|", "é", "```", "the "])
def test_a_hostile_mebibyte_takes_no_time(unit: str) -> None:
    hostile = unit * ((1 << 20) // len(unit))
    began = time.thread_time()
    detect(hostile)
    assert time.thread_time() - began < 5


_PLAINLY = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]{0,80}`|https?://\S{1,300}|</?[A-Za-z!][^<>\n]{0,200}>|\{\{[^{}\n]{0,80}\}\}|[|#*=_~]{1,80}",
    re.DOTALL,
)
"""What is no prose, written for people; ours is written for speed."""

_PIECES = ["`", "``", "```", "h", "http://", "https://", "<", "</", "!", ">", "{{", "}", "}}", "#", "|", "a b", "\n"]


@given(st.lists(st.sampled_from([*_PIECES, "x" * 80, "_" * 79, "é"]), max_size=16).map("".join))
def test_what_is_no_prose_is_found_as_by_the_plain_pattern(text: str) -> None:
    assert _WITH_ADDRESSES.sub(" ", text) == _PLAINLY.sub(" ", text)
    assert "http" in text or _NO_PROSE.sub(" ", text) == _PLAINLY.sub(" ", text)
