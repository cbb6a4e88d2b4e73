"""The runtime of a persona: what it may read, what bounds it, and what a caller's hooks are for."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from biblicus import Call, Corpus
from biblicus.answers.answer_as import answer, tightened
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import DeadlineExceeded, PersonaError, PersonaNotFound, RecipeNotFound
from biblicus.models.answers.persona import Persona, Plan
from biblicus.models.plain import plain
from biblicus.models.requests.answer import AnswerRequest
from biblicus.models.requests.query import QueryRequest
from tests.personas.conftest import made, persona

QUESTION = "What are the costs of a berth?"


def test_the_manual_is_planned_with_and_never_cited(corpus: Corpus):
    found = corpus.answer_as("keeper", QUESTION)
    research = corpus.stats()["corpus_id"]
    assert {p.corpus_id for p in found.manual}.isdisjoint({research})
    cited = [citation.piece for said in found.statements for citation in said.citations]
    assert {p.corpus_id for p in cited} == {research}
    assert all(verdict.holds for verdict in corpus.verify(cited))
    assert [step.text for step in found.plan.steps][:1] == ["Look for the price in the **tariff** first."]


def test_the_document_says_it_all(corpus: Corpus):
    found = plain(corpus.answer_as("keeper", QUESTION))
    assert json.loads(json.dumps(found)) == found
    assert found["persona"] == "keeper"
    assert len(found["persona_digest"]) == 12
    assert {"plan", "manual", "queries", "assessment", "statements", "confidence", "unused", "timings"} <= set(found)
    assert {"manual", "plan", "query", "answer", "total"} <= set(found["timings"])
    assert "ontology_context" not in found


def test_whoever_is_a_guest_reads_only_what_came_with_the_corpus(corpus: Corpus):
    place = CorpusFolder(corpus.path)

    def ask(name: str) -> object:
        return answer(place, AnswerRequest(QUESTION, persona=name), Call(guest=True))

    with pytest.raises(PersonaError, match="not served"):
        ask("keeper")  # beside the corpus: on this machine it is the user's
    persona(corpus, "named", "manual_corpus: corpus://manuals\n")
    with pytest.raises(PersonaError, match="not served"):
        ask("named")
    made(corpus.path / "own", {"a.md": "# Costs\n\nLook in the *tariff*.\n"}).close()
    persona(corpus, "inside", "manual_corpus: own\n")
    assert ask("inside")


def test_a_name_resolves_by_the_users_places_alone(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    persona(corpus, "named", "manual_corpus: corpus://manuals\n")
    with pytest.raises(PersonaError, match='No corpus is named "manuals"'):
        corpus.answer_as("named", QUESTION)
    monkeypatch.setenv("BIBLICUS_PLACES", f"{{manuals: {tmp_path / 'manual'}}}")
    assert corpus.answer_as("named", QUESTION).manual


@pytest.mark.parametrize(
    ("harm", "hint"),
    [
        ("manifest", "in the corpus's folder: biblicus reindex --fresh -C ../manual"),
        ("index", "in the corpus's folder: biblicus reindex -C ../manual"),
        ("config", "edit ../manual/.biblicus/config.yml"),
    ],
)
def test_a_manual_that_is_damaged_is_named_as_the_manual(corpus: Corpus, tmp_path: Path, harm: str, hint: str):
    home = tmp_path / "manual" / ".biblicus"
    found = {
        "manifest": next((home / "runs").iterdir()),
        "index": next((home / "local" / "index").iterdir()) / "tables.db",
        "config": home / "config.yml",
    }
    found[harm].write_bytes(b"{")
    with pytest.raises(PersonaError, match="its manual corpus") as error:
        corpus.answer_as("keeper", QUESTION)
    assert error.value.hint == "biblicus personas check keeper"
    (checked,) = corpus.check_personas("keeper")
    assert not checked.ok
    assert checked.problems[0]["hint"] == hint


def test_limits_tighten_and_never_loosen():
    strict = Persona.model_validate({"id": "k", "name": "K", "budget": {"items": 3, "tokens": 500}, "recipe": "scan"})
    asked = QueryRequest("q", limit=5, max_tokens=100)
    assert tightened(asked, strict) == QueryRequest("q", limit=3, max_tokens=100, recipe="scan")
    assert tightened(QueryRequest("q", recipe="vector"), strict).recipe == "vector"
    assert tightened(QueryRequest("q", run="r"), strict).recipe is None
    assert tightened(QueryRequest("q", max_per_source=2), strict).max_per_source == 2


def test_a_personas_time_bounds_the_answer(corpus: Corpus):
    persona(corpus, "hasty", "manual_corpus: ../manual\nlimits: {seconds: 0.000001}\n")
    with pytest.raises(DeadlineExceeded):
        corpus.answer_as("hasty", QUESTION)


def test_a_persona_of_one_query_asks_once(corpus: Corpus):
    persona(corpus, "short", "manual_corpus: ../manual\nlimits: {queries: 1}\n")
    assert [query.origin for query in corpus.answer_as("short", QUESTION).queries] == ["question"]


def test_a_graph_names_what_else_to_search_for(corpus: Corpus):
    seen: list[tuple[str, Plan]] = []

    def graph(question: str, plan: Plan, call: Call) -> Sequence[str]:
        seen.append((question, plan))
        return ["Ingrid  keeps\nthe lamp", " ", "Halvard"]

    found = corpus.answer_as("keeper", "Who pays the berth?", graph=graph, ontology_context={"berth": "a place"})
    assert [(query.text, query.origin) for query in found.queries][1:3] == [
        ("Ingrid keeps the lamp", "graph"),
        ("Halvard", "graph"),
    ]
    assert "crew.md" in {p.path for p in found.result.evidence}
    assert found.graph_context == ("Ingrid  keeps\nthe lamp", " ", "Halvard")
    assert found.ontology_context == {"berth": "a place"}
    assert seen[0][0] == "Who pays the berth?"
    assert plain(found)["ontology_context"] == {"berth": "a place"}


def test_a_graph_asks_no_more_than_the_persona_may(corpus: Corpus):
    persona(corpus, "short", "manual_corpus: ../manual\nlimits: {queries: 2}\n")
    found = corpus.answer_as("short", QUESTION, graph=lambda q, p, c: ["lamp", "boat shed", "crew"])
    assert [(query.text, query.origin) for query in found.queries] == [(QUESTION, "question"), ("lamp", "graph")]


def test_a_snippet_that_only_shares_a_word_is_left_out(corpus: Corpus, tmp_path: Path):
    made(
        tmp_path / "other", {"a.md": "Costs and fees of berths and moorings.\n", "b.md": "A berth.\n" + "x y. " * 60}
    ).close()
    persona(corpus, "choosy", "manual_corpus: ../other\n")
    assert [p.path for p in corpus.answer_as("choosy", "What fees and costs have moorings of a berth?").manual] == [
        "a.md"
    ]


def test_a_graph_finds_no_answer_to_what_the_corpus_does_not_know(corpus: Corpus):
    """What a hook brings in is searched for; it answers nothing by itself."""
    found = corpus.answer_as("keeper", "Who won the chess tournament?", graph=lambda q, p, c: ["Ingrid keeps the lamp"])
    assert (found.statements, found.insufficient) == ((), True)


def test_an_unknown_persona_and_an_unknown_recipe(corpus: Corpus):
    with pytest.raises(PersonaNotFound):
        corpus.answer_as("nobody", QUESTION)
    persona(corpus, "odd", "recipe: nosuch\n")
    with pytest.raises(RecipeNotFound):
        corpus.answer_as("odd", QUESTION)


def test_the_budget_of_the_manual_holds(corpus: Corpus):
    persona(corpus, "brief", "manual_corpus: ../manual\nbudget: {manual: 1}\n")
    assert len(corpus.answer_as("brief", "Who costs what, and who does what?").manual) == 1
