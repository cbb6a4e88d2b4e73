"""JUnit XML report: a test case for each system, each condition, and each question of a procedure."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from biblicus.guards.terminal import safe
from biblicus.measure.report import Passages, words
from biblicus.measure.report.findings import Findings, shortcomings
from biblicus.models.answers.evaluation import Evaluation, Gate, Row, System
from biblicus.models.plain import count

_WORSE = 20
"""Maximum questions listed in a failure."""


def render(evaluation: Evaluation, passages: Passages) -> Iterator[str]:
    """Yield the document. Failed conditions (with questions that got worse) and failed questions are failures."""
    findings = Findings(evaluation)
    suite = ET.Element("testsuite", {"name": safe(evaluation.dataset), "timestamp": safe(evaluation.created_at)})
    for system in evaluation.systems:
        case = _case(suite, evaluation, f"measured {system.name}")
        _output(case, _figures(system))
    for gate in evaluation.gates:
        case = _case(suite, evaluation, f"{gate.system}: not {gate.condition}")
        if not gate.holds:
            failure = ET.SubElement(case, "failure", {"type": "gate", "message": safe(gate.detail)})
            failure.text = safe("\n".join([gate.detail, *_worse(findings, gate)]), keep_newlines=True)
    for system in evaluation.systems:
        for row in system.rows:
            if "completed" in row.metrics:
                _question(_case(suite, evaluation, f"{system.name}: {words.shortened(row.text, 160)}"), row)
    yield from document("biblicus eval", suite)


def document(name: str, suite: ET.Element) -> Iterator[str]:
    """Yield a document with one suite, whose test cases are counted."""
    counts = {"tests": len(suite.findall("testcase")), "failures": len(suite.findall("testcase/failure")), "errors": 0}
    suite.attrib.update({key: str(number) for key, number in counts.items()})
    root = ET.Element("testsuites", {**suite.attrib, "name": name})
    root.attrib.pop("timestamp", None)
    root.append(suite)
    ET.indent(root)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, evaluation: Evaluation, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", {"classname": safe(f"eval.{evaluation.dataset}"), "name": safe(name)})


def _question(case: ET.Element, row: Row) -> None:
    """Add the result of a procedure's question, as a failure if it does not meet all requirements."""
    if reasons := shortcomings(row):
        kind = "policy" if any(violation.rule for violation in row.violations) else "procedure"
        messages = [*reasons, *(f"evidence: {breach.evidence}" for breach in row.violations if breach.evidence)]
        failure = ET.SubElement(case, "failure", {"type": kind, "message": safe(reasons[0])})
        failure.text = safe("\n".join(messages), keep_newlines=True)
    if row.answer:
        _output(case, [row.answer])


def _output(case: ET.Element, lines: list[str]) -> None:
    ET.SubElement(case, "system-out").text = safe("\n".join(lines), keep_newlines=True)


def _figures(system: System) -> list[str]:
    lines = [f"{name} {value:.4f}" for name, value in system.metrics.items()]
    lines += [f"{words.name_of(name).lower()} {words.figure(name, value)}" for name, value in system.system.items()]
    return [*lines, f"run {system.run_id}"]


def _worse(findings: Findings, gate: Gate) -> list[str]:
    """Return the questions that got worse, with both values."""
    if not gate.worse:
        return []
    texts = {row.question_id: row.text for system in findings.systems for row in system.rows}
    lines = [f"{count(len(gate.worse), 'questions')} got worse:"]
    for name in gate.worse[:_WORSE]:
        lines += [f"- {name}: {words.shortened(texts.get(name, ''), 160)}{_values(findings, gate, name)}"]
    if len(gate.worse) > _WORSE:
        lines.append(f"- and {len(gate.worse) - _WORSE} more")
    return lines


def _values(findings: Findings, gate: Gate, question_id: str) -> str:
    for pair in findings.pairs:
        if pair.other.name == gate.system:
            for change in pair.changes:
                if change.before.question_id == question_id:
                    before, after = change.before.metrics[pair.metric], change.after.metrics[pair.metric]
                    return f" ({pair.metric} {words.score(before)} → {words.score(after)})"
    return ""
