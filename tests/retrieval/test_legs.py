"""What `lexical` and `scan` do alike: each test runs with both."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biblicus.contracts import Call, Given, Held
from biblicus.errors import Cancelled
from biblicus.models.question import Allow, Question
from biblicus.models.requests.query import Filters
from tests.sampling import examples


def ask(reader, text, k=10, languages=None, allow=None):
    """The rows found, in order."""
    return [hit.row for hit in reader.search(Question(text, languages or {"en": 1.0}), allow, k, Call())]


@pytest.fixture
def tides(chunk):
    return [
        chunk(0, "The moon pulls the tides of the sea."),
        chunk(1, "Harbours watch the tide tables in winter."),
        chunk(2, "A sonnet has fourteen lines."),
    ]


def test_finds_other_forms_of_a_word(read, tides):
    assert sorted(ask(read(tides), "tidal or a tide")) == [0, 1]


def test_without_stemming_only_the_word_as_written(read, tides):
    assert ask(read(tides, stemming="none"), "tides") == [0]


def test_words_are_ored_and_rarer_ones_count_more(read, tides):
    assert ask(read(tides), "fourteen tides")[0] == 2


def test_how_rare_the_words_of_a_question_are_is_told(read, tides):
    rarity = read(tides).rarity(Question("Which sonnet is about the tides and submarines?", {"en": 1.0}))
    assert set(rarity.weights) == {"sonnet", "tide"}
    assert 0 < rarity.of("tide") < rarity.of("sonnet") < rarity.of("submarin") == rarity.rarest


def test_a_title_counts_in_the_ranking_unless_told_otherwise(read, chunk):
    chunks = [chunk(0, "Nothing of note.", context="Lighthouses"), chunk(1, "Nothing of note.", context="Piers")]
    assert ask(read(chunks), "lighthouse") == [0]
    assert ask(read(chunks, title="none"), "lighthouse") == []


def test_stop_words_are_dropped_unless_nothing_else_is_left(read, tides, chunk):
    chunks = [*tides, chunk(3, "To be, or not to be: that is the question.")]
    assert ask(read(chunks), "the sonnet") == [2]
    assert ask(read(chunks), "to be or not to be")[0] == 3
    assert ask(read(chunks, stopwords="keep"), "the sonnet") == [2, *ask(read(chunks, stopwords="keep"), "the")]


def test_a_word_that_is_asked_twice_counts_twice(read, chunk):
    chunks = [chunk(0, "harbour"), chunk(1, "sonnet")]
    once, twice = (
        read(chunks).search(Question(text, {"en": 1.0}), None, 9, Call()) for text in ("sonnet", "sonnet sonnet")
    )
    assert twice[0].score == pytest.approx(2 * once[0].score, rel=1e-5)


def test_words_that_carry_a_question_weigh_least_where_it_names_a_page(read, chunk):
    def carried(title):
        chunks = [chunk(0, "Tell it in a sentence."), chunk(1, "Made fast to a bollard."), chunk(2, "A.", title=title)]
        question = Question("tell me in one sentence what a bollard does", {"en": 1.0})
        scores = {hit.row: hit.score for hit in read(chunks).search(question, None, 9, Call())}
        return scores[0] / scores[1]

    assert carried("Bollard") < 0.8 * carried("Berths")


def test_a_quoted_phrase_is_required_in_order(read, chunk):
    chunks = [
        chunk(0, "The harbour master keeps the tables."),
        chunk(1, "The master of the harbour keeps the tables."),
        chunk(2, "tables tables tables"),
    ]
    for quoted in (
        '"harbour master"',
        "“harbour master”",
        "„harbour master“",
        "«harbour master»",
        "「harbour master」",
    ):
        assert ask(read(chunks), f"{quoted} tables") == [0]
    assert ask(read(chunks), "harbour master tables") != [0]


def test_a_phrase_keeps_its_stop_words(read, chunk):
    chunks = [chunk(0, "the master of the harbour"), chunk(1, "the master, a harbour")]
    assert ask(read(chunks), '"master of the harbour"') == [0]


def test_an_unbalanced_quote_and_inch_marks_are_punctuation(read, tides):
    assert ask(read(tides), '"sonnet lines') == [2]
    assert ask(read(tides), '5" sonnet 3" pipes') == [2]


def test_quotes_in_a_pasted_passage_are_the_passages_own(read, tides):
    passage = 'The "sonnet" as a "form of verse" is old. ' * 12
    assert ask(read(tides), passage) == [2]


def test_no_phrase_spans_title_and_text_or_two_names(read, chunk):
    chunks = [chunk(0, "master plan getUserName parseQuery", context="The harbour")]
    assert ask(read(chunks), '"harbour master"') == []
    assert ask(read(chunks), '"name parse"') == []
    assert ask(read(chunks), '"user name"') == [0]


def test_accents_and_case_do_not_matter(read, chunk):
    chunks = [chunk(0, "Un Café très agréable", language="fr"), chunk(1, "Die Straße am Hafen", language="de")]
    languages = {"fr": 0.5, "de": 0.5}
    assert ask(read(chunks), "cafe", languages=languages) == [0]
    assert ask(read(chunks), "STRASSE", languages=languages) == [1]


def test_full_width_letters_and_ligatures_are_ordinary_ones(read, chunk):
    assert ask(read([chunk(0, "ＡＢＣ ﬁnance")]), "abc finance") == [0]


def test_each_chunk_is_stemmed_by_its_own_language(read, chunk):
    chunks = [
        chunk(0, "Die Häuser stehen am Hafen.", language="de"),
        chunk(1, "The houses stand at the harbour.", language="en"),
        chunk(2, "школы города", language="ru"),
    ]
    languages = {"de": 0.34, "en": 0.33, "ru": 0.33}
    assert ask(read(chunks), "Haus", languages=languages) == [0]
    assert ask(read(chunks), "house", languages=languages) == [1]
    assert ask(read(chunks), "школа", languages=languages) == [2]


def test_a_word_with_forms_in_several_languages_counts_once(read, chunk):
    """`tables` has different stems in English and French; a chunk that has both must not be credited twice."""
    chunks = [chunk(0, "harbour tables", language="en"), chunk(1, "harbour harbour", language="fr")]
    languages = {"en": 0.5, "fr": 0.5}
    scores = read(chunks).search(Question("harbour", languages), None, 9, Call())
    alone = read(chunks).search(Question("harbour", {"en": 1.0}), None, 9, Call())
    assert [hit.score for hit in scores] == pytest.approx([hit.score for hit in alone], rel=1e-5)


@pytest.mark.parametrize("asked", ["黑猫", "猫", "黑", "跑", "黑猫跑", '"黑猫跑"', "「黑猫」"])
def test_chinese_is_found_by_words_and_single_characters(read, chunk, asked):
    chunks = [
        chunk(0, "昨天黑猫跑", language="zh"),
        chunk(1, "今天下雨", language="zh"),
        chunk(2, "Rain", language="en"),
    ]
    assert ask(read(chunks), asked, languages={"zh": 0.7, "en": 0.3}) == [0]


@pytest.mark.parametrize(
    ("text", "asked"),
    [("東京大学の図書館", "大学"), ("한국어를 배웁니다", "한국어"), ("ภาษาไทยสวย", "ไทย"), ("カタカナ語", "カナ")],
)
def test_scripts_without_spaces_are_found_inside_runs(read, chunk, text, asked):
    assert ask(read([chunk(0, text, language=None), chunk(1, "nothing", language=None)]), asked) == [0]


NAMES = ["getUserName", "get_user_name", "std::vector", "CObject", "parse_query_lenient", "file.close", "my-kebab-name"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_from_code_is_found_whole_and_by_its_last_part(read, chunk, name):
    part = {"getUserName": "name", "CObject": "object", "parse_query_lenient": "lenient", "my-kebab-name": "kebab"}
    reader = read([chunk(0, f"Call {name} here."), chunk(1, "Nothing of the kind.")])
    assert ask(reader, name) == [0]
    assert ask(reader, part.get(name, name.replace("::", " ").replace(".", " ").split("_")[-1])) == [0]


def test_a_name_asked_alone_finds_where_its_parts_stand_together_first(read, chunk):
    scattered = "parse the query; a lenient parse of each query, query after query, parse after parse. "
    chunks = [
        chunk(0, scattered * 3),
        chunk(1, "Some text of average length about parse_query_lenient and what it does."),
    ]
    assert ask(read(chunks), "parse_query_lenient")[0] == 1
    assert ask(read(chunks), "parseQueryLenient")[0] == 1


@pytest.mark.parametrize(
    ("asked", "row"), [("C++", 0), ("c++", 0), ("C#", 1), ("c#", 1), (".NET", 2), (".net", 2), ("F#", 3)]
)
def test_languages_with_names_made_of_symbols_are_told_apart(read, chunk, asked, row):
    chunks = [
        chunk(i, f"Written in {name} by hand.") for i, name in enumerate(["C++", "C#", "the .NET way", "F#", "C"])
    ]
    assert ask(read(chunks), asked)[0] == row


@pytest.mark.parametrize(
    "blank", ["", "   ", "???", '"', '""', '" "', "😀", "\0", "\ud800", "-", "()", "«»", "* OR *"[:1]]
)
def test_a_question_without_words_finds_nothing(read, tides, blank):
    assert ask(read(tides), blank) == []


@pytest.mark.parametrize(
    "asked", ["what's the sonnet", "a AND (sonnet", "sonnet\0", "\ud800 sonnet", "text:sonnet^2~", "sonnet*"]
)
def test_no_punctuation_is_an_operator(read, tides, asked):
    assert ask(read(tides), asked) == [2]


@settings(max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=80) | st.text(alphabet="\"“”«»'_.:-+# aAzZé猫ไ한\0\ud800", max_size=60))
def test_any_text_is_a_valid_question_and_a_valid_chunk(hostile_reader, text):
    reader, scanner = hostile_reader
    found = ask(reader, text, languages={"en": 0.6, "de": 0.2, "zh": 0.2})
    assert found == ask(scanner, text, languages={"en": 0.6, "de": 0.2, "zh": 0.2})
    assert 0.0 <= reader.support(Question(text, {"en": 1.0}), [Held(text, None), Held("", None)]) <= 1.0


@pytest.fixture
def hostile_reader(built, chunk):
    from biblicus.retrieval.words import scan

    chunks = [chunk(0, "a 猫 getUserName zé"), chunk(1, "\0 \ud800 \uffff"), chunk(2, "aZ zA 한ไ", language="zh")]
    return built(chunks), scan.build(scan.Options(), Given()).over(chunks)


def test_a_question_of_100_kilobytes_is_answered_in_time(read, tides):
    reader = read(tides)
    for huge in ("sonnet " * 15_000, "word_" * 20_000, "“a " * 30_000, "«" * 100_000, "aA" * 50_000):
        reader.search(Question(huge, {"en": 1.0}), None, 10, Call())
    assert ask(reader, "sonnet " * 15_000) == [2]


def test_every_hit_that_ties_with_the_last_is_returned(read, chunk):
    chunks = [chunk(row, "the same words") for row in range(300)] + [chunk(300, "the same words, words, words")]
    found = read(chunks).search(Question("words", {"en": 1.0}), None, 10, Call())
    assert [hit.row for hit in found] == [300, *range(300)]
    assert len({hit.score for hit in found}) == 2


def test_scores_descend_and_more_than_there_is_may_be_asked(read, tides):
    found = read(tides).search(Question("moon tide sea winter", {"en": 1.0}), None, 10_000, Call())
    assert [hit.row for hit in found] == [0, 1]
    assert found[0].score > found[1].score


def test_an_empty_index_and_nothing_asked_for_give_nothing(read, tides):
    assert ask(read([]), "moon") == []
    assert read([]).support(Question("moon", {"en": 1.0}), [Held("moon", None)]) == 1.0
    assert ask(read(tides), "moon", k=0) == []


def test_a_cancelled_call_stops(read, tides):
    call = Call()
    call.cancel.set()
    with pytest.raises(Cancelled):
        read(tides).search(Question("moon", {"en": 1.0}), None, 10, call)


# --- filters ---


@pytest.fixture
def shelf(chunk):
    return [
        chunk(0, "tide", tags=("sea", "moon"), media_type="text/markdown", doctype="doc", path="docs/sea/tide.md"),
        chunk(1, "tide tide", tags=("sea",), media_type="text/plain", doctype="data", path="docs/tide.txt"),
        chunk(2, "tide tide", media_type="application/pdf", doctype="paper", language="de", path="papers/tide [1].pdf"),
        chunk(3, "tide and more", media_type="text/x-python", doctype="code", language=None, path="tide.py", item=9),
    ]


@pytest.mark.parametrize(
    ("filters", "rows"),
    [
        (Filters(), {0, 1, 2, 3}),
        (Filters(tag=("sea",)), {0, 1}),
        (Filters(tag=("sea", "moon")), {0}),
        (Filters(tag=("Sea",)), set()),
        (Filters(type=("text/*",)), {0, 1, 3}),
        (Filters(type=("pdf",)), {2}),
        (Filters(type=("markdown", "text/plain")), {0, 1}),
        (Filters(doctype=("code", "paper")), {2, 3}),
        (Filters(language=("de",)), {2}),
        (Filters(language=("en", "de")), {0, 1, 2}),
        (Filters(path=("docs/**",)), {0, 1}),
        (Filters(path=("docs/*",)), {1}),
        (Filters(path=("docs/",)), {0, 1}),
        (Filters(path=("**/*.md", "*.py")), {0, 3}),
        (Filters(path=("**/tide.???",)), {1}),
        (Filters(path=("papers/tide [[]1].pdf",)), {2}),
        (Filters(path=("*.[pm]?",)), {3}),
        (Filters(path=("docs/sea/tide.md",)), {0}),
        (Filters(path=("docs/sea/tideXmd",)), set()),
        (Filters(tag=("sea",), doctype=("data",), path=("docs/**",)), {1}),
        (Filters(path=("?" * 1_200,)), set()),
    ],
)
def test_a_filter_leaves_what_fits_with_unchanged_scores(read, shelf, filters, rows):
    reader = read(shelf)
    question = Question("tide", {"en": 0.75, "de": 0.25})
    whole = {hit.row: hit.score for hit in reader.search(question, None, 10, Call())}
    found = {hit.row: hit.score for hit in reader.search(question, Allow(filters), 10, Call())}
    assert found == {row: whole[row] for row in rows}


def test_item_rows_are_a_filter_and_none_allowed_finds_none(read, shelf):
    reader = read(shelf)
    assert ask(reader, "tide", allow=Allow(Filters(), frozenset([9]))) == [3]
    assert set(ask(reader, "tide", allow=Allow(Filters(tag=("sea",)), frozenset([1, 9])))) == {1}
    assert ask(reader, "tide", allow=Allow(Filters(), frozenset())) == []


# --- support ---


def test_support_is_the_weighted_share_of_the_questions_words(read, tides):
    reader = read(tides)

    def support(text, *texts):
        return reader.support(Question(text, {"en": 1.0}), [Held(held, None) for held in texts])

    assert support("the moon and tides", "A moon", "tides of the moon") == 1.0
    assert support("moon harbour", "moon") == 0.5
    assert support("tides sonnet", "sonnet") > 0.5  # the rarer word weighs more
    assert support("tides zeppelin", "tides") < 0.4  # a word that is nowhere weighs most
    assert support('"moon pulls" zeppelin', "moon pulls") > support("moon zeppelin", "moon")
    assert support("zeppelin", "moon") == 0.0
    assert support("getUserName", "get_user_name") == 1.0
    assert support("???", "moon") == 0.0
    assert support("moon") == 0.0
