"""What a reply is held to: each requirement broken once, with the words that show it."""

import json

import pytest

from biblicus.answering.grounding import marked
from biblicus.config import load_settings
from biblicus.errors import ConfigInvalid
from biblicus.measure.answer_metrics import CitedItem, Reply, judged
from biblicus.models.answers.evaluation import JudgedQuestion, Must, Rule

IDS = {"lamp.md": "1", "gone.md": None}
LAMP = CitedItem("1", 0, 9, verified=True, path="lamp.md", layer="published")
GOOD = Reply("It was lit in 1842, and burns oil.", [LAMP], seconds=1.0, tokens=10)
ALL = Must(("lamp.md",), ("1842",), ("18",), False, "published", True, 8, 1.0, 10)


def short(must: Must, reply: Reply = GOOD) -> list[tuple[str, str, str]]:
    """Requirement, detail and evidence of what a reply falls short of."""
    _, violations = judged(JudgedQuestion("q", "When?", must=must), (), reply, IDS)
    return [(one.requirement, one.detail, one.evidence) for one in violations]


def test_a_reply_that_does_all_that_it_must_holds():
    metrics, violations = judged(JudgedQuestion("q", "When?", must=ALL), (), GOOD, IDS)
    assert violations == []
    assert set(metrics.values()) == {1.0}
    assert len(metrics) == 11  # nine requirements, `holds` and `completed`


@pytest.mark.parametrize(
    ("must", "requirement", "detail", "evidence"),
    [
        (Must(cite=("gone.md",)), "cite", "gone.md is not in the corpus, and cannot be cited", ""),
        (Must(contain=("184",)), "contain", '"184" does not stand in it', GOOD.answer),
        (Must(not_contain=("burns  OIL",)), "not_contain", '"burns  OIL" stands in it', GOOD.answer),
        (Must(refuse=True), "refuse", "it must refuse, and answers", GOOD.answer),
        (Must(layer="notes"), "layer", "lamp.md is cited, which is of published, not of notes", ""),
        (Must(words=7), "words", "8 words, at most 7", GOOD.answer),
        (Must(seconds=0.5), "seconds", "1.00 s, at most 0.5", ""),
        (Must(tokens=9), "tokens", "10 tokens, at most 9", ""),
    ],
)
def test_what_was_not_done_is_told_with_the_words_that_show_it(must, requirement, detail, evidence):
    assert short(must) == [(requirement, detail, evidence)]


def test_what_is_cited_without_proof_or_not_at_all_is_not_proved():
    named = CitedItem("1", 0, 0, verified=False, path="lamp.md", layer=None)
    assert short(Must(proved=True), Reply("In 1842.", [named, named])) == [
        ("proved", "what it cites of lamp.md is not proved", "")
    ]
    assert short(Must(proved=True), Reply("In 1842.")) == [("proved", "it cites nothing", "In 1842.")]
    assert short(Must(proved=True), Reply("That is not in our books.", refused=True)) == []


def test_the_evidence_is_the_place_where_the_words_stand_as_words():
    answer = f"{'In 1842 it was lit. ' * 9}It costs 18 crowns. {'Nobody knows why. ' * 9}"
    ((_, _, evidence),) = short(Must(not_contain=("18",)), Reply(answer))
    assert "costs 18 crowns" in evidence
    assert evidence.startswith("…")
    assert evidence.endswith("…")


def test_without_a_reply_nothing_was_done_and_no_rule_was_broken():
    question = JudgedQuestion("q", "When?", must=Must(refuse=True, words=5))
    rule = Rule("short", Must(words=1))
    metrics, violations = judged(question, [rule], Reply(problem="it left with exit code 1"), IDS)
    assert metrics == {"holds": 0.0, "completed": 0.0, "refuses": 0.0, "within_words": 0.0}
    assert violations == []


def test_a_rule_is_for_the_questions_that_have_its_tag():
    rule = Rule("no-prices", Must(not_contain=("oil",)), "critical", tags=("money",))
    asked = JudgedQuestion("q", "When?", tags=("money", "light"))
    metrics, (violation,) = judged(asked, [rule], GOOD, IDS)
    assert (violation.rule, violation.severity) == ("no-prices", "critical")
    assert metrics == {"holds": 0.0, "completed": 1.0, "complies": 0.0, "complies_critical": 0.0}
    assert judged(JudgedQuestion("q", "When?", tags=("light",)), [rule], GOOD, IDS) == ({"completed": 1.0}, [])


def test_words_that_stand_there_in_other_characters_are_shown_by_the_beginning_of_the_answer():
    ((_, _, evidence),) = short(Must(not_contain=("file",)), Reply(f"\ufb01le {'and more ' * 999}"))
    assert len(evidence) < 200


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("In 1842 [2].", [2]),
        ("Lit [1, 3], trimmed [3; 1].", [1, 3]),
        ("All of it [2–4] and [3-5].", [2, 3, 4, 5]),
        ("[9-1], [8], [1-999999999] and [x]", [1, 2, 3, 4, 5]),
        ("a list[3](link)", [3]),
    ],
)
def test_a_model_marks_what_it_cites_in_more_ways_than_one(text, numbers):
    assert marked(text, last=5) == numbers


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ({"agent": {"commnad": ["ask"]}}, r'unknown key "procedures\.agent\.commnad"; did you mean "command"\?'),
        ({"agent": {"command": ["ask"], "x": 1}}, r'"procedures\.agent\.x"; known: command, seconds, output_bytes'),
    ],
)
def test_a_misspelt_key_of_a_procedure_is_named_with_the_one_that_was_meant(
    monkeypatch: pytest.MonkeyPatch, setting: object, says: str
) -> None:
    monkeypatch.setenv("BIBLICUS_PROCEDURES", json.dumps(setting))
    with pytest.raises(ConfigInvalid, match=says):
        load_settings()
