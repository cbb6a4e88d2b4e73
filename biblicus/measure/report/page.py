"""HTML report as a single page that loads nothing, enforced by its content security policy."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from importlib.resources import files

from biblicus.measure.comparison import Change
from biblicus.measure.report import Passages, charts, words
from biblicus.measure.report.findings import DEPTH, SHOWN, Findings, Pair, rank_of_first, shortcomings
from biblicus.measure.report.words import COLOURS, card, cell, code, named, section, table, text_of, two
from biblicus.models.answers.evaluation import Difference, Evaluation, RankedItem, Row, System

_LONGEST = 420
"""Maximum characters of a passage, slightly more than its three lines show."""


def changed(pair: Pair, passages: Passages) -> Iterator[str]:
    """Yield both lists, worse questions first."""
    for title, changes in (("Got worse", pair.worse), ("Got better", pair.better)):
        if changes:
            more = (
                f' <span class="soft small">the {SHOWN} that changed most, of {len(changes):,}</span>'
                if len(changes) > SHOWN
                else ""
            )
            yield f"<h3>{title}{more}</h3>\n"
            for number, change in enumerate(changes[:SHOWN]):
                yield _change(pair, change, passages, " open" if number == 0 else "")


def _change(pair: Pair, change: Change, passages: Passages, is_open: str) -> str:
    kind = "better" if change.difference > 0 else "worse"
    before, after = (row.metrics[pair.metric] for row in (change.before, change.after))
    text = text_of(words.shortened(change.before.text, 400))
    return (
        f'<details class="change"{is_open}><summary><span class="badge {kind}">{words.signed(change.difference)}</span>'
        f'<bdi class="question">{text}</bdi>'
        f'<span class="soft small">{words.score(before)} → {words.score(after)}</span></summary>'
        '<div class="rankings">'
        f"{_ranking(pair.base.name, change.before, change.after, passages, 'before')}"
        f"{_ranking(pair.other.name, change.after, change.before, passages, 'after')}</div></details>\n"
    )


def _ranking(name: str, row: Row, beside: Row, passages: Passages, when: str) -> str:
    first = rank_of_first(row)
    if not row.relevant:
        first_relevant = ""
    elif first is None:
        first_relevant = f" · no relevant item among {len(row.ranking)}"
    else:
        first_relevant = f" · first relevant item at {first}"
    elsewhere = {item.item_id: rank for rank, item in enumerate(beside.ranking, 1)}
    items = "".join(
        _item(rank, item, row, passages, _moved(rank, elsewhere.get(item.item_id), when)) for rank, item in _shown(row)
    )
    return (
        f'<div><h4>{text_of(name)}<span class="soft">{first_relevant}</span></h4>'
        f'<ol class="ranking">{items or "<li class=soft>Nothing was found.</li>"}</ol></div>'
    )


def _shown(row: Row) -> Sequence[tuple[int, RankedItem]]:
    """Return the first ranks, and the first relevant item if it is further down."""
    ranked = list(enumerate(row.ranking, 1))
    first = rank_of_first(row)
    return ranked[:DEPTH] + ([ranked[first - 1]] if first is not None and first > DEPTH else [])


def _moved(rank: int, other: int | None, when: str) -> str:
    if when == "before":
        return "dropped" if other is None else "" if other == rank else f"→ {other}"
    return "new" if other is None else "" if other == rank else f"{'↑' if rank < other else '↓'} from {other}"


def _item(rank: int, item: RankedItem, row: Row, passages: Passages, moved: str) -> str:
    relevant = row.relevant.get(item.item_id, 0) > 0
    text = passages.get((item.item_id, item.start, item.end))
    passage = f'<div class="passage" dir="auto">{text_of(words.shortened(text, _LONGEST))}</div>' if text else ""
    mark = ' <span class="gain" title="judged relevant">✓ relevant</span>' if relevant else ""
    return (
        f'<li{" class=relevant" if relevant else ""}><span class="rank">{rank}</span>'
        f'<div><div class="path"><bdi>{text_of(item.path)}</bdi>{mark}</div>{passage}</div>'
        f'<span class="where">{item.score:.3f}<br>{moved}</span></li>'
    )


_MOST_ROWS = 2_000
_CALIBRATION = "calibration"
"""Key of the calibration data in the settings, which a chart shows."""
_SHORT = {"latency_p50": "Median latency", "index_bytes": "Index size"}


def render(evaluation: Evaluation, passages: Passages) -> Iterator[str]:
    """Yield the page in parts."""
    folder = files("biblicus.measure.report")
    style = folder.joinpath("page.css").read_text("utf-8")
    script = folder.joinpath("page.js").read_text("utf-8")
    yield (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="generator" content="Biblicus">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(style, script)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>Evaluation of {text_of(evaluation.dataset)}</title><style>{style}</style></head>\n<body><main>\n"
    )
    yield from body(evaluation, passages)
    yield f"</main><script>{script}</script></body></html>\n"


def body(evaluation: Evaluation, passages: Passages) -> Iterator[str]:
    """Yield the page's content in parts, for use in other pages with the same style and script."""
    findings = Findings(evaluation)
    yield _head(evaluation, findings)
    yield _gates(evaluation)
    yield _headline(findings)
    yield _broken(findings)
    yield _reliability(findings)
    yield _differences(findings)
    for pair in findings.pairs:
        yield _pair(pair)
        yield from changed(pair, passages)
    yield _groups(findings)
    yield _figures(findings)
    yield from _all_questions(findings)
    yield _details(evaluation, findings)


