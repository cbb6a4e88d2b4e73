"""The words that carry a question weigh less than what it is about, in every language; a fit gives the same data."""

import json
from importlib.resources import files

import pytest

from benchmarks import wrapping as fitting
from benchmarks.workbench import data_folder
from biblicus.text.terms import analysis, wrapping


def weighed(question: str) -> dict[str, float]:
    words = analysis.plain_analyzer().analyze(analysis.bigrams(question))
    return dict(zip(words, wrapping.weights(words), strict=True))


@pytest.mark.parametrize(
    ("question", "term", "carriers"),
    [
        ("tell me in one sentence what a bollard does", "bollard", ("tell", "one", "sentence")),
        ("what do people mean by gangway", "gangway", ("people", "mean")),
        ("can you explain fairlead to me", "fairlead", ("explain",)),
        ("erkläre mir, was ein Poller ist", "poller", ("erkläre", "mir")),
        ("расскажи в двух словах про кнехт", "кнехт", ("расскажи", "двух")),
        ("explique-moi hauban en quelques mots", "hauban", ("explique", "mots")),
    ],
)
def test_what_carries_a_question_weighs_less_than_its_term(question, term, carriers):
    weights = weighed(question)
    assert all(weights[carrier] < 0.8 * weights[term] for carrier in carriers)


def test_every_word_of_a_statement_and_of_a_passage_weighs_something():
    assert min(weighed("biomaterials show inductive properties").values()) > 0.5
    assert set(wrapping.weights(["tell", "me"] * 9)) == {1.0}
    assert set(weighed("请解释一下缆桩").values()) == {1.0}


def test_a_question_of_carriers_alone_still_has_a_weight():
    assert all(weight > 0 for weight in weighed("what is meant by this").values())
    assert wrapping.weights([]) == []


def test_a_fit_of_the_same_questions_gives_the_same_data():
    questions = list(fitting.worded(["what is {t}", "tell me about {t}"], ["the bollard", "gangway"]))
    first, second = (fitting.written(fitting.fit(questions)) for _ in range(2))
    assert first == second
    assert fitting.found(fitting.fit(questions), questions) == 1


@pytest.mark.long
def test_the_data_file_is_what_the_fit_writes():
    if not data_folder().exists():
        pytest.skip("the shared collections are not here")
    kept = files("biblicus.text.terms").joinpath("wrapping.json").read_text("utf-8")
    questions = [*fitting.natural(), *fitting.worded(fitting.WORDINGS.read_text("utf-8").splitlines(), fitting.terms())]
    assert json.loads(fitting.written(fitting.fit(questions))) == json.loads(kept)
