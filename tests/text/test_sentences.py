import time
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from biblicus.text.sentences import cut, last_word_end, sentences
from tests.sampling import each

PIECES = st.sampled_from(
    ["Word ", "word", ". ", "? ", "…", "\n", "\n\n", "\n \n", " ", "Dr. ", "e.g. ", "3.14", "。", "漢字", "」", "؟ ",
     "।", "é", "\u0301", "👩\u200d👧", "👍🏽", '."', "\u2028", "\x85", "\ud83d", "\r\n"]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=60))


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@each(
    "expected",
    [
        ["One sentence.", "Another one!", "A third?", "The rest"],
        ["Dr. Smith met J. R. R. Tolkien, i.e. the author, et al. in Oxford.", "He left."],
        ["It costs 3.14 dollars at example.com.", "See Fig. 3 for more."],
        ["Vol. 12 is lost.", "I said no.", "He left."],
        ["Chapter 14. Budgets are made.", "We saw chapter 14.", "They last."],
        ["He said: “Stop!”", "(Nobody did.)", "“Why?” she asked."],
        ["Wait... what?", "Well…", "Nothing."],
        ["Am 3. Oktober kam er, d. h. spät.", "Es war 1990.", "Dann ging er."],
        ["Im 19. Jahrhundert kam der 2. Weltkrieg nicht.", "Wir waren 12.", "Er war der 1. Vorsitzende."],
        ["Vive en los EE. UU. de día.", "Nació en EE. UU.", "La Dra. Pérez lo vio, p. ej. Ana."],
        ["II. Dünya Savaşı bitti.", "2. Dünya Savaşı bitti."],
        ["Przy ul. Nowej, m.in. Jan, są łodzie.", "На ул. Ленина.", "Il dott. Bianchi c'era."],
        [
            "NumPy is imported as np.",
            "The item goes into the ul.",
            "It is hard for NP.",
            "A box by UL.",
            "The AV.",
            "No.",
        ],
        ["The answer is 12.", "Division by zero is an error.", "It fell by 3.", "Stock markets rose."],
        [
            "It was World War II.",
            "August was hot.",
            "Gültig bis zum 31.",
            "Danach nicht mehr.",
            "En 52 av. J.-C. déjà.",
        ],
        ["Elle a vu M. Dupont et Mme. Durand.", "Puis rien."],
        ["Nous venons à 10 h.", "Le bief mesure 40 m.", "P. Hume, d. h. Paul."],
        ["क्या हाल है?", "मैं ठीक हूँ।", "धन्यवाद।"],
        ["هل أنت بخير؟", "نعم.", "شكرا"],
    ],
)
def test_sentences_end_where_a_reader_ends_them(expected):
    assert split(" ".join(expected)) == expected
    assert split("\n".join(expected)) == expected


def test_the_number_of_a_list_item_is_no_sentence():
    assert split("1. Cast off.\n 2. Row.") == ["1. Cast off.", "2. Row."]
    assert split("We have 12. They have 7. Fine.") == ["We have 12.", "They have 7.", "Fine."]


def test_ideographic_full_stops_need_no_space():
    assert split("今日は晴れです。「雨。」でも！はい") == ["今日は晴れです。", "「雨。」", "でも！", "はい"]


def test_a_blank_line_ends_a_sentence_and_a_line_feed_does_not():
    assert split("A title\n\nA sentence on\ntwo lines") == ["A title", "A sentence on\ntwo lines"]
    assert split("A title\r\n \t\r\nText") == ["A title", "Text"]


def test_a_part_of_a_text_is_split_with_exact_offsets():
    text = "Skip. First one. Second one. Skip."
    assert [text[a:b] for a, b in sentences(text, 6, 28)] == ["First one.", "Second one."]


@given(TEXTS)
def test_sentences_are_ascending_exact_and_cover_all_that_is_visible(text):
    at = 0
    for start, end in sentences(text):
        assert at <= start < end
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()


def test_a_text_is_cut_at_a_sentence_else_a_word_else_anywhere():
    assert cut("One here. Two there.", 12) == len("One here.")
    assert cut("One here. Two there.", 9) == len("One here.")
    assert cut("One here. Two there.", 8) == len("One")
    assert cut("One here. Two there.", 20) == 20
    assert cut("你好吗朋友abcdef", 8) == 5
    assert cut("word and word", 10) == len("word and")
    assert cut("x" * 50, 20) == 20
    assert cut("你好吗朋友们", 4) == 4
    assert cut("anything", 0) == 0


def test_a_cut_leaves_characters_whole():
    assert cut("e\u0301" * 10, 9) == 8
    assert cut("漢字\u0301Word ", 3) == 3
    assert cut("👍🏽" * 5, 3) == 2
    assert cut("👩\u200d👧" * 3, 5) == 3


@example("\n👩\u200d👧", 2)
@given(TEXTS, st.integers(0, 70))
def test_a_cut_keeps_the_limit_and_never_loses_everything(text, limit):
    offset = cut(text, limit)
    assert 0 <= offset <= max(limit, 0)
    assert offset == len(text) if limit >= len(text) else True
    if text[:limit].strip():
        assert text[:offset].strip()
    if 0 < offset < limit < len(text):
        assert (
            not unicodedata.category(text[offset]).startswith("M")
            or text[offset - 1] == "\n"
            or text[offset - 1] in "।。"
        )


@given(TEXTS, st.data())
def test_the_last_word_end_divides_no_latin_word(text, data):
    high = data.draw(st.integers(0, len(text)))
    low = data.draw(st.integers(0, high))
    if low < high:
        offset = last_word_end(text, low, high)
        assert offset is None or low < offset <= high
        if offset is not None and offset < len(text):
            assert not (
                text[offset - 1].isascii()
                and text[offset - 1].isalnum()
                and text[offset].isascii()
                and text[offset].isalnum()
            )


@each(
    "unit",
    [".", "a.", "\n", "\n ", " ", "?!", ")", "。", "x", "e\u0301", "1.", "A. ", "\u0301", '."', "\u200d", "A.\n"],
)
def test_a_hostile_text_takes_seconds_at_most(unit):
    text = unit * (2**16 // len(unit)) + "x"
    began = time.thread_time()
    for _ in sentences(text):
        pass
    middle = time.thread_time()
    cut(text, len(text) - 3)
    assert middle - began < 8
    assert time.thread_time() - middle < 8
