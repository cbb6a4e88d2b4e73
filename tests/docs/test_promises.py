"""docs/promises.md has counts of tests that ran, and nothing else."""

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tools import proofs

ROOT = Path(__file__).resolve().parents[2]
_REPORT = """<testsuites><testsuite tests="5" skipped="2" failures="1" errors="0"><properties>
<property name="tried_power_cuts" value="3"/><property name="tried_kills" value="1000"/>
<property name="tried_power_cuts" value="4"/><property name="hypothesis-statistics-x" value="words"/>
</properties></testsuite></testsuites>"""


def record(**changes: object) -> proofs.Record:
    return {"tried": {"kills": 1000}, "tests": 3, "failed": 0, "seconds": 61, "quick": False, **changes}


def test_a_report_is_read_with_what_tests_tried(tmp_path: Path):
    (tmp_path / "report.xml").write_text(_REPORT, "utf-8")
    expected = {"tried": {"power cuts": 7, "kills": 1000}, "tests": 3, "failed": 1}
    assert proofs.read(tmp_path / "report.xml") == expected


def test_the_page_has_this_version_beside_the_last_one():
    before = {"test-faults": record(tried={"kills": 900}, failed=1)}
    page = proofs.page({"1.0.0": before, "1.1.0": {"test-faults": record(), "test-notes": record(quick=True)}}, "1.1.0")
    assert "Version 1.1.0: 2,000 kills; 0 tests failed; 122 seconds." in page
    assert "| `test-faults` | 1,000 kills | 0 of 3 | 61 | 900 kills |" in page
    assert "| `test-notes` | 1,000 kills (quick) | 0 of 3 | 61 | not run |" in page
    assert "| `test-merges` | not run | – | – | not run |" in page


@pytest.mark.parametrize(
    ("report", "code", "failed"),
    [("", 0, None), ("", 2, None), (_REPORT, 2, 1), (_REPORT.replace('failures="1"', 'failures="0"'), 2, None)],
    ids=["no report", "make fails", "a test fails", "interrupted"],
)
def test_a_target_that_does_not_end_has_no_record(
    report: str, code: int, failed: int | None, monkeypatch: pytest.MonkeyPatch
):
    def run(command: list[str], *, env: dict[str, str], **_: object) -> CompletedProcess[str]:
        if report:
            Path(env["PYTEST_ADDOPTS"].partition("=")[2]).write_text(report, "utf-8")
        return CompletedProcess(command, code)

    monkeypatch.setattr("subprocess.run", run)
    found = proofs.prove(proofs.PROOFS[0], quick=True)
    assert (found and found["failed"]) == failed


@pytest.mark.parametrize(("target", "length"), [("test-note", ""), ("test-notes", "fast")])
def test_a_typing_error_runs_nothing(
    target: str, length: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("PROOFS", length)
    monkeypatch.setattr(proofs, "prove", None)
    with pytest.raises(SystemExit):
        proofs.main([target])
    assert "; known: " in capsys.readouterr().err


def test_each_target_exists_and_takes_its_quick_variables():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for proof in proofs.PROOFS:
        recipe = makefile.partition(f"\n{proof.target}:")[2].partition("\n\n")[0]
        assert [name for name in (part.split("=")[0] for part in proof.quick) if f"$({name})" not in recipe] == []
        assert recipe, proof.target
