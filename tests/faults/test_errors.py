"""An error of the system is an exit code and one line; the old state stands, the next writer leaves nothing of it."""

from collections import Counter

from tests.faults.figures import Figures
from tests.faults.injecting import Verdict, all_failed, broken, enumerate_points
from tests.faults.scenes import Prepared
from tests.faults.tracing import SYNCING, faults


def test_an_error_from_any_mutating_call_is_told_and_changes_nothing(thorough: list[Prepared], figures: Figures):
    verdicts: list[Verdict] = []
    errors: Counter[str] = Counter()
    for scene in thorough:
        tasks = list(faults(enumerate_points(scene)))
        errors.update(error for _, error in tasks)
        verdicts += all_failed(scene, tasks)
    struck, absorbed = sum(v.struck for v in verdicts), sum(v.absorbed for v in verdicts)
    wrong = broken(verdicts)
    figures.record(
        "any I/O error ⇒ non-zero exit, old state, no litter",
        f"an error from every mutating call: {', '.join(f'{error} {n}' for error, n in errors.items())}",
        f"{struck} faults, {absorbed} absorbed with the work done (caches, deletions), {len(wrong)} silent or torn",
        faults=struck,
    )
    synced = [verdict for verdict in verdicts if verdict.call in SYNCING]
    again = sum("tried again" in reason for verdict in synced for reason in verdict.wrong)
    figures.record(
        "failed fsync is fatal for that file",
        "an error from every fsync",
        f"{len(synced)} faults, {again} retries, {sum(v.absorbed for v in synced)} absorbed",
    )
    assert not wrong, "\n".join(wrong)
    assert not any(verdict.absorbed for verdict in synced)
    assert struck > 0.98 * len(verdicts)


def test_the_harness_catches_errors_that_are_swallowed(prepared: dict[str, Prepared], figures: Figures):
    scene = prepared["tag"]
    points = [point for point in enumerate_points(scene, "silent") if point.call in ("openat", "write", "rename")]
    wrong = broken(all_failed(scene, [(point, "EIO") for point in points], "silent"))
    figures.record("", "negative control: errors are swallowed", f"{len(wrong)} of {len(points)} caught")
    assert wrong


def test_the_harness_catches_an_fsync_that_is_tried_again(prepared: dict[str, Prepared], figures: Figures):
    scene = prepared["tag"]
    points = [point for point in enumerate_points(scene, "stubborn") if point.call == "fsync"]
    wrong = broken(all_failed(scene, [(point, "EIO") for point in points], "stubborn"))
    figures.record("", "negative control: a failed fsync is tried again", f"{len(wrong)} of {len(points)} caught")
    assert len(wrong) == len(points)
