"""Data of the corpus pages: items and folders, runs and their differences, failures, saved evaluations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from markupsafe import Markup

from biblicus.connectors.web.asking import Asked
from biblicus.connectors.web.doing import refuse_guest
from biblicus.connectors.web.kinds import day_of, kind_of
from biblicus.connectors.web.searching import chosen, standing
from biblicus.errors import BiblicusError, UsageError
from biblicus.measure.comparison import compare
from biblicus.measure.report import charts, page
from biblicus.measure.report.charts import Course
from biblicus.measure.report.words import COLOURS
from biblicus.measure.stored import StoredEntry, StoredEvaluation
from biblicus.models.answers.evaluation import Evaluation
from biblicus.models.evidence import Pending
from biblicus.models.fields import NoRequest
from biblicus.models.requests.measure import EvaluationRequest
from biblicus.models.unread import KINDS, Unread, unread_of
from biblicus.service.verbs import DIFF_RUNS, EVALUATION, EVALUATIONS, LIST, RUN, RUNS, STATS, TREE
from biblicus.text.media import BINARY, of_name

_PAGE = 100
_WORST = 10
_SHOWN = 200
"""Maximum number of items for each kind of difference."""


def items(asked: Asked) -> dict[str, Any]:
    """Return the matching items, a page at a time; without filters, the folders of one level."""
    corpus = asked.corpus
    folder = asked.word("folder").strip("/")
    shown: dict[str, Any] = {"folder": folder, "above": [], "nodes": [], "items": [], "next": None, "corpus": corpus}
    shown["filters"] = chosen(asked, "/corpus")
    stats = asked.ask(STATS)
    counts = stats.get("pending")
    shown["told_pending"] = standing(Pending(**counts) if counts else None, corpus if len(asked.names) > 1 else None)
    stats.setdefault("pending", None)
    if asked.filters:
        listed = asked.ask(LIST, **asked.filters, limit=_PAGE, cursor=asked.word("cursor") or None)
        for item in listed["items"]:
            item |= _as_listed(item)
        return {**shown, "stats": stats, "items": listed["items"], "next": _further(asked, listed)}
    tree = asked.ask(TREE, prefix=folder, depth=1, max_entries=_PAGE, cursor=asked.word("cursor") or None)
    for node in tree["nodes"]:
        node["name"] = node["path"].rstrip("/").rpartition("/")[2]
        node |= _as_listed(node)
    if folder:
        full_tree = asked.ask(TREE, prefix=folder, depth=1) if tree.get("next_cursor") or asked.word("cursor") else tree
        stats |= {count: sum(node[count] for node in full_tree["nodes"]) for count in ("items", "bytes")}
        shown["above"] = _above(asked, folder, stats["name"])
    return {**shown, "stats": stats, "nodes": tree["nodes"], "next": _further(asked, tree)}


def _as_listed(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return an entry's icon, and its title unless that only repeats the name of its file."""
    title, name = (entry.get("title") or "", entry["path"].rpartition("/")[2].rpartition(".")[0])
    is_name = [*filter(str.isalnum, title.casefold())] == [*filter(str.isalnum, name.casefold())]
    icon = kind_of(of_name(entry["path"]) or BINARY).icon if entry.get("item_id") else "folder"
    return {"icon": icon, "title": "" if is_name else title}


def _further(asked: Asked, page: Mapping[str, Any]) -> str | None:
    cursor = page.get("next_cursor")
    return asked.address("/corpus", cursor=cursor) if cursor else None


def _above(asked: Asked, folder: str, corpus: str) -> list[tuple[str, str]]:
    """Return the parent folders of a folder, starting at the corpus, each with its address."""
    names = folder.split("/")
    paths = ["/".join(names[:level]) for level in range(1, len(names))]
    addresses = [asked.address("/corpus", folder=path, cursor=None) for path in (None, *paths)]
    return list(zip([corpus, *names], addresses, strict=False))


def runs(asked: Asked) -> dict[str, Any]:
    """Return the runs, newest first."""
    listed = asked.ask(RUNS)["runs"][::-1]
    for number, run in enumerate(listed):
        older = (each["run_id"] for each in listed[number + 1 :] if each["build_id"] == run["build_id"])
        run["before"] = next(older, None)
    return {"runs": listed}


def run(asked: Asked, name: str) -> dict[str, Any]:
    return {"run": asked.ask(RUN, run=name)}


def failures(asked: Asked) -> dict[str, Any]:
    """Return the files without text in the current runs, by class and with hints.

    Recipes with the same files are grouped."""
    stats = asked.ask(STATS)
    groups: dict[tuple[Unread, ...], list[str]] = {}
    for recipe, latest in stats["runs"].items():
        try:
            manifest = asked.ask(RUN, run=latest["run_id"])
        except BiblicusError:
            continue
        groups.setdefault(tuple(unread_of(manifest["skipped"], manifest["failed"])), []).append(recipe)
    return {"groups": [{"recipes": names, "kinds": _by_help(unread)} for unread, names in groups.items()]}


