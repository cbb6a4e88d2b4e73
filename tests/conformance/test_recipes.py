"""One suite for every built-in recipe: what a user may rely on, whichever way of ranking is chosen."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from biblicus import Corpus, Filters
from biblicus.errors import BlankQuestion
from biblicus.models.plain import plain
from features.model import Meaning
from tests.folders import write
from tests.sampling import crossed, some

RECIPES = ("lexical", "hybrid-alpha", "vector", "hybrid-sum", "hybrid", "scan", "hybrid-int8", "multilingual")
TEXTS = {
    "tides.md": "# Tides\n\nThe moon pulls the tides twice a day.\n\nThe ebb leaves the boats dry.",
    "gulls.txt": "Gulls follow the ships at the ebb. They are loud.",
    "ropes.txt": "---\ntags: [deck]\ntoolkit: rigging\ncategory: guide\ndate: 2026-05-12\n---\n"
    "Cords are coiled on deck by the bosun.",
    "mond.txt": "Der Mond zieht das Wasser der Meere an, jeden Tag zweimal.",
    "gauge.py": "def read_tide_gauge():\n    return 'moon'\n",
}
QUESTIONS = (
    "what's new", 'a "', "AND OR NOT (", "\0", "\ud800", "*", "moon^2~", "🌕", "-", "x" * 10_000, "title:moon", "\\",
)  # fmt: skip


@pytest.fixture(params=RECIPES, scope="module")
def recipe(request):
    model = Meaning()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biblicus.runs.embedders.find", lambda place, name: model)
        yield request.param


def built(folder: Path, recipe: str, texts: Mapping[str, str]) -> Corpus:
    write(folder, texts)
    corpus = Corpus.init(folder)
    corpus.reindex(recipe)
    return corpus


@pytest.fixture(scope="module")
def standing(tmp_path_factory, recipe):
    """A corpus that nobody changes."""
    with built(tmp_path_factory.mktemp("standing"), recipe, TEXTS) as corpus:
        yield corpus


@pytest.fixture(scope="module")
def crowded(tmp_path_factory, recipe):
    """The same among many others."""
    crowd = {f"crowd/{number}.txt": f"moon tide boats deck {number}" for number in range(150)}
    with built(tmp_path_factory.mktemp("crowded"), recipe, {**TEXTS, **crowd}) as corpus:
        yield corpus


@pytest.fixture
def make(tmp_path, recipe):
    made: list[Corpus] = []

    def build(texts: Mapping[str, str], name: str = "corpus") -> Corpus:
        made.append(built(tmp_path / name, recipe, texts))
        return made[-1]

    yield build
    for corpus in made:
        corpus.close()


def ask(corpus, text, recipe, **options):
    return corpus.query(text, recipe=recipe, **options)


def essence(result):
    own = ("run_id", "corpus_id", "recipe_id")
    return [{k: v for k, v in piece.as_object().items() if k not in own} for piece in result.evidence]


def test_every_piece_is_its_span_and_verifies(standing, recipe):
    result = ask(standing, "moon and tides", recipe)
    assert result.evidence
    for piece in result.evidence:
        text = Path(standing.path, piece.path).read_text("utf-8")
        assert text[piece.span_start : piece.span_end] == piece.text
        assert hashlib.sha256(piece.text.encode()).hexdigest() == piece.hash
        assert piece.score == piece.stage_scores.get(piece.stage, piece.score)
    assert {verdict.status for verdict in standing.verify(result)} == {"ok"}
    assert [piece.score for piece in result.evidence] == sorted((p.score for p in result.evidence), reverse=True)


def test_the_same_corpus_gives_the_same_evidence_elsewhere(make, recipe):
    here, there = make(TEXTS), make(dict(reversed(TEXTS.items())), "there")
    for question in ("moon", "boats at the ebb", "read_tide_gauge", '"coiled on deck"', "Mond"):
        assert essence(ask(here, question, recipe)) == essence(ask(there, question, recipe))
        assert essence(ask(here, question, recipe)) == essence(ask(here, question, recipe))


def test_an_empty_corpus_answers(make, recipe):
    result = ask(make({"empty.txt": ""}), "moon", recipe)
    assert (list(result.evidence), result.insufficient) == ([], True)


def test_one_item(make, recipe):
    result = ask(make({"one.txt": "The moon."}), "moon", recipe, limit=50)
    assert [piece.path for piece in result.evidence] == ["one.txt"]


def test_more_is_asked_for_than_there_is(standing, recipe):
    found = ask(standing, "moon tide gulls deck Wasser gauge", recipe, limit=1_000, max_tokens=10**6)
    assert {piece.path for piece in found.evidence} == set(TEXTS)


FILTERED: list[tuple[Filters, set[str]]] = [
    (Filters(tag=("deck",)), {"ropes.txt"}),
    (Filters(language=("de",)), {"mond.txt"}),
    (Filters(doctype=("code",)), {"gauge.py"}),
    (Filters(path=("*.md",)), {"tides.md"}),
    (Filters(type=("markdown",)), {"tides.md"}),
    (Filters(tag=("nosuch",)), set()),
    (Filters(toolkit=("rigging", "sails")), {"ropes.txt"}),
    (Filters(category=("guide",), doctype=("code",)), set()),
    (Filters(since="2026-05", until="2026-05-12"), {"ropes.txt"}),
    (Filters(source=("gauge.py", "git")), {"gauge.py"}),
]


@pytest.mark.parametrize(
    ("recipe", "filters", "paths"),
    [(recipe, *row) for row, recipe in crossed(FILTERED, RECIPES, each=2)],
    indirect=["recipe"],
)
def test_filters_act_before_ranking(crowded, recipe, filters, paths):
    found = ask(crowded, "moon tide bosun Wasser gauge deck", recipe, filters=filters, limit=20)
    assert {piece.path for piece in found.evidence} == paths


def test_budgets_hold(standing, recipe):
    assert len(ask(standing, "moon boats", recipe, limit=1).evidence) == 1
    short = ask(standing, "moon tides day", recipe, max_characters=40)
    assert 0 < sum(len(piece.text) for piece in short.evidence) <= 40
    assert standing.verify(short)[0].status == "ok"
    once = ask(standing, "moon boats tides", recipe, max_per_source=1, limit=50)
    assert len({piece.item_id for piece in once.evidence}) == len(once.evidence)


def test_what_changed_since_is_stale(make, recipe):
    corpus = make(TEXTS)
    Path(corpus.path, "gulls.txt").write_text("Gulls follow the ships no more.", "utf-8")
    found = ask(corpus, "gulls ships", recipe, limit=1).evidence
    assert [(piece.path, piece.stale) for piece in found] == [("gulls.txt", True)]


@pytest.mark.parametrize(("recipe", "question"), crossed(RECIPES, QUESTIONS, each=2), indirect=["recipe"])
def test_any_text_is_a_valid_question(standing, recipe, question):
    result = ask(standing, question, recipe)
    assert json.loads(json.dumps(result.as_object())) == plain(result)
    for piece in result.evidence:
        assert json.loads(json.dumps(piece.as_object())) == plain(piece)
    assert len(result.evidence) <= 10


def test_a_blank_question_is_an_error(standing, recipe):
    with pytest.raises(BlankQuestion):
        ask(standing, " \n", recipe)


@pytest.fixture(scope="module")
def equal(tmp_path_factory):
    """A thousand documents of the same text, for all recipes."""
    folder = tmp_path_factory.mktemp("equal")
    for number in range(1_000):
        (folder / f"{number:05}").mkdir()
        (folder / f"{number:05}" / "same.txt").write_text("The moon pulls the tides.")
    with Corpus.init(folder) as corpus:
        corpus.ingest()
        yield corpus


@pytest.mark.parametrize("recipe", some(RECIPES, 2), indirect=True)
def test_a_thousand_equal_documents_keep_one_order(equal, recipe):
    """The order of ties is that of item ids, whatever the engine; enough of them that no engine fetches all at once.
    The first stands for 200 copies; what is more of them stays."""
    equal.reindex(recipe)
    found = ask(equal, "moon", recipe, limit=20).evidence
    ids = sorted(item.item_id for item in equal.list())
    assert [piece.item_id for piece in found] == [ids[0], *ids[201:220]]
    assert len({piece.score for piece in found}) == 1
