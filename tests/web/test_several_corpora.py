"""Several corpora on one page: asked together or alone, each item in its own."""

from collections.abc import Iterator

import pytest

from tests.folders import corpus_of
from tests.visitor import Visitor, no_tokens, page_of


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    base = tmp_path_factory.mktemp("several")
    for name in ("sea", "land"):
        corpus_of(base / name, {"moon.md": f"# Moon over {name}\n\nThe moon shines on the {name}.\n"})
    with page_of(str(base / "sea"), str(base / "land"), tokens=no_tokens(base)) as (address, _):
        yield address


def test_all_are_asked_or_those_that_are_chosen(home: str) -> None:
    visitor = Visitor(home).look("/?q=moon")
    assert sorted(visitor.texts(".results h3")) == ["Moon over land", "Moon over sea"]
    assert visitor.look("/?q=moon&corpus=sea").texts(".results h3") == ["Moon over sea"]
    assert visitor.look("/?q=moon&corpus=nosuch").status == 200


@pytest.mark.parametrize("name", ["sea", "land"])
def test_a_result_leads_into_its_own_corpus(home: str, name: str) -> None:
    visitor = Visitor(home).look("/?q=moon").follow(f"Moon over {name}")
    assert visitor.texts("h1") == [f"Moon over {name}"]
    assert "Verified now" in " ".join(visitor.texts(".standing"))
    visitor.look(f"/?q=Where+does+the+moon+shine&corpus={name}").follow(f"Moon over {name}")
    assert f"The moon shines on the {name}." in visitor.texts(".cited")
    assert visitor.look(f"/corpus?corpus={name}").texts("h1") == [name]
    assert visitor.look(f"/corpus/runs?corpus={name}").status == 200
    assert visitor.look(f"/corpus/failures?corpus={name}").status == 200
