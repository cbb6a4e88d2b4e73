"""The plan without a model: only the manual's and the question's own words, bounded, the same every time."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.answering import planner
from biblicus.answering.planner import Brief, holds, plan, stems_of, terms_of
from biblicus.models.answers.persona import Focus, Persona
from tests.personas.conftest import piece
from tests.sampling import examples

KEEPER = Persona(id="keeper", name="Keeper", focus=Focus(entities=("berth", "visitor"), relations=("moored at",)))
TEXTS = st.text(st.sampled_from('ab *_`"“”「」-1.)\n#тест中文 '), max_size=300)


def brief(question: str, *texts: str, persona: Persona = KEEPER, language: str = "en", hints: int = 3) -> Brief:
    manual = [piece(rank, text, heading=f"Heading {rank}") for rank, text in enumerate(texts, 1)]
    return Brief(question, terms_of(question, language), persona, manual, language, hints)


def test_terms_are_the_words_that_tell():
    assert terms_of("What does the berth cost, and the BERTH's water?", "en") == ("berth", "cost", "s", "water")
    assert terms_of("Was kostet eine Duschmarke?", "de") == ("kostet", "duschmarke")


def test_a_text_holds_words_in_any_form_of_theirs():
    stems = stems_of("The parapet is rebuilt by Storr & Daughters.", "en")
    assert holds(stems, "rebuilds", "en")
    assert holds(stems, "rebuilding parapets", "en")
    assert not holds(stems, "rebuilds the mole", "en")
    assert not holds(stems, "reboards", "en")


def test_a_question_of_stop_words_alone_keeps_them():
    assert terms_of("What is it?", "en") == ("what", "is", "it")


def test_steps_are_list_items_with_the_lines_that_continue_them():
    text = "Intro.\n\n1. Look at the tariff,\n   the one in force.\n2) Name the unit.\n* Say when.\n\nNot a step."
    assert [step.text for step in plan(brief("What?", text)).steps] == [
        "Look at the tariff, the one in force.",
        "Name the unit.",
        "Say when.",
    ]


def test_a_snippet_that_lists_nothing_gives_its_heading():
    (step,) = plan(brief("What?", "Only prose.")).steps
    assert (step.text, step.manual) == ("Heading 1", 1)


def test_a_plan_has_no_endless_list_of_steps():
    assert len(plan(brief("What?", "\n".join(f"- Step {number}." for number in range(40)))).steps) == planner.MOST_STEPS


def test_no_manual_no_steps_and_no_hints():
    found = plan(brief("Who pays for the berth?"))
    assert (found.steps, found.search_hints) == ((), ())


def test_a_hint_adds_what_the_manual_stresses():
    found = plan(brief("What does a berth cost?", "Look in the **tariff** or in `data/berths.csv`."))
    assert found.search_hints == ("berth cost tariff data csv",)


def test_a_hint_adds_the_heading_where_nothing_is_stressed():
    assert plan(brief("What does a berth cost?", "Plain.")).search_hints == ("berth cost heading 1",)


def test_a_hint_that_adds_nothing_is_none():
    assert plan(brief("What heading has number 1?", "Stressed: *number*.")).search_hints == ()


def test_there_are_no_more_hints_than_asked_for():
    texts = [f"Look for *word{number}*." for number in range(9)]
    assert len(plan(brief("Berth?", *texts, hints=2)).search_hints) == 2
    assert plan(brief("Berth?", *texts, hints=0)).search_hints == ()


def test_what_the_question_or_the_manual_names_of_the_focus_matters():
    assert plan(brief("Where is the visitor?")).entity_types == ("visitor",)
    assert plan(brief("Where?", "Ask about berths.")).entity_types == ("berth",)
    assert plan(brief("Where?")).entity_types == ("berth", "visitor")


@pytest.mark.parametrize(
    ("question", "helps"),
    [
        ("Which boats are moored at the mole?", True),
        ("Which visitors have a berth?", True),
        ("What does a berth cost?", False),
        ("Who won?", False),
    ],
)
def test_a_graph_helps_where_relations_or_several_entities_are_asked_for(question: str, helps: bool):
    assert plan(brief(question)).graph_helps is helps


def test_a_text_holds_words_in_other_forms():
    assert holds(stems_of("The berths were paid for.", "en"), "berth", "en")
    assert not holds(stems_of("The berths were paid for.", "en"), "boat", "en")
    assert holds(stems_of("青銅の鐘の重さは三十八キログラム", "ja"), "鐘の重さは", "ja")
    assert not holds(stems_of("灯籠の夜", "ja"), "青銅の鐘", "ja")


@settings(max_examples=examples(150), deadline=None)
@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_a_plan_says_nothing_that_was_not_there(question: str, texts: list[str]):
    asked = brief(question, *texts)
    found = plan(asked)
    assert found == plan(asked)
    squeezed = " ".join(" ".join(text.split()) for text in texts) + " ".join(p.heading or "" for p in asked.manual)
    assert all(" ".join(step.text.removesuffix(" …").split()) in squeezed for step in found.steps)
    assert all(1 <= (step.manual or 0) <= len(texts) for step in found.steps)
    assert len(found.steps) <= planner.MOST_STEPS
    own = question.casefold() + " ".join(text.casefold() for text in texts) + "heading 1 2 3 4"
    assert all(term in own for hint in found.search_hints for term in hint.split())


@pytest.mark.parametrize("unit", ["*", "**a", '"', "`", "- ", "1. ", "_a", "「", "\n- ", " *a", "“„«"])
def test_a_hostile_manual_costs_little(unit: str):
    began = time.process_time()
    plan(brief("Berth?", unit * (262_144 // len(unit))))
    assert time.process_time() - began < 3.0
