"""What is done in a cheaper way comes to what the plain way comes to: terms, headings, languages' samples, hashes."""

import hashlib
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from biblicus.text import anchoring, languages
from biblicus.text.terms import (
    analysis,
    identifiers,
)

STEMMERS = st.sampled_from(["english", "german", "russian", "vietnamese", ""])
TEXTS = st.text(st.sampled_from("aAzZ09é中ж .,'’-_:#`\n\t\r\x1f+CFcf"), max_size=40)


@given(TEXTS, STEMMERS, st.booleans())
@example("Running the RUNNERS' x" + "y" * 70 + " runs", "english", True)
def test_terms_are_those_of_the_analyzer(text: str, stemmer: str, is_telling: bool):
    stop_list = stemmer if is_telling else ""
    expected = (analysis.telling_analyzer(stemmer, stop_list) if stop_list else analysis.analyzer(stemmer)).analyze
    assert analysis.terms(text, stemmer, stop_list) == expected(text)
    assert analysis.terms(text, stemmer, stop_list) == expected(text)  # and again, as they are remembered


@pytest.mark.parametrize(
    ("written", "otherwise"),
    [("サーバー設定", "サーバ設定"), ("マインスイーパーで遊ぶ", "マインスイーパで遊ぶ"), ("コーヒー", "コーヒ")],
)
def test_words_in_katakana_are_the_same_with_a_long_end(written: str, otherwise: str):
    assert analysis.terms(analysis.bigrams(written), "") == analysis.terms(analysis.bigrams(otherwise), "")


def test_what_is_drawn_out_within_a_word_stays():
    assert analysis.terms(analysis.bigrams("データ"), "") != analysis.terms(analysis.bigrams("デタ"), "")


