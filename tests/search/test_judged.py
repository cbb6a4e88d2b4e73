"""The judge: its scores are fused with those before, leave none out, depend on no limit, and may be waited for."""

from collections.abc import Sequence

import pytest

from biblicus import Corpus
from biblicus.contracts import Call, Given, Judged, JudgingReranker, NotReranked, Passage
from biblicus.corpus import recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.embedding import judge as judges
from biblicus.embedding import likeness
from biblicus.errors import ExtraMissing
from biblicus.models.digest import file_digest
from biblicus.models.evidence import Result
from biblicus.models.question import Question
from biblicus.models.recipe import BUILT_IN, Choice, Recipe
from biblicus.models.requests.query import QueryRequest
from biblicus.retrieval.judge import Options, build, fused, weights
from biblicus.runs.parts import Legs
from biblicus.search.judged import CorpusJudge
from biblicus.search.searcher import LocalSearcher

ITEMS = 40
"""More than are judged, and than a leg is asked for at first."""
installed = pytest.mark.skipif(not judges.is_installed(), reason="the extra [meaning] is not installed")


class Fake:
    """Likes passages that say so, and counts those that it read."""

    def __init__(self, status: str = "", logit: float = 1.0, by_cosine: bool = False) -> None:
        self.status, self.logit, self.by_cosine, self.read = status, logit, by_cosine, 0

    def scores(self, question: str, passages: Sequence[Passage], call: Call) -> Judged:
        if self.status:
            raise NotReranked("It rests.", None, self.status)  # type: ignore[arg-type]
        self.read += len(passages)
        scores = [self.logit if "answer" in passage.body else self.logit - 1 for passage in passages]
        return Judged(scores, self.by_cosine)


def passage(score: float, row: int = 0, language: str = "en", body: str = "Words.", **stages: float) -> Passage:
    return Passage(row, body, score, "", body, stages, "doc", language)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> CorpusFolder:
    place = tmp_path_factory.mktemp("judged")
    for number in range(ITEMS):
        answer = "This is the answer." if number in (9, 30) else "Nothing else."
        text = f"The tide in the harbour. {answer} " + "Further words. " * number
        (place / f"{number:02}.txt").write_text(text, "utf-8")
    with Corpus.init(place) as corpus:
        corpus.reindex("lexical")
    return CorpusFolder(place)


def asked(folder: CorpusFolder, judge: Fake, limit: int | None = None, path: tuple[str, ...] = ()) -> Result:
    def reranker(choice: Choice) -> JudgingReranker:
        return build(Options(), Given(judge=judge.scores))

    def resolved(name: str | None) -> Recipe:
        data = {**BUILT_IN["lexical"], "query": {**BUILT_IN["lexical"]["query"], "rerank": {"by": "judge"}}}
        return recipes.resolve({**data, "name": "read"}, "read")

    searcher = LocalSearcher(folder, resolved, Legs(folder), reranker, lambda *_: pytest.fail("not live"))
    try:
        return searcher.search(
            QueryRequest(query="tide in the harbour", limit=limit, max_tokens=10**6, path=path), Call()
        )
    finally:
        searcher.close()


# --- fusion -----------------------------------------------------------------------------------------------------------


def test_scores_stay_between_the_worst_and_the_best_before() -> None:
    scores = fused([passage(9), passage(5), passage(3)], [-4.0, 6.0, -2.0], {"score": 1, "judge": 2})
    assert max(scores) == scores[1] == 9
    assert min(scores) == 3


def test_a_judge_that_finds_all_alike_changes_nothing() -> None:
    assert fused([passage(9), passage(5), passage(3)], [1.0] * 3, {"score": 1, "judge": 2}) == [9, 5, 3]


def test_a_leg_counts_by_its_own_score_where_it_has_a_weight() -> None:
    seen = [passage(5, vector=0.1, lexical=9.0), passage(5, vector=0.9), passage(4, vector=0.5)]
    scores = fused(seen, [0.0, 0.0, 0.0], {"score": 0, "judge": 1, "vector": 1})
    assert scores[1] > scores[2] > scores[0]


