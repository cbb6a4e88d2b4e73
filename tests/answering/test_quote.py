"""What `quote` promises of any text: exact spans, within the words, and nothing where nothing fits."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.answering.reader.answerer import Options, build
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


def test_a_mention_may_tell_what_something_is_for():
    text = "An der Wand hängt die Lampe neben dem Ruder, das ein Boot in den Wind dreht."
    assert drafted("Wozu dient das Ruder?", piece(text, language="de")).confidence > 0.6


def test_a_section_in_another_language_says_what_its_page_is_called_so_does():
    text = (
        "# Wirkungsweise\n\nGroße Boote brauchen es selten, und kleine immer.\n\n# Aufruf\n\nDas Ruder liegt am Heck."
    )
    page = piece(text, title="Ruder", heading="Wirkungsweise", language="de", media_type="text/markdown")
    assert drafted("Was macht das Ruder?", page).statements[0].text.startswith("Große Boote")


@pytest.mark.parametrize("question", ["?" * 5_000, "'\"" * 5_000, "When should I use " + "x" * 90_000])
def test_a_question_of_marks_or_as_long_as_a_page_is_read_at_once(question):
    assert not drafted(question, piece("The rope is dry.")).statements


@pytest.mark.parametrize("question", ["{} Who dries the rope?", "Who dries the rope? {}"])
def test_a_question_before_or_behind_a_long_text_is_answered(question):
    said = "We met at the quay, and the weather was fine for once. " * 60
    assert drafted(question.format(said), piece("Ada dries the rope.")).statements


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
