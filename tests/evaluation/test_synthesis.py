"""Questions made from texts: their spans are exact, the answer does not stand in the question, the choice is stable."""

from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus.contracts import Given, MediaHint
from biblicus.extraction import markdown
from biblicus.measure.synthesize import KINDS, Made, synthesize
from biblicus.models.extraction import Extraction
from biblicus.models.records import NoOptions
from tests.sampling import examples

PAGE = """# Care of the {n} lamp

The keeper of number {n} trims the wick every evening before the darkness settles.

## Filling the {n} tank

Paraffin number {n} is poured slowly into the reservoir until the gauge says {n} gallons.
Nobody but keeper {n} has ever been allowed to carry matches anywhere near the storeroom.
"""
NUMBERS = ("first", "second", "third", "fourth", "fifth", "sixth")


def extraction(text: str) -> Extraction:
    extracted = markdown.build(NoOptions(), Given()).extract(text.encode(), MediaHint("a.md", "text/markdown"))
    assert isinstance(extracted, Extraction)
    return extracted


def corpus() -> list[tuple[str, str, Extraction]]:
    return [(name, f"Care of the {name} lamp", extraction(PAGE.format(n=name))) for name in NUMBERS]


def made(**changes: object) -> Made:
    wanted = {"kinds": KINDS, "count": 12, "seed": 0, **changes}
    return synthesize(corpus(), wanted["kinds"], wanted["count"], wanted["seed"])  # type: ignore[arg-type]  # of a test


def test_every_span_is_the_answer():
    texts = {name: found.text for name, _, found in corpus()}
    for question in made().questions:
        (judgement,) = question.judgements
        assert judgement.span is not None
        start, end = judgement.span
        answer = texts[judgement.item][start:end]
        assert answer == answer.strip()
        assert answer
        assert question.text not in answer


def test_kinds_take_turns_and_items_are_spread():
    found = made(count=12)
    assert dict(found.made) == {"title": 6, "heading": 6}
    for kind in KINDS:
        items = [question.judgements[0].item for question in found.questions if question.tags == (kind,)]
        assert len(set(items)) == 6


def test_headings_that_stand_twice_are_left_out():
    twice = [
        ("a", "One title", extraction(PAGE.format(n="same"))),
        ("b", "Other title", extraction(PAGE.format(n="same"))),
    ]
    found = synthesize(twice, ("heading",), 10, 0)
    assert found.questions == []
    assert found.unclear["heading"] > 0


def test_the_order_of_items_does_not_matter_and_the_seed_does():
    turned = synthesize(list(reversed(corpus())), KINDS, 9, 0)
    assert turned.questions == made(count=9).questions
    assert made(count=9, seed=1).questions != made(count=9).questions


def test_a_further_item_changes_little():
    before = {question.question_id for question in made(count=12).questions}
    more = [*corpus(), ("new", "Care of the new lamp", extraction(PAGE.format(n="new")))]
    after = {question.question_id for question in synthesize(more, KINDS, 12, 0).questions}
    assert len(before & after) >= 9


@given(st.text(max_size=400))
@settings(max_examples=examples(80), deadline=None)
def test_any_text_is_read(text: str):
    found = synthesize([("a", text[:40], Extraction(text))], KINDS, 5, 0)
    for question in found.questions:
        (judgement,) = question.judgements
        assert judgement.span is not None
        assert 0 <= judgement.span[0] < judgement.span[1] <= len(text)