def test_prose_and_code_have_weights_for_words_and_for_meaning() -> None:
    assert set(weights()) == {"prose", "code"}
    assert all(set(of) == {"words", "meaning"} for of in weights().values())
    assert all("judge" in parts for of in weights().values() for parts in of.values())


def test_a_single_candidate_is_not_read() -> None:
    judge = Fake()
    judged = build(Options(), Given(judge=judge.scores)).judged(Question("tide", {}), [passage(3)], Call())
    assert [(one.score, one.logit) for one in judged] == [(3, None)]
    assert judge.read == 0


# --- the stage --------------------------------------------------------------------------------------------------------


def test_the_best_are_judged_and_none_is_left_out(folder: CorpusFolder) -> None:
    judge = Fake()
    result = asked(folder, judge, 100)
    paths = [piece.path for piece in result.evidence]
    assert (judge.read, result.rerank) == (Options().candidates, "done")
    assert paths.index("09.txt") < 9, "it was the tenth before"
    assert sorted(paths) == [f"{number:02}.txt" for number in range(ITEMS)]
    assert "30.txt" in paths[Options().candidates :], "it was not among those that were judged"


def test_the_order_depends_on_no_limit_and_no_filter_that_keeps_all(folder: CorpusFolder) -> None:
    def seen(limit: int, path: tuple[str, ...] = ()) -> list[tuple[str, object]]:
        return [(piece.path, dict(piece.stage_scores)) for piece in asked(folder, Fake(), limit, path).evidence]

    whole = seen(100)
    for limit in (1, 3, 10, 25):
        assert seen(limit) == whole[:limit]
    assert seen(100, ("*.txt",)) == whole


@pytest.mark.parametrize("status", ["late", "busy"])
def test_without_time_the_order_before_stands(folder: CorpusFolder, status: str) -> None:
    result = asked(folder, Fake(status))
    assert (result.rerank, result.notes) == (status, ("The order is the one before reranking. It rests.",))
    assert result.evidence[0].path == "00.txt"
    assert result.as_object()["rerank"] == status


@pytest.mark.parametrize(
    ("judge", "is_insufficient"),
    [
        (Fake(logit=1.0), False),
        (Fake(logit=-9.0), True),
        (Fake(logit=-9.0, by_cosine=True), False),
        (Fake("late"), False),
    ],
)
def test_a_judge_that_finds_no_answer_says_so(folder: CorpusFolder, judge: Fake, is_insufficient: bool) -> None:
    assert [asked(folder, judge, limit).insufficient for limit in (1, 25)] == [is_insufficient] * 2


# --- the model --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model() -> judges.Judge:
    return judges.find(file_digest)


TEXTS = [
    "The fee for a night at the pier is nine euros.",
    "Terns nest on the pier in May.",
    "Fees. " * 400,
    "",
    "half a pair: \ud800",
]


@installed
def test_what_answers_scores_higher(model: judges.Judge) -> None:
    fee, terns = model.logits("What does a night at the pier cost?", TEXTS[:2], Call())
    assert fee is not None
    assert terns is not None
    assert fee > terns


