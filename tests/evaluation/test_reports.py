"""Reports: whole, self-contained, and inert whatever the questions and texts of a corpus say."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from biblicus.errors import UsageError
from biblicus.measure import stored
from biblicus.measure.report import render
from biblicus.measure.report.charts import Course, over_time
from biblicus.measure.report.findings import Findings
from biblicus.measure.report.markdown import span
from biblicus.measure.report.words import figure, milliseconds, p_value, shortened, signed, size
from biblicus.models.answers.evaluation import Evaluation
from tests.evaluation.samples import HOSTILE, evaluation, passages
from tests.sampling import each

BIDI = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f]")


def page(found: Evaluation, *, hostile: bool = False) -> str:
    return "".join(render(found, ".html", passages(found, hostile=hostile)))


class Elements(HTMLParser):
    """Every element with its attributes, and that all are closed in order."""

    VOID = ("meta", "input", "br", "line", "circle", "rect")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID or tag == "circle":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("hostile", [False, True])
def test_the_page_is_well_formed_and_fetches_nothing(hostile: bool):
    text = page(evaluation(hostile=hostile), hostile=hostile)
    elements = Elements(text)
    assert elements.open == []
    tags = {tag for tag, _ in elements.found}
    assert not tags & {"img", "link", "iframe", "object", "embed", "form", "base", "a"}
    assert sum(tag == "script" for tag, _ in elements.found) == 1
    names = {name for _, attributes in elements.found for name in attributes}
    assert not {name for name in names if name.startswith("on") or name in ("src", "href", "style", "xlink:href")}


def test_hostile_texts_are_shown_and_do_nothing():
    text = page(evaluation(hostile=True), hostile=True)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert not BIDI.search(text)
    assert "&lt;U+202E&gt;gnp.exe" in text


def test_the_policy_names_the_script_and_style_that_stand_in_the_page():
    import base64
    import hashlib

    text = page(evaluation())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    for tag in ("style", "script"):
        inside = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert inside is not None
        digest = base64.b64encode(hashlib.sha256(inside[1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1]
    assert policy[1].startswith("default-src 'none'")


def test_the_page_says_what_was_found():
    found = evaluation()
    text = page(found)
    for system in found.systems:
        assert system.run_id in text
        assert f"{system.metrics['ndcg@10']:.3f}" in text
    assert "question by question" in text
    assert "Got worse" in text
    assert "The moon pulls the water" in text
    assert found.dataset_digest[:16] in text


def test_the_page_holds_confidence_against_being_right():
    found = evaluation(names=("quote",))
    bins = [
        {"low": 0.4, "high": 0.6, "count": 12, "confidence": 0.52, "right": 0.5},
        {"low": 0.8, "high": 1.0, "count": 30, "confidence": 0.91, "right": 0.8333},
    ]
    text = page(replace(found, settings={**found.settings, "calibration": {"quote": bins}}))
    assert "Is the confidence deserved?" in text
    assert "<title>quote, 30 answers at 0.8 to 1.0: 0.91 on average, 0.83 right</title>" in text
    assert "Is the confidence deserved?" not in page(found)
    assert "Calibration" not in text, "a table in code is nothing for people"


@pytest.mark.parametrize("names", [("only",), ("a", "b")])
@pytest.mark.parametrize("suffix", [".html", ".md", ".xml", ".json"])
def test_few_systems_and_questions_are_no_trouble(names: tuple[str, ...], suffix: str):
    for questions in (1, 2):
        assert "".join(render(evaluation(names, questions), suffix))


@pytest.mark.parametrize("suffix", [".html", ".md", ".xml", ".json"])
def test_rows_that_were_not_kept_are_no_trouble(suffix: str):
    from dataclasses import replace

    found = evaluation()
    bare = replace(found, systems=[replace(system, rows=(), system={}) for system in found.systems])
    assert "".join(render(bare, suffix))


def test_a_large_evaluation_stays_a_small_page():
    text = page(evaluation(questions=2500))
    assert "first 2,000 of 2,500" in text
    assert len(text) < 3_000_000


def test_an_unknown_suffix_is_refused_with_those_known():
    with pytest.raises(UsageError, match=r"\.html"):
        render(evaluation(), ".pdf")


# --- the verdict ---


def test_the_verdict_calls_chance_chance():
    few = Findings(evaluation(("a", "b"), 4)).verdict
    many = Findings(evaluation(("a", "b", "c"), 500)).verdict
    assert "chance" in few
    assert re.fullmatch(r"c is best by ndcg@10 0\.\d{3}: \+0\.\d{3} to a \(95 % interval .* p < 0\.001\)\.", many)


def test_the_verdict_stays_with_the_base_where_nothing_beats_it():
    found = evaluation(("a", "b"), 1000)
    turned = Evaluation(**{name: getattr(found, name) for name in ("dataset", "dataset_digest", "questions", "unjudged",
        "created_at")}, systems=list(reversed(found.systems)), comparisons=_turned(found))  # fmt: skip
    assert Findings(turned).verdict.startswith("b is ahead by ndcg@10")
    assert "of a by more than chance" in Findings(turned).verdict


def _turned(found: Evaluation):
    from biblicus.measure.comparison import compare

    return compare(list(reversed(found.systems)), ["ndcg@10"])


# --- Markdown ---


def test_markdown_keeps_hostile_texts_in_code_spans():
    text = "".join(render(evaluation(hostile=True), ".md"))
    assert not BIDI.search(text)
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    outside = re.sub(r"<code>.*?</code>", "", outside)
    assert "<script" not in outside
    assert "evil.example" not in outside
    assert "@someone" not in outside


@pytest.mark.parametrize("text", ["a|b", "a\\|b", "`", "``a`", "a\nb", "ends in \\", ""])
def test_a_span_is_one_cell(text: str):
    shown = span(text)
    assert "|" not in shown
    assert "\n" not in shown


def test_the_markdown_of_an_evaluation_names_what_got_worse():
    text = "".join(render(evaluation(), ".md"))
    assert "questions got worse under <code>vector</code>" in text
    assert "| `lexical` | 0." in text


# --- JUnit ---


def test_junit_has_a_case_for_each_system_and_condition():
    suite = ET.fromstring("".join(render(evaluation(hostile=True), ".xml")))[0]
    assert (suite.get("tests"), suite.get("failures")) == ("5", "1")
    names = [case.get("name") or "" for case in suite]
    assert [name.split(" ")[0] for name in names] == ["measured", "measured", "measured", "hybrid:", "hybrid:"]
    (failure,) = suite.iter("failure")
    assert failure.get("message") == "ndcg@10 is 0.612, the baseline has 0.701"
    assert "2 questions got worse:\n- q3: " in (failure.text or "")


# --- files ---


@pytest.mark.parametrize("name", ["report.pdf", "report", "nowhere/report.html"])
def test_a_report_that_cannot_be_written_is_refused_before_measuring(tmp_path: Path, name: str):
    with pytest.raises(UsageError):
        stored.check_report(tmp_path / name)


@each("values, past", [((0.98, 1.0), False), ((1.0, 1.0), False), ((2.0, 4.0), True)])
def test_the_axis_of_a_metric_ends_at_one(values: tuple[float, ...], past: bool):
    course = Course("lexical", 0, [(at, value, "") for at, value in enumerate(values)])
    ticks = re.findall(r'text-anchor="end">([\d.]+)<', over_time([course], 2, "ndcg@10"))
    assert ticks
    assert any(float(tick) > 1 for tick in ticks) == past


# --- words ---


def test_figures_read_well():
    assert [signed(value) for value in (0.0251, -0.3, 0.0001)] == ["+0.025", "−0.300", "±0.000"]
    assert [p_value(value) for value in (0.00005, 0.0312, 0.77)] == ["< 0.001", "0.031", "0.77"]
    assert [milliseconds(v) for v in (0.4, 3.21, 250, 2_500, 90_000)] == [
        "0.40 ms",
        "3.2 ms",
        "250 ms",
        "2.5 s",
        "1.5 min",
    ]
    assert [size(value) for value in (12, 2048, 5 << 20)] == ["12 B", "2.0 KiB", "5.0 MiB"]
    assert [figure(n, v) for n, v in (("latency_queries", 300.0), ("throughput", 137.4))] == ["300", "137"]
    assert shortened("one two three", 8) == "one two …"
    assert shortened("short", 8) == "short"
    assert HOSTILE.split()[0] in shortened(HOSTILE, 500)
