import pytest

from biblicus.models.question import Question
from biblicus.retrieval.words.wording import MOST_WORDS, Languages, understood
from biblicus.text.terms import analysis, identifiers
from tests.sampling import each

ENGLISH = Languages(("english",))


def words(text, languages=ENGLISH, **shares):
    return {
        variant: word.weight
        for word in understood(Question(text, shares), languages).words
        for variant in word.variants
    }


def test_words_are_stemmed_and_counted():
    assert words("Tides and the tide of tides") == {"tide": 3}


def test_the_rest_of_a_contraction_is_dropped_with_the_stop_words():
    assert words("What's the pier's depth, don't you know?").keys() == {"pier", "depth", "know"}
    assert "s" in words("pier's", Languages(("english",), stopwords=False))


def test_a_word_has_a_variant_for_each_language_of_the_run():
    [word] = understood(Question("Häuser"), Languages(("english", "german"))).words
    assert word.variants == ("hauser", "haus")


def test_a_question_in_another_language_of_the_run_loses_that_languages_stop_words():
    both = Languages(("english", "german"))
    asked = "Was ist der Unterschied zwischen den Gezeiten und dem Wetter an der Nordsee?"
    assert "ist" in words(asked, both, en=1.0)
    assert "ist" not in words(asked, both, en=0.6, de=0.4)


def test_a_long_question_is_limited_to_its_first_distinct_words():
    assert len(words(" ".join(f"word{n}" for n in range(2_000)))) == MOST_WORDS


def test_only_a_question_of_one_word_makes_a_hyphenated_word_a_name():
    assert understood(Question("boundary-layer"), ENGLISH).names
    assert understood(Question("boundary-layer flow"), ENGLISH).names == ((((0, "boundarylay"),),),)  # as one word
    assert understood(Question("the std::vector flow"), ENGLISH).names
    assert understood(Question("e.g. the flow"), ENGLISH).names == ((((0, "eg"),),),)
    assert not understood(Question("x." * 9_000), ENGLISH).names


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("getUserName", "get User Name"), ("HTTPServer2", "HTTP Server2"), ("parseJSON", "parse JSON"),
        ("CObject", "Object"), ("getUtf8String", "get Utf8 String"), ("größeDerSache", "größe Der Sache"),
        ("URLs", ""), ("IDs", ""), ("Harbour", ""), ("NASA", ""), ("lower", ""),
    ],
)  # fmt: skip
def test_names_are_split_at_their_humps(name, parts):
    assert identifiers.spaced(name) == parts
    assert identifiers.camels(f"see {name}.") == ([name] if parts else [])


def test_each_name_of_a_text_is_taken_once_and_data_is_not_a_name():
    assert identifiers.camels("aB getX, getX; fooBar " + "aGVsbG8" * 40) == ["aB", "getX", "fooBar"]


def test_long_runs_of_letters_are_not_indexed():
    assert analysis.analyzer("").analyze("tide " + "x" * 60 + " " + "y" * 59) == ["tide", "y" * 59]


def test_rare_languages_get_the_main_stemmer_and_frequent_ones_their_own():
    stemmers = analysis.Stemmers.among({"en": 195, "de": 4, "fr": 1, "": 900})
    assert [stemmers.of(language) for language in ("de", "fr", "en", None)] == [
        "german", "english", "english", "english",
    ]  # fmt: skip
    assert stemmers.chosen == ("english", "german")


def test_without_any_known_language_english_is_assumed():
    assert analysis.Stemmers.among({"": 2}).of(None) == "english"
    assert analysis.Stemmers.among({}).chosen == ("english",)


def test_a_language_without_a_stemmer_is_kept_as_written():
    assert analysis.Stemmers.among({"zh": 1, "zh-Hant": 1, "uk": 1}).chosen == ("",)
    assert analysis.stemmer_of("de-AT") == "german"
    assert analysis.stemmer_of("nb") == analysis.stemmer_of("no") == "norwegian"


@each("stemmer", sorted(set(filter(None, analysis.STEMMERS.values()))))
def test_every_language_that_is_stemmed_can_be_asked_in(stemmer):
    """The engine has stop lists for fewer languages than it has stemmers for."""
    languages = Languages((stemmer,))
    shares = {code: 1.0 for code, name in analysis.STEMMERS.items() if name == stemmer}
    assert understood(Question("words with meaning", shares), languages).words