def _policy(style: str, script: str) -> str:
    """Return a content security policy that only permits our style and script, by their hashes."""
    css, js = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script))
    return (
        f"default-src 'none'; style-src 'sha256-{css}'; script-src 'sha256-{js}'; base-uri 'none'; form-action 'none'"
    )


def _head(evaluation: Evaluation, findings: Findings) -> str:
    left_out = f" · {evaluation.unjudged:,} more without judgements, not scored" if evaluation.unjudged else ""
    questions = "1 question" if evaluation.questions == 1 else f"{evaluation.questions:,} questions"
    systems = "1 system" if len(findings.systems) == 1 else f"{len(findings.systems)} systems"
    return (
        f'<p class="kicker">Evaluation · {text_of(evaluation.created_at)}</p>'
        f"<h1>{text_of(evaluation.dataset)}</h1>"
        f'<p class="soft">{questions}{left_out} · {systems}</p>'
        f'<p class="verdict">{text_of(findings.verdict)}</p>\n'
    )


def _gates(evaluation: Evaluation) -> str:
    if not evaluation.gates:
        return ""
    rows = [
        (
            cell("passed", "pass") if gate.holds else cell("failed", "fail"),
            cell(code(gate.condition), "text"),
            cell(text_of(gate.system), "text"),
            cell(text_of(gate.detail), "text wide"),
        )
        for gate in evaluation.gates
    ]
    return section("Gates", "", card(table(("", "Fails if", "System", "Found"), rows, (1, 2, 3))))


# --- headline table


def _headline(findings: Findings) -> str:
    figures = [name for name in _SHORT if name in findings.figures]
    rows = [
        (
            cell(named(system.name, number) + _base_mark(findings, number)),
            *(_metric_cell(findings, system, metric) for metric in findings.metrics),
            *(cell(f'<span class="value">{_figure(system, name)}</span>') for name in figures),
        )
        for number, system in enumerate(findings.systems)
    ]
    head = ("System", *map(text_of, findings.metrics), *(_SHORT[name] for name in figures))
    note = (
        f'<p class="soft small">Below each value: the difference to {text_of(findings.systems[0].name)}. In colour '
        "where it is more than chance (paired randomisation test, p &lt; 0.05 after Holm's correction); grey where it "
        "may be chance.</p>"
    )
    return card(table(head, rows)) + (note if len(findings.systems) > 1 else "") + "\n"