@installed
def test_a_score_depends_on_no_neighbour_and_no_core(model: judges.Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    question = "What does a night at the pier cost?"
    together = model.logits(question, TEXTS, Call())
    assert model.logits(question, TEXTS[::-1], Call()) == together[::-1]
    monkeypatch.setattr(judges, "cores", lambda: 1)
    assert [model.logits(question, [text], Call())[0] for text in TEXTS] == together


@installed
def test_what_was_judged_is_not_read_again(folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    judge, passages = CorpusJudge(folder), [passage(1, body="A pier."), passage(2, body="A fee.")]
    scores = judge.scores("fee", passages, Call(patient=True))
    monkeypatch.setattr(judges, "find", lambda _: pytest.fail("it was kept"))
    assert judge.scores("fee", passages[::-1], Call()).scores == scores.scores[::-1]


@installed
def test_late_and_busy_are_said(folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    passages = [passage(1, body="One pier."), passage(2, body="Two fees.")]
    monkeypatch.setenv("BIBLICUS_JUDGE_SECONDS", "1e-9")
    with pytest.raises(NotReranked) as late:
        CorpusJudge(CorpusFolder(folder.root)).scores("late", passages, Call())
    slots = judges.find(file_digest).slots
    free = 0
    while slots.acquire(blocking=False):
        free += 1
    try:
        with pytest.raises(NotReranked) as busy:
            CorpusJudge(folder).scores("busy", passages, Call())
    finally:
        slots.release(free)
    assert (late.value.status, busy.value.status) == ("late", "busy")


def test_another_language_is_left_to_the_order_before(folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biblicus.embedding.likeness.is_installed", lambda: False)
    with pytest.raises(NotReranked) as left:
        CorpusJudge(folder).scores("Wie hoch?", [passage(1, language="de"), passage(2, language="de")], Call())
    assert (left.value.status, left.value.reason, left.value.error) == ("none", "", None)


def test_a_language_that_the_multilingual_embedder_knows_is_judged_by_its_cosine(folder: CorpusFolder) -> None:
    if not likeness.is_installed():
        pytest.skip("the extras [e5,int8] are not installed")
    passages = [passage(1, language="de", body="Seeschwalben brüten am Steg."),
                passage(2, language="de", body="Eine Nacht am Steg kostet neun Euro.")]  # fmt: skip
    judged = CorpusJudge(folder).scores("Was muss ich für die Übernachtung bezahlen?", passages, Call(patient=True))
    assert judged.by_cosine
    assert judged.scores[1] > judged.scores[0]
    again = CorpusJudge(folder).scores("Was kostet das Übernachten?", passages[::-1], Call(patient=True))
    single = CorpusJudge(folder).scores("Was kostet das Übernachten?", passages[:1], Call(patient=True))
    assert single.scores == again.scores[1:]


def test_a_model_that_is_missing_is_named(folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biblicus.model_files.table.place_of", lambda file: None)
    with pytest.raises(NotReranked) as left:
        CorpusJudge(folder).scores("missing?", [passage(1), passage(2, body="Two.")], Call())
    assert isinstance(left.value.error, ExtraMissing)


# --- vectors made for a question --------------------------------------------------------------------------------------


def test_cosines_of_passages_without_vectors_count_by_their_weight() -> None:
    seen = [passage(5), passage(5), passage(4)]
    scores = fused(seen, [0.0, 0.0, 0.0], {"score": 0, "judge": 1, "vector": 1}, [0.1, 0.9, 0.5])
    assert scores[1] > scores[2] > scores[0]


@installed
def test_a_question_makes_the_vectors_of_its_own_candidates_and_keeps_them(
    folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = CorpusJudge(folder)
    seen = [passage(9, body="A berth costs nine euros a night."), passage(5, body="Terns nest on the pier.")]
    first = judge.scores("What is the price of mooring?", seen, Call(patient=True))
    assert first.cosines is not None
    assert first.cosines[0] > first.cosines[1]
    monkeypatch.setattr("biblicus.runs.embedders.find", lambda *_: pytest.fail("embedded again"))
    assert judge.scores("What is the price of mooring?", seen[::-1], Call()).cosines == first.cosines[::-1]


@installed
@pytest.mark.parametrize(
    "seen",
    [
        [passage(9, vector=0.5), passage(5, vector=0.1)],
        [Passage(0, "", 9, "", "def moor(): ...", {}, "code"), Passage(1, "", 5, "", "def go(): ...", {}, "code")],
    ],
    ids=["found by vectors", "code, where they have no weight"],
)
def test_where_vectors_are_there_or_do_not_count_none_are_made(folder: CorpusFolder, seen: list[Passage]) -> None:
    assert CorpusJudge(folder).scores("How does a boat moor?", seen, Call(patient=True)).cosines is None


@installed
def test_where_time_is_left_for_the_judge_alone_it_decides(
    folder: CorpusFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> dict[str, float]:
        return {}

    monkeypatch.setattr(CorpusJudge, "_cosines", late)
    seen = [passage(9, body="A berth costs ten euros."), passage(5, body="Terns nest on the quay.")]
    judged = CorpusJudge(folder).scores("What does a berth cost?", seen, Call(patient=True))
    assert judged.cosines is None
    assert judged.scores[0] > judged.scores[1]
