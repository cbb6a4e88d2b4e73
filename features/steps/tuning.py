"""Steps that tune a recipe, make questions, and look at comparisons and reports."""

from typing import Any

from pytest_bdd import then, when

from features.phrase import phrase
from features.world import Table, World, listed, rows, same


def _tune(world: World, recipe: str, name: str, table: Table, **more: Any) -> None:
    world.attempt("tune", name, recipe=recipe, over=[row["over"] for row in rows(table)], **more)


@when(phrase('the recipe "{recipe}" is tuned on "{name}" over'))
def tune(world: World, recipe: str, name: str, datatable: Table) -> None:
    _tune(world, recipe, name, datatable)


@when(phrase('the recipe "{recipe}" is tuned on "{name}" and saved as "{new}" over'))
def tune_and_save(world: World, recipe: str, name: str, new: str, datatable: Table) -> None:
    _tune(world, recipe, name, datatable, save=new)


@when(phrase('the recipe "{recipe}" is tuned on all of "{name}" and saved as "{new}", even if by chance, over'))
def tune_and_save_anyhow(world: World, recipe: str, name: str, new: str, datatable: Table) -> None:
    _tune(world, recipe, name, datatable, save=new, holdout=0, even_if_chance=True)


@then(phrase('nothing is saved, since "{reason}"'))
def nothing_saved(world: World, reason: str) -> None:
    assert "saved" not in world.value or world.value["saved"] is None
    assert reason in world.value["chance"]


@when(phrase('the recipe "{recipe}" is tuned twice on "{name}" over'))
def tune_twice(world: World, recipe: str, name: str, datatable: Table) -> None:
    outcomes = []
    for _ in range(2):
        _tune(world, recipe, name, datatable, seed=3)
        outcomes.append(world.value)
    world.names["outcomes"] = outcomes


@then("both outcomes are the same")
def same_outcomes(world: World) -> None:
    one, two = world.names["outcomes"]
    assert one == two


@then(phrase("{count#} settings were tried on {chosen#} questions, {held#} held out"))
def were_tried(world: World, count: str, chosen: str, held: str) -> None:
    found = world.value
    assert (len(found["trials"]), *found["questions"]) == (int(count), int(chosen), int(held))
    assert found["trials"][0]["settings"] == {}


@then("the best is no worse than the recipe on either side")
def no_worse(world: World) -> None:
    best, base = world.value["best"], world.value["base"]
    assert best["search"] == max(trial["search"] for trial in world.value["trials"])
    assert best["search"] >= base["search"]
    assert 0 <= best["holdout"] <= 1
    assert world.value["on_holdout"] is None or world.value["on_holdout"]["metric"] == "ndcg@10"


@then(phrase('the recipe "{new}" differs from "{old}" in'))
def differs_in(world: World, new: str, old: str, datatable: Table) -> None:
    assert world.value["saved"] == f".biblicus/recipes/{new}.yml"
    one, two = (_flat(world.do("recipes show", name)) for name in (new, old))
    own = ("name", "description", "build_id", "recipe_id")
    found = {key: one[key] for key in one if key not in own and one[key] != two.get(key)}
    assert found == {row["setting"]: row["value"] for row in rows(datatable)}


def _flat(value: Any, prefix: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        return {prefix: value}
    return {
        key: part for name, inner in value.items() for key, part in _flat(inner, f"{prefix}.{name}".strip(".")).items()
    }


@then(phrase('the dataset "{name}" can be evaluated'))
def can_be_evaluated(world: World, name: str) -> None:
    (found,) = world.do("eval", name)["systems"]
    assert found["metrics"]["span_success@10"] > 0


# --- comparisons and reports ---


@when(phrase('the recipes "{recipes}" are compared on "{name}"'))
def compare(world: World, recipes: str, name: str) -> None:
    world.attempt("eval", name, recipe=listed(recipes), metric="ndcg@10")


@when(phrase('the recipes "{recipes}" are compared on "{name}" with the report "{report}"'))
def compare_with_report(world: World, recipes: str, name: str, report: str) -> None:
    """The report lies outside the corpus."""
    world.outside.mkdir(exist_ok=True)
    world.attempt("eval", name, recipe=listed(recipes), report=str(world.outside / report))


@then("the comparisons are")
def comparisons_are(world: World, datatable: Table) -> None:
    found = world.value["comparisons"]
    same(found, datatable)
    for one in found:
        assert one["low"] <= one["difference"] <= one["high"]
        assert 0 < one["p_value"] <= one["p_adjusted"] <= 1


@then(phrase('the report "{name}" says "{words!}"'))
def report_says(world: World, name: str, words: str) -> None:
    assert world.value
    assert words in (world.outside / name).read_text("utf-8")