def _metric_cell(findings: Findings, system: System, metric: str) -> str:
    value = system.metrics.get(metric)
    highest = max(compared.metrics.get(metric, 0.0) for compared in findings.systems)
    best = len(findings.systems) > 1 and value is not None and words.score(value) == words.score(highest)
    markup = f'<span class="value">{words.score(value)}</span>'
    difference = findings.difference(system, metric)
    if difference is not None:
        hint = f"95 % interval {_interval(difference)}, corrected p {words.p_value(difference.p_adjusted)}"
        kind = _kind(difference)
        markup += f'<span class="delta {kind}" title="{text_of(hint)}">{words.signed(difference.difference)}</span>'
    return cell(markup, "best" if best else "")


def _kind(difference: Difference) -> str:
    if not words.is_sure(difference):
        return "flat"
    return "better sure" if difference.difference > 0 else "worse sure"


def _interval(difference: Difference) -> str:
    return f"{words.signed(difference.low)} to {words.signed(difference.high)}"


def _base_mark(findings: Findings, number: int) -> str:
    return ' <span class="soft small">base</span>' if number == 0 and len(findings.systems) > 1 else ""


def _figure(system: System, name: str) -> str:
    return words.figure(name, system.system[name]) if name in system.system else "–"


def _broken(findings: Findings) -> str:
    if not findings.broken:
        return ""
    numbers = {system.name: number for number, system in enumerate(findings.systems)}
    rows = [
        (
            cell(named(system.name, numbers[system.name])),
            cell(text_of(words.shortened(row.text, 240)), "text wide"),
            cell("<br>".join(map(text_of, shortcomings(row))), "text wide"),
            cell("<br>".join(text_of(each.evidence) for each in row.violations if each.evidence), "text wide soft"),
        )
        for system, row in findings.broken[:_MOST_ROWS]
    ]
    more = len(findings.broken) - len(rows)
    note = f"The first {len(rows):,} of {len(findings.broken):,}." if more else ""
    head = ("System", "Question", "Why", "The answer's words")
    return section("Not as it must be", note, card(table(head, rows, (1, 2, 3))))


# --- charts


def _reliability(findings: Findings) -> str:
    bins = {name: each for name, each in findings.evaluation.settings.get(_CALIBRATION, {}).items() if each}
    if not bins:
        return ""
    colours = {system.name: number % COLOURS for number, system in enumerate(findings.systems)}
    rows = [
        (
            cell(named(name, colours.get(name, 0))),
            *map(cell, (f"{each['low']:.1f}–{each['high']:.1f}", f"{each['count']:,}")),
            *(cell(f"{each[name]:.2f}") for name in ("confidence", "right")),
        )
        for name, of_system in bins.items()
        for each in of_system
    ]
    note = (
        "On the line, answers are right as often as they say; below it they claim too much. Larger circles are of more "
        "answers."
    )
    bins_table = table(("System", "Confidence", "Answers", "On average", "Right"), rows)
    return section("Is the confidence deserved?", note, two(card(charts.reliability(bins, colours)), card(bins_table)))


def _differences(findings: Findings) -> str:
    comparisons = findings.evaluation.comparisons
    if not comparisons:
        return ""
    widest = max(0.01, *(max(abs(difference.low), abs(difference.high)) for difference in comparisons))
    numbers = {system.name: number for number, system in enumerate(findings.systems)}
    rows = [
        (
            cell(named(difference.other, numbers.get(difference.other, 0))),
            cell(text_of(difference.metric), "text"),
            cell(charts.interval(difference, widest, sure=words.is_sure(difference)), "interval"),
            cell(f'<span class="{_kind(difference)}">{words.signed(difference.difference)}</span>'),
            cell(_interval(difference), "soft"),
            cell(words.p_value(difference.p_adjusted)),
            cell(f"{difference.wins} better · {difference.ties} same · {difference.losses} worse"),
        )
        for difference in comparisons
    ]
    head = ("System", "Metric", "", "Difference", "95 % interval", "p (Holm)", "Questions")
    note = (
        "The dot is the mean difference by question, the bar its 95 % bootstrap interval. What crosses the line in the "
        "middle may be chance."
    )
    return section(f"Differences to {text_of(findings.systems[0].name)}", note, card(table(head, rows, (1, 6))))


