"""Exit 0 means durable: what was acknowledged survives a power cut, whatever becomes of the journal."""

from collections.abc import Sequence
from functools import partial

import pytest

from tests.faults.figures import Figures
from tests.faults.injecting import Judge, Verdict, broken, each
from tests.faults.scenes import Prepared
from tests.faults.volume import volume

ROUNDS = 3
JOURNALS = ("lost", "flushed")


def cut(journal: str, prepared: Prepared, variant: str | None = None) -> Verdict:
    """Run the command, cut the power as soon as it has said that it is done, and look."""
    with volume(prepared.image) as made:
        judge = Judge(prepared, made)
        done = judge.world.run(*prepared.scene.command, variant=variant or prepared.scene.variant)
        judge.expect(done.code == 0, f"exit {done.code}: {done.err}")
        made.cut(journal=journal)
        judge.is_new(f"journal {journal}")
        return Verdict(prepared.scene.name, "power", True, wrong=tuple(judge.wrong), states=judge.states)


def all_cut(scenes: Sequence[Prepared], rounds: int, variant: str | None = None) -> list[Verdict]:
    found: list[Verdict] = []
    for scene in scenes:
        found += each(partial(cut, prepared=scene, variant=variant), list(JOURNALS) * rounds)
    return found


def test_what_was_acknowledged_survives_a_power_cut(prepared: dict[str, Prepared], figures: Figures):
    verdicts = all_cut(list(prepared.values()), ROUNDS)
    wrong = broken(verdicts)
    figures.record(
        "exit 0 ⇒ durable",
        f"{len(prepared)} commands on ext4, the power cut as they return (FS_IOC_SHUTDOWN, journal lost and flushed)",
        f"lost after acknowledgement: {len(wrong)} of {len(verdicts)} cuts",
        power_cuts=len(verdicts),
    )
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("variant", ["no fsync", "no folder fsync"])
def test_the_harness_catches_a_missing_fsync(variant: str, prepared: dict[str, Prepared], figures: Figures):
    scenes = [prepared[name] for name in ("tag", "ingest a file", "recipes new")]
    verdicts = all_cut(scenes, 1, variant)
    wrong = broken(verdicts)
    figures.record("", f"negative control: {variant}", f"lost: {len(wrong)} of {len(verdicts)} cuts")
    assert wrong