def _by_help(unread: Iterable[Unread]) -> list[dict[str, Any]]:
    kinds: list[dict[str, Any]] = []
    for (kind, help_), entries in groupby(sorted(unread, key=_sorting), key=lambda entry: (entry.kind, entry.hint)):
        listed = list(entries)
        kinds.append({"kind": kind, "help": help_, "files": listed[:_SHOWN], "count": len(listed)})
    return kinds


def _sorting(entry: Unread) -> tuple[int, str, str]:
    return KINDS.index(entry.kind), entry.hint, entry.path


def differences(asked: Asked) -> dict[str, Any]:
    """Return the differences of two runs; only for this machine's user. Raises `ScopeMissing`."""
    refuse_guest(asked)
    first, second = asked.word("first"), asked.word("second")
    differing = asked.ask(DIFF_RUNS, first=first, second=second)
    return {**differing, "items": differing["items"] or {}, "first": first, "second": second, "most": _SHOWN}


def evaluations(asked: Asked) -> dict[str, Any]:
    """Return the saved evaluations with charts of each system's results; only for this machine's user."""
    refuse_guest(asked)
    entries = asked.corpora.ask(asked.corpus, EVALUATIONS, NoRequest(), asked.call).evaluations
    rows = [(entry, _before(entry, entries[number + 1 :])) for number, entry in enumerate(entries)]
    datasets = dict.fromkeys(entry.dataset for entry in entries if entry.systems)
    charted = [
        chart
        for name in datasets
        if (chart := _chart([candidate for candidate in entries if candidate.dataset == name]))
    ]
    return {"rows": rows, "charts": charted}


def _before(entry: StoredEntry, older: Iterable[StoredEntry]) -> str | None:
    """Return the name of the evaluation before, which measured one of the systems with the same dataset."""
    names = {system.name for system in entry.systems}
    alike = (each for each in older if each.dataset == entry.dataset)
    return next((each.name for each in alike if any(system.name in names for system in each.systems)), None)


def _chart(entries: Sequence[StoredEntry]) -> Markup | None:
    """Chart the first metric of each system over the evaluations of a dataset; None for a single evaluation."""
    if len(entries) < 2:
        return None
    metric = next(iter(entries[0].systems[0].metrics), "")
    courses: dict[str, list[tuple[int, float, str]]] = {}
    for number, entry in enumerate(reversed(entries)):
        for system in entry.systems:
            if metric in system.metrics:
                value = system.metrics[metric]
                title = f"{system.name}, {day_of(entry.created_at)}: {value:.3f}"
                courses.setdefault(system.name, []).append((number, value, title))
    drawn = [Course(name, number % COLOURS, values) for number, (name, values) in enumerate(courses.items())]
    return Markup(charts.over_time(drawn, len(entries), f"{metric} of {entries[0].dataset}")) if drawn else None


def evaluation(asked: Asked, name: str) -> dict[str, Any]:
    """Return a saved evaluation's report with its worst questions; beside an earlier one if the address names it. Only
    for this machine's user. Raises `EvaluationNotFound`, `UsageError`."""
    refuse_guest(asked)
    stored = [_stored(asked, each) for each in (asked.word("against"), name) if each]
    passages = {(text.item_id, text.start, text.end): text.text for each in stored for text in each.passages}
    shown = stored[-1].evaluation
    if len(stored) > 1:
        shown = _side_by_side(stored[0].evaluation, shown)
    shown = replace(shown, created_at=day_of(shown.created_at))
    report = Markup("".join(page.body(shown, passages)))
    return {"name": name, "worst": _worst(stored[-1].evaluation), "report": report}


def _stored(asked: Asked, name: str) -> StoredEvaluation:
    return asked.corpora.ask(asked.corpus, EVALUATION, EvaluationRequest(name), asked.call)


def _side_by_side(before: Evaluation, after: Evaluation) -> Evaluation:
    """Return an evaluation with the first system that both measured, once from each. Raises `UsageError`."""
    earlier = {system.name: system for system in before.systems}
    later = next((system for system in after.systems if system.name in earlier), None)
    if later is None or before.dataset != after.dataset:
        raise UsageError("These evaluations have no system and dataset in common.")
    base = replace(earlier[later.name], name=f"{later.name} of {day_of(before.created_at)}")
    systems = [base, replace(later, name=f"{later.name} now")]
    return replace(after, systems=systems, comparisons=compare(systems, list(later.metrics)), gates=())


def _worst(measured: Evaluation) -> list[tuple[str, str]]:
    """Return the questions of the first system with the lowest values, each with its value."""
    system = measured.systems[0]
    metric = next(iter(system.metrics), "")
    rows = sorted((row for row in system.rows if row.metrics.get(metric, 1) < 1), key=lambda row: row.metrics[metric])
    return [(row.text, f"{metric} {row.metrics[metric]:.3f}") for row in rows[:_WORST]]