def _pair(pair: Pair) -> str:
    if not pair.changes:
        return ""
    better, worse = len(pair.better), len(pair.worse)
    same = len(pair.changes) - better - worse
    return section(
        f"{text_of(pair.other.name)} against {text_of(pair.base.name)}, question by question",
        f"{text_of(pair.metric)} is better on {better:,}, worse on {worse:,} and the same on {same:,} questions.",
    )


# --- further tables


def _groups(findings: Findings) -> str:
    if not findings.groups:
        return ""
    rows = [
        (
            cell(text_of(name)),
            cell(f"{max(count for count, _ in by_system.values()):,}"),
            *(cell(words.score(mean if count else None)) for count, mean in by_system.values()),
        )
        for name, by_system in findings.groups.items()
    ]
    head = ("Tag", "Questions", *(text_of(system.name) for system in findings.systems))
    return section("By tag", f"{text_of(findings.metric)} of the questions with each tag.", card(table(head, rows)))


def _figures(findings: Findings) -> str:
    if not findings.figures:
        return ""
    rows = [
        (cell(text_of(words.name_of(name))), *(cell(_figure(system, name)) for system in findings.systems))
        for name in findings.figures
    ]
    head = ("", *(named(system.name, number) for number, system in enumerate(findings.systems)))
    return section("Time and size", "", card(table(head, rows)))


def _all_questions(findings: Findings) -> Iterator[str]:
    base = findings.systems[0]
    if not base.rows:
        return
    columns = [
        {row.question_id: row.metrics[findings.metric] for row in system.rows if findings.metric in row.metrics}
        for system in findings.systems
    ]
    first_rows = base.rows[:_MOST_ROWS]
    more = f" (the first {len(first_rows):,} of {len(base.rows):,})" if len(first_rows) < len(base.rows) else ""
    yield (
        '<h2>All questions</h2><details class="more">'
        f"<summary>{text_of(findings.metric)} of each question{more}</summary>"
        '<input type="search" id="find" hidden placeholder="Find a question" aria-label="Find a question">'
        '<div class="card" tabindex=0><table class="all"><thead><tr><th>Question</th>'
    )
    yield "".join(f"<th>{text_of(system.name)}</th>" for system in findings.systems) + "</tr></thead><tbody>\n"
    for row in first_rows:
        values = [column.get(row.question_id) for column in columns]
        cells = "".join(
            f'<td data-value="{-1 if value is None else value:.6f}">{words.score(value)}</td>' for value in values
        )
        text = f'<bdi title="{text_of(row.question_id)}">{text_of(words.shortened(row.text, 240))}</bdi>'
        yield f"<tr>{cell(text, 'wide')}{cells}</tr>\n"
    yield "</tbody></table></div></details>\n"


def _details(evaluation: Evaluation, findings: Findings) -> str:
    settings = [(name, value) for name, value in evaluation.settings.items() if name != _CALIBRATION]
    entries = [
        ("Dataset", f"{evaluation.dataset}, sha256 {evaluation.dataset_digest[:16]}"),
        ("Measured", evaluation.created_at),
        *((name.replace("_", " ").capitalize(), str(value)) for name, value in settings if value),
        *evaluation.versions.items(),
    ]
    systems = [
        (
            cell(named(system.name, n)),
            *(cell(code(i), "text") for i in (system.recipe_id, system.run_id, system.index_version)),
        )
        for n, system in enumerate(findings.systems)
    ]
    listed = "".join(f"<dt>{text_of(name)}</dt><dd>{text_of(value)}</dd>" for name, value in entries)
    return section(
        "How this was measured",
        "Metrics as in trec_eval. Each item counts by its best chunk. Tests are paired by question: randomisation "
        "(Smucker, Allan, Carterette 2007), bootstrap intervals, Holm's correction.",
        card(table(("System", "Recipe", "Run", "Index version"), systems, (1, 2, 3))),
        card(f"<dl>{listed}</dl>"),
    )