def test_no_more_words_are_remembered_than_a_bound(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(analysis, "_REMEMBERED", 3)
    words = analysis._Words(analysis.analyzer("english").analyze)
    assert [words[word] for word in ("runs", "tides", "moored", "pulls")] == ["run", "tide", "moor", "pull"]
    assert set(words) == {"pulls"}


@given(TEXTS, TEXTS, STEMMERS)
@example("Tide", "getUserName, " + "y" * 70 + "_runs e-mail 25kg 0470 12 34 56 U.S.A. C++ and c#.", "english")
def test_indexed_terms_are_those_of_the_ranked_text(context: str, text: str, stemmer: str):
    ranked = {token.text for token in analysis.analyzer(stemmer).pre_tokenize(analysis.ranked(context, text)).tokens}
    assert {term for _, term in analysis.placed(analysis.indexed(context, text, stemmer))} == ranked


@given(TEXTS, STEMMERS)
@example("tides " + "y" * 70 + " pull", "english")
def test_indexed_terms_are_at_the_places_of_words(text: str, stemmer: str):
    tokens = analysis.analyzer(stemmer).pre_tokenize(analysis.bigrams(analysis.normalised(text))).tokens
    expected = [(token.position, token.text) for token in tokens]
    if identifiers.with_symbols(text) == text:
        assert list(analysis.placed(analysis.indexed("", text, stemmer)))[: len(expected)] == expected


def test_no_more_words_are_remembered_for_an_index_than_a_bound(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(analysis, "_REMEMBERED", 3)
    analysis._indexed.cache_clear()
    assert analysis.indexed("", "runs tides moored pulls runs", "english") == "run tide moor pull run"
    assert len(analysis._indexed("english")) <= 3


@given(st.text(st.sampled_from("C#cfFaA \n.NET+"), max_size=20))
@example("## F#")
@example("# a c#")
@example("C#")
@example("c#")
def test_names_of_symbols_are_found_wherever_they_stand(text: str):
    expected = text.replace("C++", "C++ cplusplus ").replace("c++", "c++ cplusplus ")
    expected = re.sub(r"([CF])#|(?<![^ \n])(c)#", lambda name: f"{name[0]} {name[0][0].lower()}sharp ", expected)
    assert identifiers.with_symbols(text) == expected.replace(".NET", ".NET dotnet ")


@given(st.lists(st.sampled_from(["https://a.b/c", "http://", "http", "h", "`x`", "<a>", "word", " "])).map("".join))
def test_a_text_without_addresses_is_sampled_as_with_them(text: str):
    expected = languages._WITH_ADDRESSES.sub(" ", text).strip()
    assert languages._prose(text) == expected


@given(st.text(st.characters(codec="ascii"), max_size=40))
def test_the_hash_of_ascii_is_that_of_any_text(text: str):
    words = anchoring.normalised(text).encode()
    assert anchoring.content_hash(text) == (f"sha256:{hashlib.sha256(words).hexdigest()}" if words else None)


@given(st.text(st.sampled_from("a‘’“”«»′″\u00ad é"), max_size=20))
def test_all_quotes_are_one(text: str):
    unified = re.sub("[‘’′]", "'", re.sub("[“”«»″]", '"', text.replace("\u00ad", "")))
    assert anchoring.normalised(text) == " ".join(unified.split())


@pytest.mark.parametrize(
    ("written", "otherwise", "stemmer"),
    [
        ("१९४३ ١٩٤٣ ۱۹۴۳ ๑๙๔๓", "1943 1943 1943 1943", ""),
        ("İSTANBUL", "istanbul", "turkish"),
        ("کتاب", "كتاب", "arabic"),
        ("बिल्लियों यात्रियों", "बिल्ली यात्री", ""),
        ("ज़्यादा कहाँ", "ज्यादा कहां", ""),
    ],
)
def test_letters_that_are_written_in_several_ways_are_one(written: str, otherwise: str, stemmer: str):
    one, other = (analysis.terms(analysis.bigrams(text), stemmer) for text in (written, otherwise))
    assert one == other


@pytest.mark.parametrize("word", ["دکتر", "یک", "कुत्ते", "हिन्दी", "১৯৪৩", "௧௯௪௩", "İzmir"])
def test_a_foreign_word_is_the_same_in_a_long_text_as_alone(word: str):
    text = f"What the keeper of the lamp wrote about the harbour and its boats stands in the book {word} by hand."
    alone = analysis.terms(analysis.bigrams(word), "english")
    assert [term for term in analysis.terms(analysis.bigrams(text), "english") if term in alone] == alone


@pytest.mark.parametrize(
    ("text", "stemmer", "bare"),
    [
        ("Bodrum'un Kaş'ta", "turkish", "Bodrum Kaş"),
        ("Hawai'i Tu'i", "english", "Hawai'i Tu'i"),
        ("qu'un L'Oréal'in", "french", "qu'un L'Oréal'in"),
        ("the keeper's, they’re", "english", "the keeper, they"),
    ],
)
def test_what_an_apostrophe_joins_is_none_of_a_word_in_its_own_language(text: str, stemmer: str, bare: str):
    assert analysis.without_endings(text, (stemmer,)) == bare


def test_no_letter_of_another_script_is_folded_to_ascii():
    """Latin letters with hooks and strokes are typed without them (`ɗan`, `dan`); others name something else."""
    others = [
        letter
        for letter in map(chr, range(0x80, 0x1_0000))
        if letter.isalpha()
        and not unicodedata.normalize("NFKC", letter).isascii()
        and "\u0640" not in unicodedata.normalize("NFKC", letter)  # it only draws out the letter before
        and not re.search("LATIN|MODIFIER LETTER|ROMAN NUMERAL|PLANCK|KELVIN|ANGSTROM", unicodedata.name(letter, ""))
    ]
    assert len(others) > 40_000
    folded = analysis.bigrams(analysis.normalised("\n".join(f"x{letter}y" for letter in others)))
    assert not [
        term for term in analysis.terms(folded, "english") if term == "xy" or (term.isascii() and len(term) > 2)
    ]
    for word, lookalike in [("Wɔn", "won"), ("ɛyɛ", "eye"), ("Ŋa", "na"), ("сора", "copa"), ("Ωμε", "ome")]:
        assert not set(analysis.terms(analysis.bigrams(word), "english")) & {lookalike}


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("10⁶ litres", "10^6 litres"),
        ("בַּנָּמֵל", "נמל"),
        ("והספינות", "הספינות"),
        ("בית הספר", "ספר בית"),
        ("नौकाएँ", "नौका"),
    ],
)
def test_words_of_a_question_are_found_in_their_other_forms(text: str, question: str) -> None:
    indexed, asked = (analysis.terms(analysis.bigrams(analysis.normalised(words)), "") for words in (text, question))
    assert {*asked} <= {*indexed}
    assert "106" not in indexed


@pytest.mark.parametrize(
    ("text", "spellings"),
    [
        ("a rope of 25kg", ["25 kg"]),
        ("1,234,567 crowns, 3.14 or 1,23", ["1234567"]),
        ("1,200.50 or 1.200,5", ["1200.50", "1200,5"]),
        ("e-mail to AT&T", ["email", "ATT"]),
        ("AB-1042 or AB1042", ["AB1042", "AB 1042"]),
        ("DE89 3704 0044 0532 0130 00", ["DE89370400440532013000", "DE 89"]),
        ("the U.S.A.", ["USA"]),
        ("a sum, a3f5b6c7d8, and plain words", []),
    ],
)
def test_joined_words_have_other_spellings(text: str, spellings: list[str]) -> None:
    assert sorted(identifiers.joined(text)) == sorted(spellings)
