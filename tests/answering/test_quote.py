"""What `quote` promises of any text: exact spans, within the words, and nothing where nothing fits."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.answering import question_words
from biblicus.answering.quoting import definitions, question_forms
from biblicus.answering.quoting.confidence import LEAST, confidence, signs
from biblicus.answering.quoting.question_terms import kind_of, question_terms, terms_in
from biblicus.answering.quoting.quote import Options, build
from biblicus.answering.quoting.scoring import quotable, scored
from biblicus.answering.reader.reading.units import units, words
from biblicus.answers.answer import answer_from
from biblicus.contracts import Call, Given
from biblicus.errors import EmbedderUnavailable
from biblicus.models.evidence import Evidence, Likeness, Rarity, Result
from biblicus.models.extraction import Extraction, Heading
from biblicus.models.plain import encoded
from biblicus.models.requests.answer import AnswerRequest
from biblicus.text.terms import analysis
from tests.sampling import each, examples

TEXTS = st.text(
    st.one_of(
        st.sampled_from(list("abc lamp. harbour, was lit; in 1842\n\n# - | 灯塔。建于，年 Гавань ü-")),
        st.characters(codec="utf-8"),
    ),
    max_size=1_500,
)


def piece(text: str, rank: int = 1, **more: Any) -> Evidence:
    made = Evidence(
        rank=rank, score=10.0 / rank, corpus_id="c", item_id=f"i{rank}", chunk_id=f"i{rank}:0", path=f"{rank}.txt",
        source_uri=f"{rank}.txt", media_type="text/plain", text=text, snippet="", stage="retrieve", stage_scores={},
        recipe_id="r", run_id="run", hash="", item_sha256="", extraction_id="x", span_start=100,
        span_end=100 + len(text),        line_start=7, line_end=7 + text.count("\n"), language="en",
    )  # fmt: skip
    return replace(made, **more)


def result(*pieces: Evidence, insufficient: bool = False) -> Result:
    return Result("q", "c", "run", "r", "v", None, "now", pieces, insufficient, {}, {})


def drafted(question: str, *pieces: Evidence, max_words: int = 60):
    return build(Options(max_words=max_words), Given()).answer(question, result(*pieces), Call())


@settings(max_examples=examples(200), deadline=None)
@given(TEXTS, st.integers(1, 50))
def test_units_cover_every_visible_character_once_and_are_short(text, longest):
    found = list(units(text, longest))
    covered = "".join(text[unit.start : unit.end] for unit in found)
    assert "".join(covered.split()) == "".join(text.split())
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(unit.words == words(unit.reads) for unit in found)
    assert all(unit.words <= longest for unit in found if unit.says)
    assert all(text[unit.start : unit.end].strip() == text[unit.start : unit.end] for unit in found)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.integers(5, 60))
def test_what_is_quoted_stands_in_the_evidence_and_keeps_to_the_words(texts, max_words):
    pieces = [piece(text, rank) for rank, text in enumerate(texts, 1)]
    found = drafted("When was the lamp of the harbour lit in 1842? 灯塔", *pieces, max_words=max_words)
    for statement in found.statements:
        citation, *header = statement.citations
        assert statement.quoted
        assert citation.piece.text[citation.start : citation.end] == citation.text != ""
        assert len(header) <= 1
        cited = citation.as_evidence()
        assert citation.piece.text[cited.span_start - 100 :][: len(cited.text)] == cited.text
        assert cited.line_start == 7 + citation.piece.text.count("\n", 0, citation.start)
    assert sum(words(statement.text) for statement in found.statements) <= max_words
    assert bool(found.statements) is (found.confidence >= LEAST)


def test_two_hundred_words_of_one_sentence_are_cut_where_clauses_end():
    filler = ", ".join(f"and thing {number} lay upon the quay beside the others" for number in range(20))
    text = f"It is told that {filler}, while the keeper hid the golden key under the seventh stone, {filler}."
    found = drafted("Where did the keeper hide the golden key?", piece(text))
    assert words(found.statements[0].text) <= 60
    assert "hid the golden key under the seventh stone" in found.statements[0].text
    assert found.statements[0].text[-1] in ",."


def test_an_answer_is_json_for_anyone():
    made = build(Options(max_words=60), Given())
    evidence = result(piece("The lamp was lit in 1842."))
    answer = answer_from(evidence, made, AnswerRequest("When was the lamp lit?"), Call())
    shown = json.loads(json.dumps(answer.as_object()))
    assert shown == json.loads(encoded(answer))
    assert shown["statements"][0]["citations"][0]["text"] == "The lamp was lit in 1842."


def test_headings_and_questions_of_others_are_passed_over_for_what_follows():
    text = "## Opening hours of the museum\n\nFrom nine to five, on Mondays closed.\n\n## Prices\n\nFree."
    found = drafted("What are the opening hours of the museum?", piece(text))
    assert [statement.text for statement in found.statements] == ["From nine to five, on Mondays closed."]
    text = "Who may swim in the basin?\n\nMembers only.\n\nWho feeds the gulls?\n\nNobody."
    assert drafted("Who may swim in the basin?", piece(text)).statements[0].text == "Members only."


def as_meant(*pieces: Evidence, question: str, meant: str, languages: frozenset[str] | None = None, **more: Any) -> str:
    """The best statement, where one text means what the question does; what is asked of the model is counted."""
    compared: list[str] = more.pop("compared", [])

    def of(texts: Sequence[str]) -> list[float]:
        compared.extend(texts)
        return [0.9 if text.startswith(meant) else 0.1 for text in texts]

    evidence = replace(result(*pieces), likeness=Likeness(more.pop("of", of), languages))
    return build(Options(max_words=12), Given()).answer(question, evidence, Call()).statements[0].text


KEEPERS = "The keeper of the light sleeps by day. The keeper of the light rows ashore on Fridays."
ROWS = "The keeper of the light rows ashore on Fridays."


def test_of_sentences_that_words_put_close_together_the_one_that_means_the_question_is_quoted():
    question = "Does the keeper of the light leave the island at low tide?"
    first = drafted(question, piece(KEEPERS), max_words=12).statements[0].text
    assert first == "The keeper of the light sleeps by day."
    assert as_meant(piece(KEEPERS), question=question, meant=ROWS) == ROWS
    assert as_meant(piece(KEEPERS), question=question, meant=ROWS, languages=frozenset({"en"})) == ROWS


def test_words_decide_where_they_tell_sentences_apart_or_a_form_is_asked_for():
    compared: list[str] = []
    far = "The keeper of the light leaves the island on Fridays. Gulls nest there."
    question = "On which day does the keeper of the light leave the island?"
    assert as_meant(piece(far), question=question, meant="Gulls", compared=compared).startswith("The keeper")
    defined = "A lightvessel is a ship that serves as a lighthouse. A lightvessel costs much."
    asked = "What is a lightvessel?"
    assert as_meant(piece(defined), question=asked, meant="A lightvessel costs", compared=compared).startswith(
        "A lightvessel is"
    )
    quoted = ["The keeper of the light leaves the island on Fridays.", defined.partition(". ")[0] + "."]
    assert compared == quoted  # for their confidence alone


def test_words_decide_where_the_model_cannot_be_asked():
    def of(texts: Sequence[str]) -> list[float]:
        raise EmbedderUnavailable("remote", "it does not answer", "biblicus doctor")

    question = "Does the keeper of the light leave the island at low tide?"
    assert as_meant(piece(KEEPERS), question=question, meant=ROWS, of=of) == "The keeper of the light sleeps by day."


@pytest.mark.parametrize(("languages", "counts"), [(None, 1), (frozenset({"en", "de"}), 1), (frozenset({"de"}), 0.5)])
def test_meaning_counts_half_in_a_language_that_the_model_does_not_know(
    languages: frozenset[str] | None, counts: float
):
    likeness = Likeness(lambda texts: [0.9 if text == ROWS else 0.1 for text in texts], languages)
    asked = "On which day does the keeper of the light leave the island?"
    evidence = [piece(KEEPERS)]
    units_by_text = {
        unit.unit.reads: unit for unit in scored(asked, evidence, quotable(asked, evidence), likeness=likeness)
    }
    assert units_by_text[ROWS].parts["meaning"] == 0
    assert units_by_text["The keeper of the light sleeps by day."].parts["meaning"] == pytest.approx(-0.8 * counts)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is a winch?", "The lamp hangs beside a winch, and the cook trims it at dusk."),
        ("What is a Winch?", "The lamp hangs beside a winch, and the cook trims it at dusk."),
        ("Was ist eine Winde?", "Die Lampe hängt neben einer Winde, und der Koch putzt sie."),
    ],
)
def test_what_a_word_means_is_hardly_told_by_a_mention_of_it(question: str, text: str):
    where = "Wo hängt die Lampe?" if "Lampe" in text else "Where does the lamp hang?"
    assert drafted(question, piece(text)).confidence < 0.55
    assert drafted(where, piece(text)).confidence > 0.9


def test_of_a_rare_name_a_mention_tells_enough():
    text = "Of the trade unions of this coast the keepers joined Lumen in 1842, before the pilots did."

    def sure(rarity: float) -> float:
        evidence = replace(result(piece(text)), rarity=Rarity({"lumen": rarity}, 8.0))
        return build(Options(max_words=60), Given()).answer("What is Lumen?", evidence, Call()).confidence

    assert sure(8.0) > 0.9 > 0.5 > sure(0.1)


def test_capitals_alone_on_a_line_name_what_follows():
    says = {unit.reads: unit.says for unit in units("WORK\n\nPilot, since 2019\n\nHOBBIES\n\nRowing, choir\n")}
    assert says == {"WORK": False, "Pilot, since 2019": True, "HOBBIES": False, "Rowing, choir": True}


def test_items_of_a_list_stand_alone():
    text = "The crew:\n- Ada keeps the engine\n- Grace keeps the log\n- Mary keeps the cook awake"
    assert (
        drafted("Who keeps the log of the crew?", piece(text), max_words=6).statements[0].text == "Grace keeps the log"
    )


def test_a_quotation_knows_its_own_line():
    text = "One.\n\nTwo about whales.\n\nThe lamp was lit in 1842."
    (citation,) = drafted("When was the lamp lit?", piece(text)).statements[0].citations
    assert (citation.as_evidence().line_start, citation.as_evidence().line_end) == (11, 11)


def test_hostile_texts_take_linear_time():
    import time

    for text in ("a" * 100_000, "a, " * 33_000, "(" * 66_000, "\n- " * 20_000, ". " * 33_000, "灯" * 66_000):
        began = time.process_time()
        sum(1 for _ in units(text))
        assert time.process_time() - began < 8, text[:3]
    began = time.process_time()
    question_words.kinds("نسبة " * 16_000)
    assert time.process_time() - began < 8


@pytest.mark.parametrize("unit", ["_", "*", "a_", "rope, "])
def test_of_long_rules_a_parameter_is_still_told(unit: str) -> None:
    text = f"# haul\n\n## Parameters\n\n{unit * 20_000}\n\n**rope**\nWhat it is pulled with.\n"
    headings = (Heading(0, 1, "haul"), Heading(8, 2, "Parameters"))
    of_haul = replace(result(piece("Pulls a boat.")), whole=lambda _: Extraction(text, headings=headings))
    answer = build(Options(max_words=60), Given()).answer("What is the rope parameter of haul?", of_haul, Call())
    assert "What it is pulled with." in [statement.text for statement in answer.statements]


def test_a_question_of_many_spaces_is_read_to_its_end():
    (statement,) = drafted(
        f"What is a{' ' * 300_000}winch drum?", piece("A winch drum is a part of a winch.")
    ).statements
    assert statement.text == "A winch drum is a part of a winch."


def test_more_of_the_question_is_more_confidence():
    most = {"quoted": 1.0, "near": 1.0, "letters": 0.8, "matched": 1.8, "length": 4.0}
    some = {"quoted": 0.5, "near": 0.4, "letters": 0.4, "matched": 1.2, "length": 4.0}
    assert confidence(most) > confidence(some) > confidence({**some, "names": 1.0}) > confidence({})
    assert confidence(some) > confidence({**some, "elsewhere": 0.5})
    assert confidence(some) > confidence({**some, "thin": 1.0}) > confidence({**some, "untold": 1.0})
    assert confidence({**most, "untold": 1.0}) > confidence({**most, "no_default": 1.0})
    assert confidence({}) < LEAST
    assert confidence(most) > confidence({**most, "chance": 0.5}) > confidence({**most, "chance": 9}) == 0.4


def test_a_sentence_that_means_something_else_is_doubt_where_its_language_is_known():
    evidence = result(piece("The keeper rang the bell of the chapel in a fog."))

    def sure(cosine: float, languages: frozenset[str] | None = None) -> float:
        likeness = Likeness(lambda texts: [cosine] * len(texts), languages)
        answerer = build(Options(max_words=60), Given())
        return answerer.answer(
            "Who rang the bell in the storm?", replace(evidence, likeness=likeness), Call()
        ).confidence

    unmeant = drafted("Who rang the bell in the storm?", piece("The keeper rang the bell of the chapel in a fog."))
    assert sure(0.9) > unmeant.confidence > sure(0.2)
    assert sure(0.9, frozenset(("xx",))) == sure(0.2, frozenset(("xx",))) == unmeant.confidence


def test_a_model_that_went_away_leaves_confidence_to_the_words():
    def away(texts: Sequence[str]) -> list[float]:
        raise EmbedderUnavailable("mine", "it does not answer")

    evidence = result(piece("The keeper rang the bell of the chapel in a fog."))
    alone = replace(evidence, likeness=Likeness(away))
    answerer = build(Options(max_words=60), Given())
    question = "Who rang the bell in the storm?"
    assert answerer.answer(question, alone, Call()).confidence == answerer.answer(question, evidence, Call()).confidence


@pytest.mark.parametrize(
    ("question", "third", "is_doubted"),
    [
        ("Where were the keepers received in May?", 0.9, True),
        ("Where were the keepers received in May?", 0.1, False),  # no other piece holds as much
        ("Where do the keepers dine with the bishop?", 0.9, False),  # by chance none does
    ],
)
def test_plain_words_that_other_places_hold_too_are_doubt(question: str, third: float, is_doubted: bool):
    text = "The keepers were received in London in May. In June the keepers dine with the bishop, and talk."
    evidence = [piece(text, score=1.0), piece("Her aunt saw the keepers.", rank=2, score=1.0)]
    evidence.append(piece("Her aunt knew the keepers.", rank=3, score=third))
    rarity = Rarity({"keeper": 1.1, "receiv": 2.5, "may": 1.5, "dine": 7.0, "bishop": 7.0}, 8.0)
    candidates = scored(question, evidence, quotable(question, evidence), rarity=rarity)
    found = signs(question, candidates[:1], candidates, evidence)
    assert (confidence(found) < confidence({**found, "chance": 0.0})) is is_doubted


def test_a_title_holds_words_that_others_would_hold_by_chance():
    rarity = Rarity({"keeper": 1.1, "bishop": 7.0, "dine": 2.0}, 8.0)
    pieces = [piece("The keepers dine at eight.", rank=rank, score=1.0) for rank in (1, 2, 3)]

    def chance(title: str) -> float:
        evidence = [replace(found, title=title) for found in pieces]
        candidates = scored(question, evidence, quotable(question, evidence), rarity=rarity)
        return signs(question, candidates[:1], candidates, evidence)["chance"]

    question = "When do the keepers of the bishop dine?"
    assert chance("The bishop") < chance("The weather")


def test_what_only_other_texts_hold_of_a_question_is_doubt():
    evidence = result(piece("The keeper rang the bell of the chapel in a fog."))
    question = "Who rang the bell of the chapel when the tsunami came?"
    common = {"rang": 2.0, "bell": 1.0, "chapel": 1.0, "came": 0.5}

    def sure(**weights: float) -> float:
        known = replace(evidence, rarity=Rarity({**common, **weights}, 6.0))
        return build(Options(max_words=60), Given()).answer(question, known, Call()).confidence

    assert sure() > sure(tsunami=5.0)


@pytest.mark.parametrize(
    ("question", "figure", "words", "other"),
    [
        (
            "How many boats rang the bell?",
            "Nine boats rang the bell of the chapel.",
            "Several boats rang the bell of the chapel.",
            "Boats rang the bell of the chapel.",
        ),
        (
            "Wann fuhr das Boot zur Insel?",
            "Das Boot fuhr 1842 zur Insel.",
            "Das Boot fuhr oft zur Insel.",
            "Das Boot fuhr langsam zur Insel.",
        ),
        (
            "Сколько лодок вышло в море?",
            "С четырёх лодок вышло в море.",
            "Несколько лодок вышло в море.",
            "С утра лодок вышло в море.",
        ),
        (
            "When was the chart of 2015 printed?",
            "The chart of 2015 was printed in 2017.",
            "The chart of 2015 was printed often.",
            "The chart of 2015 was printed in blue.",
        ),
        (
            "What is the maximum length of a boat?",
            "The maximum length of a boat is nine ells.",
            "The maximum length of a boat means several ells.",
            "The maximum length of a boat is said by the keeper.",
        ),
        (
            "Which port does the pilot listen on?",
            "The pilot does listen on port 9070.",
            "The pilot does listen on several a port.",
            "The pilot does listen on a port of tar.",
        ),
    ],
)
def test_where_a_figure_is_asked_for_a_sentence_without_one_is_doubt(
    question: str, figure: str, words: str, other: str
):
    sure, vague, unsure = (drafted(question, piece(text)).confidence for text in (figure, words, other))
    assert min(sure, vague) > unsure + 0.02


@pytest.mark.parametrize(
    ("question", "named", "unnamed"),
    [
        ("Who wrote the almanac?", "Ada Stone wrote the almanac.", "Whoever wrote the almanac knew tides."),
        ("Who built the mole?", "The mole was built by Tom of Ness.", "The mole was built by a CREW at night."),
        ("Wer hat die Boje erfunden?", "Die Boje hat Tom erfunden.", "Die boje hat niemand erfunden."),
    ],
)
def test_where_a_maker_is_asked_for_a_sentence_without_a_name_is_doubt(question: str, named: str, unnamed: str):
    sure, unsure = (drafted(question, piece(text)).confidence for text in (named, unnamed))
    assert sure > unsure + 0.02


@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        ("Where is my.cnf kept?", "The file my.cnf is kept in the hold.", "The file your.cnf is kept in the hold."),
        (
            "What does HEMP_COIL do?",
            "It is tarred by HEMP_COIL at night.",
            "It is tarred (similar to HEMP_COIL) at night.",
        ),
        (
            "What is the maximum number of hands?",
            "The maximum number of hands is 9.",
            "The number of hands is in hand3_max.",
        ),
        (
            "Which version of hemp is required?",
            "It requires version 4 of hemp.",
            "In version 4 of hemp it was as fast.",
        ),
        (
            "What is the default draught?",
            "The default draught is 3 ells.",
            "If it is not set, the default below is used.",
        ),
        (
            "What is the default number of oars?",
            "The default number of oars is six.",
            "The default number of oars is kept.",
        ),
    ],
)
def test_what_is_asked_for_and_not_told_is_doubt(question: str, told: str, untold: str):
    sure, unsure = (drafted(question, piece(text)).confidence for text in (told, untold))
    assert sure > unsure + 0.02


@each(
    ("question", "dated", "conditional"),
    [
        ("When was the lamp lit?", True, False),
        ("When is the lamp lit?", False, True),
        ("Wann wurde die Lampe angezündet?", True, False),
        ("Wann wird die Lampe angezündet?", False, True),
        ("Когда зажигают лампу?", False, True),
        ("Когда зажгли лампу?", True, False),
        ("Can you tell me when the chapel was built?", True, False),
        ("Do you know when the ferry left?", True, False),
        ("What did Ada say when the ferry left?", False, False),
        ("How do I know when the rope is worn?", False, False),
        ("C'est quand la fête ?", True, False),
        ("Il part quand ?", True, False),
        ("Sai quando parte?", True, False),
        ("Скажите, когда построили часовню?", True, False),
        ("Скажите, пожалуйста, когда построили часовню?", True, False),
        ("Кто пришёл, когда зажгли лампу?", False, False),
        ("多伦多大学的年轻人是谁？", False, False),
        ("Quand est né Yann Le Goff ?", True, True),
        ("Wann ist Ada geboren?", True, True),
        ("Quand faut-il ne pas tirer la corde ?", False, True),
    ],
)
def test_a_condition_may_tell_when_something_is_so(question: str, dated: bool, conditional: bool):
    assert ("time" in question_words.figures(question)) is dated
    assert ("time" in question_words.kinds(question)) is (dated or conditional)


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("Das Boot fuhr dreimal zur Insel.", True),
        ("Das Boot fuhr mehrmals zur Insel.", True),
        ("Das Boot fuhr einfach zur Insel.", False),
        ("The boat went to the normal island.", False),
        ("年轻的船长看着月亮。", False),
        ("船长等了小时候的朋友。", False),
        ("船长来时，灯亮了。", True),
        ("许多年轻人上船。", False),
        ("许多年前，船来了。", True),
        ("1 " * 20_000, False),
        ("111 " * 20_000, False),
    ],
)
def test_what_says_when_in_words(text: str, is_told: bool):
    assert question_words.tells(frozenset(("money", "time")), text) is is_told


def test_the_date_may_stand_in_a_sentence_beside():
    text = "The masons built the chapel when Ada kept the log."
    question = "When was the chapel built?"
    dated, undated = (
        drafted(question, piece(f"{text} The masons finished the chapel {when}.")) for when in ("in 1742", "in a hurry")
    )
    assert len(dated.statements) == len(undated.statements)
    assert dated.confidence > undated.confidence


def test_the_rarest_word_of_a_question_that_only_other_texts_hold_is_doubt():
    evidence = result(piece("The keeper rang the bell of the chapel in a fog."))

    def sure(question: str, storm: float) -> float:
        weights = {"keeper": 4.0, "rang": 2.0, "bell": 2.0, "chapel": 2.0, "fog": 6.0 - storm, "storm": storm}
        known = replace(evidence, rarity=Rarity(weights, 7.0))
        return build(Options(max_words=60), Given()).answer(question, known, Call()).confidence

    asked = "Which keeper rang the chapel bell in a storm?"
    long = f"{asked[:-1]}, and what else is told of that day, of the harbour, and of all those who were there then?"
    assert sure(asked, 4.0) - sure(asked, 6.0) > sure(long, 4.0) - sure(long, 6.0)


def test_pairs_of_characters_that_are_no_word_lessen_no_confidence():
    evidence = result(piece("演员演唱了国歌。", language="zh"))

    def sure(rarest: float) -> float:
        known = replace(evidence, rarity=Rarity(dict.fromkeys(("演员", "演唱", "国歌"), 4.0), rarest))
        return build(Options(max_words=60), Given()).answer("演员演唱国歌？", known, Call()).confidence

    assert sure(60.0) == sure(6.0)


@pytest.mark.parametrize(
    ("question", "stemmer", "terms"),
    [
        ("哪位演员演唱国歌？", "", ("演员", "员演", "演唱", "唱国", "国歌")),
        ("在哪一年演唱？", "", ("演唱",)),
        ("很多大学在哪？", "", ("很多", "多大", "大学")),
        ("哪吒住在哪里？", "", ("哪吒", "吒住")),
        ("多伦多大学在哪？", "", ("多伦", "伦多", "多大", "大学")),
        ("船有多大？", "", ("船有",)),
        ("哪怕多高山，船走多远？", "", ("哪怕", "怕多", "多高", "高山", "船走")),
        ("Каковы размеры лодки?", "russian", ("размер", "лодк")),
        ("Назовите размеры лодки.", "russian", ("размер", "лодк")),
    ],
)
def test_words_that_only_ask_are_no_words_of_a_question(question: str, stemmer: str, terms: tuple[str, ...]):
    assert question_terms(question, stemmer).terms == terms


@each(
    ("question", "subject"),
    [
        ("Wozu dient das Ruder?", "Ruder"),
        ("Wofür ist der Anker gut?", "Anker"),
        ("¿Para qué sirve el timón?", "timón"),
        ("Para que serve o leme?", "leme"),
        ("À quoi sert le gouvernail ?", "gouvernail"),
        ("A cosa serve il timone?", "timone"),
        ("Waarvoor dient het roer?", "roer"),
        ("Do czego służy ster?", "ster"),
        ("Для чего нужен руль?", "руль"),
        ("Зачем нужны весла?", "весла"),
        ("船舵有什么作用？", "船舵"),
        ("舵は何に使いますか？", "舵"),
        ("Как работает функция ВПР?", "ВПР"),
        ("Come funziona LEME?", "LEME"),
    ],
)
def test_what_something_is_for_is_asked_in_many_languages(question: str, subject: str):
    form = question_forms.form_of(question)
    assert (form.subject, form.does) == (subject, True)


@pytest.mark.parametrize("begin", ["Wozu dient ", "Para qué sirve ", ""])
def test_a_long_question_is_for_no_purpose(begin: str):
    assert question_words.purpose_of(f"{begin}{'? ' * 20_000}x有什么作用 x") == ""
    assert question_words.purpose_of(f"{begin}{'lamp ' * 60}?") == ""


def test_what_something_is_called_is_no_purpose():
    assert question_forms.form_of("素数的属性叫做什么？").subject == ""


def test_a_mention_may_tell_what_something_is_for():
    text = "An der Wand hängt die Lampe neben dem Ruder, das ein Boot in den Wind dreht."
    assert drafted("Wozu dient das Ruder?", piece(text, language="de")).confidence > 0.6


def test_the_words_that_ask_what_something_is_for_are_no_words_of_the_question():
    assert question_terms("Wozu dient das Ruder?", "german").terms == ("rud",)
    assert question_terms("船舵有什么作用？", "").terms == ("船舵",)


def test_a_section_in_another_language_says_what_its_page_is_called_so_does():
    text = (
        "# Wirkungsweise\n\nGroße Boote brauchen es selten, und kleine immer.\n\n# Aufruf\n\nDas Ruder liegt am Heck."
    )
    page = piece(text, title="Ruder", heading="Wirkungsweise", language="de", media_type="text/markdown")
    assert drafted("Was macht das Ruder?", page).statements[0].text.startswith("Große Boote")


@pytest.mark.parametrize(
    "question",
    [
        "What happens when the lamp is out?",
        "Что происходит, когда лампа погасла?",
        "Que se passe-t-il quand il pleut ?",
    ],
)
def test_what_happens_at_a_time_asks_for_no_time(question: str):
    assert "time" not in question_words.kinds(question)


@pytest.mark.parametrize(
    "text",
    [
        "On Fridays.",
        "Ab Mittwoch.",
        "Каждую пятницу.",
        "星期二。",
        "Vor 66 Millionen Jahren.",
        "22,000 years ago.",
        "In den 1970ern.",
        "11 600 лет назад.",
        "Um 4:51 zu Ende.",
    ],
)
def test_times_are_told_in_many_ways(text: str):
    assert question_words.holds("time", text)


@each(
    ("question", "kind"),
    [
        ("When released?", "time"),
        ("The harbour opens when?", "time"),
        ("Since when is it lit?", "time"),
        ("Depuis quand est-il là ?", "time"),
        ("How many boats are there?", "number"),
        ("Wie viele Boote gibt es?", "number"),
        ("Сколько лодок?", "number"),
        ("有多少船？", "number"),
        ("What year was it built?", "time"),
        ("Quand est-il parti ?", "time"),
        ("Who keeps it?", "name"),
        ("¿Dónde está?", "name"),
        ("Warum sinkt es?", "reason"),
        ("Cần bao nhiêu bộ nhớ?", "number"),
        ("Kaç kişi var?", "number"),
        ("배가 얼마나 필요합니까?", "number"),
        ("كم عدد السفن؟", "number"),
        ("कितने लोग थे?", "number"),
        ("Πόσα μέλη έχει;", "number"),
        ("มีกี่คน", "number"),
        ("În ce an a murit?", "time"),
        ("Ne zaman kuruldu?", "time"),
        ("متى تأسست الجامعة؟", "time"),
        ("यह कब बना?", "time"),
        ("Πότε ιδρύθηκε;", "time"),
        ("वह कौन था?", "name"),
        ("De ce a plecat?", "reason"),
        ("¿Qué edad tenía?", "number"),
        ("¿Cuantos barcos hay?", "number"),
        ("Jaki odsetek łodzi zatonął?", "number"),
        ("¿Cuando nacio?", "time"),
        ("En quelle annee est-il ne ?", "time"),
        ("Gdzie leży port?", "name"),
        ("Hangi şehirde doğdu?", "name"),
        ("¿Cómo se llamaba el barco?", "name"),
    ],
)
def test_questions_tell_what_they_ask_for(question, kind):
    assert kind in question_words.kinds(question)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Who is Kim?", "Kim"),
        ("What does AI mean?", "AI"),
        ("La taille de ce fichier ?", "fichier"),
        ("Was ist eine Kolik?", "Kolik"),
        ("What is the miksi library?", "miksi"),
        ("¿Qué barco o barca vio la ciudad?", "ciudad"),
        ("How do I install KDE on Debian?", "KDE"),
        ("how do i install kde?", "kde"),
        ("Which robot did Kuka build?", "Kuka"),
        ("OU and DN in LDAP, what are they?", "OU"),
        ("Какой пост занимает Томас де Мезьер?", "де"),
    ],
)
def test_words_of_one_language_that_ask_are_plain_words_of_others(question: str, word: str):
    assert question_words.kinds(question) <= {"name"}
    assert word in question_words.without(question).strip("? ").split()


def test_a_name_of_the_question_tells_nobody_however_its_letters_are_indexed():
    question = question_terms("İzmir fenerini kim yaptı?", "turkish")
    assert (kind_of("Fener bu kente İzmir yakınında.", question), kind_of("Fener için Ali geldi.", question)) == (
        0.0,
        1.0,
    )


def test_which_of_several_things_is_no_question_for_a_name():
    text = "If Winch calls a switch, one case may fail. Only the case that fits is reached."
    asked = result(piece(text))
    answer = build(Options(max_words=10), Given()).answer("Which case of a switch is reached?", asked, Call())
    assert answer.statements[0].text == "Only the case that fits is reached."
    assert question_words.kinds("Which rope is greased?") == frozenset()
    assert question_words.kinds("In which kernel version did it come?") == {"name"}
    assert set(question_terms("Which Python version does Winch need?", "english").terms) >= {"python", "version"}


def test_synonyms_choose_a_statement_and_are_not_taken_for_the_words():
    question, evidence = "Who folds the newspaper?", [piece("The press is oiled by Frank.")]
    (best,) = scored(question, evidence, quotable(question, evidence))
    assert best.parts["own"] > 0
    assert (best.held, best.alike) == (frozenset(), frozenset({"newspap"}))


def test_a_clause_is_no_subject():
    assert question_forms.form_of("Que fait le client quand le paiement échoue ?").subject == ""
    assert question_forms.form_of("Vad är skillnaden mellan en vinsch och ett spel?").subject == ""


def test_a_question_of_blanks_is_read_at_once():
    assert question_forms.form_of("rope. " + " " * 2_000 + "- x" + " " * 2_000 + "y").subject == ""


@pytest.mark.parametrize("question", ["?" * 5_000, "'\"" * 5_000, "When should I use " + "x" * 90_000])
def test_a_question_of_marks_or_as_long_as_a_page_is_read_at_once(question):
    assert not drafted(question, piece("The rope is dry.")).statements


@pytest.mark.parametrize("question", ["{} Who dries the rope?", "Who dries the rope? {}"])
def test_a_question_before_or_behind_a_long_text_is_answered(question):
    said = "We met at the quay, and the weather was fine for once. " * 60
    assert drafted(question.format(said), piece("Ada dries the rope.")).statements


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("It needs 350 MB.", True),
        ("Hauls 4 boats (see Section 6.3).", True),
        ("See Section 6.3.1 and Figure 2.", False),
        ("Siehe Kapitel 7, voir chapitre 3, véase la sección 4.", False),
        ("On ext4 and amd64.", False),
        ("A deposit of EUR500.", True),
        ("增长了30%。", True),
        ("Per page 20 results.", True),
        ("Retries are max_retries=3 by default.", True),
    ],
)
def test_numbers_of_parts_and_in_names_count_nothing(text: str, counts: bool):
    assert question_words.holds("number", question_words.without_numbers(text, "")) is counts


@each(
    ("question", "subject"),
    [
        ("¿Qué es LVM?", "LVM"),
        ("Que fait winch ?", "winch"),
        ("¿Qué hace la opción -e de torno?", "torno -e"),
        ("Was macht die Option -e von winde?", "winde -e"),
        ("Debian là gì?", "Debian"),
        ("데비안이란 무엇입니까?", "데비안"),
        ("Çapa nedir?", "Çapa"),
        ("Co to jest winda?", "winda"),
        ("Vad är ett ankare?", "ankare"),
        ("Mi az a horgony?", "horgony"),
        ("Apa itu jangkar?", "jangkar"),
        ("Що таке якір?", "якір"),
        ("Τι είναι η άγκυρα;", "άγκυρα"),
        ("ما هو المرساة؟", "المرساة"),
        ("लंगर क्या है?", "लंगर"),
        ("สมอคืออะไร", "สมอ"),
    ],
)
def test_what_is_to_be_defined_is_known_in_many_languages(question: str, subject: str):
    form = question_forms.form_of(question)
    assert (form.subject, form.several) == (subject, False)


@pytest.mark.parametrize(
    ("question", "stemmer", "text"),
    [
        ("Debian là gì?", "vietnamese", "Debian là một tổ chức gồm toàn tình nguyện viên."),
        ("데비안이란 무엇입니까?", "", "데비안은 자원자로만 구성된 조직입니다."),
        ("Çapa nedir?", "turkish", "Çapa, bir gemiyi tutan demirdir."),
        ("¿Qué es LVM?", "spanish", "LVM es otra forma de abstraer volúmenes."),
        ("लंगर क्या है?", "", "लंगर एक भारी लोहा है।"),
        ("สมอคืออะไร", "", "สมอ คือ เหล็กหนักที่ยึดเรือ"),
        ("Co to jest winda?", "", "Winda jest urządzeniem, które podnosi łodzie."),
    ],
)
def test_what_defines_it_is_known_too(question: str, stemmer: str, text: str):
    read = question_terms(question, stemmer)
    assert definitions.defines(text, read.subject, lambda words: terms_in(words, read)) >= 0.9


@pytest.mark.parametrize(
    ("question", "telling"),
    [
        ("데비안이란 무엇인가?", "데비안"),
        ("설치 로그는 어디에 저장됩니까?", "설치 로그는 저장"),
        ("배는 무엇이 다릅니까", "배 다릅니까"),
    ],
)
def test_endings_that_only_ask_are_dropped_in_korean(question: str, telling: str):
    assert analysis.without_endings(question).strip("? ").split() == telling.split()


def test_a_question_is_its_content_words():
    assert question_terms("How many boats does the harbour hold?", "english").terms == ("boat", "harbour", "hold")
    assert question_terms("Who was it?", "english").terms == ("who", "was", "it")
    assert question_terms("parseQuery", "english").terms == ("parsequeri", "pars", "queri")
    assert question_terms("Jak wysoka jest ta winda w porcie?", "").terms == ("wysoka", "winda", "porcie")


@pytest.mark.parametrize(
    ("one", "other", "text", "sets_apart"),
    [
        ("a warp", "a heaving line", "Unlike a warp, a heaving line is thin.", True),
        ("a warp", "a heaving line", "Unlike all others, a warp is thick.", False),
        ("a warp", "a heaving line", "A heaving line differs from all others.", False),
        ("a warp", "a tow warp", "Unlike a warp, a tow warp is thick.", True),
        ("a warp", "a tow warp", "A tow warp differs from all others.", False),
        ("a tow warp", "a warp", "A tow warp differs from all others.", False),
    ],
)
def test_what_sets_two_things_apart_names_both(one: str, other: str, text: str, sets_apart: bool):
    evidence = [piece(text)]
    asked = f"What is the difference between {one} and {other}?"
    (best, *_) = scored(asked, evidence, quotable(asked, evidence))
    assert bool(best.parts["form"]) is sets_apart
    assert signs(asked, [best], [best], evidence)["untold"] == (not sets_apart)


@pytest.mark.parametrize(
    ("question", "text", "is_told"),
    [
        ("Where are the log files stored?", "The log files are stored in a simple form.", False),
        ("Where are the log files stored?", "The log files are stored below ~/logs.", True),
        ("Where is the log file?", "The log file is where the variable WARP_LOG says.", True),
        ("Where is the log of the warp?", "The log of the warp lies behind the shed.", True),
        ("Which warps are there?", "A warp moves a boat from the shore in the night.", False),
        ("Which warps are there?", "A warp may be of hemp, sisal or wire.", True),
        ("Which warps are there?", "These warps are there:\n\n- Hemp\n- Sisal\n", True),
        ("Which warps broke?", "A warp broke at the shore in the night.", True),
        ("What should the warps of a boat be?", "A warp of a boat moves it from the shore.", True),
        ("What is a warp log?", "def warp_log(warp):\n    return log.of(warp)\n", False),
        ("Who wrote the log of the warp?", "def wrote(log, warp):\n    return log.of(warp)\n", False),
        ("Who wrote the log of the warp?", "The log of the warp wrote Ada.", True),
    ],
)
def test_the_things_and_the_people_that_nothing_names_are_untold(question: str, text: str, is_told: bool):
    code: dict[str, Any] = {"doctype": "code", "path": "1.py", "media_type": "text/x-python"}
    evidence = [piece(text, **(code if text.startswith("def") else {}))]
    (best, *_) = scored(question, evidence, quotable(question, evidence))
    assert signs(question, [best], [best], evidence)["untold"] == (not is_told)


def test_what_leads_to_an_item_is_cited_by_itself():
    text = "Together, the members may:\n 1. Wash the quay.\n 2. Appoint the harbour master.\n 3. Sell old ropes.\n"
    (statement,) = drafted("Who may appoint the harbour master?", piece(text)).statements
    assert statement.text == "Together, the members may:\n2. Appoint the harbour master."
    quoted = [text[cited.start : cited.end].strip() for cited in statement.citations]
    assert quoted == ["2. Appoint the harbour master.", "Together, the members may:"]


def test_laws_say_what_their_words_mean():
    text = (
        "You may hand on a contribution that counts. A keeper reads it.\n\n"
        'Every contribution counts. "Contribution" shall mean any page that is handed in. A contribution is considered.'
    )
    told = drafted("What is a Contribution?", piece(text)).statements
    assert told[0].text == '"Contribution" shall mean any page that is handed in.'


@each(
    "table",
    [
        "| Indonesia | Germany | Austria | France | Vatican | Continent |",
        "Indonesia | Germany | Austria | France | Vatican | Continent",
        "Indonesia   Germany   Austria   France   Vatican   Continent\nAsia   Europe   Europe   Europe   Europe",
        "Indonesia\tGermany\tAustria\tFrance\tVatican\tContinent\nAsia\tEurope\tEurope\tEurope\tEurope\tWhere",
    ],
)
def test_a_table_read_across_is_never_quoted(table: str):
    read = list(units(f"Where they lie\n\n{table}\n\nGermany is a country of Europe.\n", 60))
    assert [unit.reads for unit in read if unit.says and "Vatican" in unit.reads] == []
    assert read[-1].says


@each("adjective", ["fast", "deep", "old", "heavy", "tall", "high", "wide"])
def test_what_is_asked_for_by_an_adjective_keeps_it(adjective: str):
    assert question_words.without(f"How {adjective} is the barque?").split()[-4:] == [adjective, "is", "the", "barque?"]
    assert "number" in question_words.kinds(f"How {adjective} is the barque?")
