"""Data of the corpus pages: the first one with its contents in numbers and example questions, items and folders, runs
and their differences, failures, saved evaluations; and suggestions."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from markupsafe import Markup

from biblicus.connectors.web import searching
from biblicus.connectors.web.asking import Asked, joined
from biblicus.connectors.web.doing import refuse_guest
from biblicus.connectors.web.kinds import day_of, day_of_run, kind_of
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
from biblicus.models.requests.items import GetRequest, ListRequest
from biblicus.models.requests.measure import EvaluationRequest
from biblicus.models.unread import KINDS, Unread, unread_of
from biblicus.service.jobs import Jobs
from biblicus.service.verbs import DIFF_RUNS, EVALUATION, EVALUATIONS, EVENTS, GET, LIST, RUN, RUNS, STATS, TREE
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


# --- the first page of a corpus ---

_KINDS = 6
_STEP = ("step", "done", "total")
_LATELY = 5
_EVENTS = 200
"""Number of newest events searched for items."""
_EXAMPLES = 3
_LOOKED_AT = 12
"""Number of largest items whose headings may become examples."""
_LONGEST = 60
"""Maximum characters of a heading in an example; three times as many in a suggestion."""
_SUGGESTED = 8
_KEPT = 60.0
"""Seconds for which titles are cached."""


def home(asked: Asked, jobs: Jobs) -> dict[str, Any]:
    """Return the page's values: a card for each corpus; of a single one also what is new, unread, and can be asked."""
    chosen = [name for name in asked.words.getlist("corpus") if name in asked.names] or asked.names
    cards = [{**_card(asked, name), "now": _now(asked, name, jobs)} for name in chosen]
    page: dict[str, Any] = {"at": asked, "cards": cards, "question": "", "recipe": "", "persona": "", "chosen": chosen}
    page |= dict.fromkeys(("examples", "lately", "unread", "filters", "recipes", "personas", "history"), ())
    if len(chosen) == 1:
        corpus = chosen[0] if len(asked.names) > 1 else None
        page |= {"examples": list(_examples(asked, corpus)), "lately": _lately(asked)}
        page["unread"] = [kind for group in failures(asked)["groups"][:1] for kind in group["kinds"]]
    return page


def _now(asked: Asked, corpus: str, jobs: Jobs) -> dict[str, Any] | None:
    """Return how far the indexing or embedding of a corpus is; only for this machine's user."""
    if asked.call.guest or corpus not in asked.corpora.here():
        return None
    if (job := jobs.running(corpus)) is not None:
        step = job.progress
        now = (step.step, step.done, step.total) if step else (job.verb, 0, 0)
    elif (following := asked.corpora.owners(corpus).progress) is not None:
        now = following
    else:
        return None
    return {"job": job and asked.address(f"/corpus/jobs/{job.job_id}"), **dict(zip(_STEP, now, strict=True))}


def _card(asked: Asked, corpus: str) -> dict[str, Any]:
    try:
        stats = asked.ask(STATS, corpus=corpus)
    except BiblicusError as error:
        return {"name": corpus, "problem": error}
    several = corpus if len(asked.names) > 1 else None
    kinds: Counter[str] = Counter()
    types: defaultdict[str, list[tuple[str, str]]] = defaultdict(lambda: _present(corpus=several))
    for media_type, count in stats["media_types"].items():
        name = kind_of(media_type).name
        kinds[name] += count
        types[name].append(("type", media_type))
    return {
        "name": stats["name"],
        "items": stats["items"],
        "bytes": stats["bytes"],
        "kinds": [(name, count, joined("/corpus", types[name])) for name, count in kinds.most_common(_KINDS)],
        "indexed": day_of_run(max((run["run_id"] for run in stats["runs"].values()), default="")),
        "standing": searching.standing(Pending(**stats["pending"]), several) if stats.get("pending") else [],
        "address": joined("/", [("corpus", corpus)]) if several else None,
        "problem": None,
    }


def _examples(asked: Asked, corpus: str | None) -> Iterator[dict[str, str]]:
    """Yield questions that sections of the largest documents answer."""
    listed = asked.ask(LIST, limit=_LOOKED_AT, sort="size")["items"]
    count = 0
    for item in listed:
        if kind_of(item["media_type"]).icon not in ("text", "book"):
            continue
        try:
            excerpt = asked.corpora.ask(asked.corpus, GET, GetRequest(item["item_id"], spots=True), asked.call)
        except BiblicusError:
            continue
        title = item["title"]
        headings = [" ".join(heading["title"].split()) for heading in excerpt.headings]
        of_section = (text for text in headings if text and text != title and len(text) <= _LONGEST)
        heading = max(of_section, key=len, default=None)
        if heading is None:
            continue
        question = heading if heading.endswith("?") else f"What does “{title[:_LONGEST]}” say about “{heading}”?"
        yield {"question": question, "address": joined("/", _present(q=question, corpus=corpus))}
        count += 1
        if count == _EXAMPLES:
            return


def _lately(asked: Asked) -> list[tuple[str, str]]:
    """Return the items that were added or changed last and the days of that, by the event log of this clone."""
    try:
        log, _, number = (asked.ask(EVENTS, after="now")["cursor"] or "").rpartition("-")
        events = asked.ask(EVENTS, after=f"{log}-{max(0, int(number) - _EVENTS)}")["events"] if log else []
    except BiblicusError:
        return []
    newest: dict[str, Mapping[str, Any]] = {}
    for event in reversed(events):
        for path in filter(None, (event.get("path"), event.get("from"))):
            newest.setdefault(path, event)
    present = [path for path, event in newest.items() if event["event"] != "item.removed" and path == event.get("path")]
    return [(path, newest[path]["at"][:10]) for path in present[:_LATELY]]


def _present(**words: str | None) -> list[tuple[str, str]]:
    return [(name, word) for name, word in words.items() if word]


class Titles:
    """Titles of items for suggestions, cached for a minute by corpus and by the visitor's rights."""

    def __init__(self) -> None:
        self._kept: dict[object, tuple[float, list[str]]] = {}

    def suggestions(self, asked: Asked) -> list[str]:
        """Return titles that contain the words typed so far, then titles and headings of the best evidence for them
        that complete the last word."""
        typed = " ".join(asked.word("q").lower().split())[: 3 * _LONGEST]
        if len(typed) < 2:
            return []
        of_titles = sorted(
            (title for title in self._titles(asked) if typed in title.lower()),
            key=lambda title: (not title.lower().startswith(typed), len(title)),
        )
        try:
            evidence = searching.query(asked.about(typed), typed, [asked.corpus])["evidence"]
        except BiblicusError:
            evidence = []
        of_evidence = (text for piece in evidence for text in (piece.get("heading"), piece.get("title")) if text)
        last = typed.split()[-1]
        completed = (text for text in of_evidence if any(word.startswith(last) for word in text.lower().split()))
        return list(dict.fromkeys(_short((*of_titles[:_SUGGESTED], *completed))))[:_SUGGESTED]

    def _titles(self, asked: Asked) -> list[str]:
        corpus, call, now = asked.corpus, asked.call, time.monotonic()
        key = corpus, call.guest, call.layers, call.reader
        cached = self._kept.get(key)
        if cached is None or cached[0] < now - _KEPT:
            page = asked.corpora.ask(corpus, LIST, ListRequest(), call)
            cached = self._kept[key] = now, list(dict.fromkeys(item.title for item in page.items))
        return cached[1]


def _short(texts: Iterable[str]) -> Iterator[str]:
    return (" ".join(text.split())[: 3 * _LONGEST] for text in texts)
