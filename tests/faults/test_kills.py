"""A crash leaves the old state or the new one, wherever it strikes."""

from tests.faults.figures import Figures
from tests.faults.injecting import Verdict, all_killed, broken, enumerate_points
from tests.faults.scenes import Prepared


def test_a_command_killed_before_any_mutating_call_leaves_the_old_state_or_the_new_one(
    thorough: list[Prepared], figures: Figures
):
    verdicts: list[Verdict] = []
    for scene in thorough:
        verdicts += all_killed(scene, enumerate_points(scene))
    struck, states = sum(v.struck for v in verdicts), sum(v.states for v in verdicts)
    wrong = broken(verdicts)
    figures.record(
        "crash ⇒ old or new",
        f"SIGKILL before every mutating call of {len(thorough)} commands; looked at as it is, after a power cut that "
        "flushes the journal, after one that loses it; then the next writer",
        f"{struck} crash points, {states} states, {len(wrong)} corrupt",
        kills=struck,
    )
    assert not wrong, "\n".join(wrong)
    assert struck > 0.98 * len(verdicts)
    assert struck > 300


def test_the_harness_catches_a_writer_that_writes_in_place(prepared: dict[str, Prepared], figures: Figures):
    scene = prepared["tag"]
    points = [point for point in enumerate_points(scene, "in place") if point.call == "write"]
    wrong = broken(all_killed(scene, points, "in place"))
    figures.record("", "negative control: files written in place", f"{len(wrong)} of {len(points)} points corrupt")
    assert wrong
