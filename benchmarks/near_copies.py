"""Near copies: edited passages among others, as `biblicus doctor` finds them."""

from __future__ import annotations

import random
import time

from benchmarks.figures import Figure
from benchmarks.workbench import Workbench
from biblicus.upkeep.doctor import NearCopies

PASSAGES, PLANTED = 100_000, 1_000
_WORDS = [f"word{number}" for number in range(20_000)]


def measure(bench: Workbench) -> list[Figure]:
    """The rows of `doctor`: seconds, planted copies that were found, and findings that are none of them."""
    chosen = random.Random(1)
    texts = {f"{number:06}": chosen.choices(_WORDS, k=120) for number in range(PASSAGES - PLANTED)}
    planted = {f"copy{number:06}": f"{number:06}" for number in chosen.sample(range(len(texts)), PLANTED)}
    for number, (copy, original) in enumerate(planted.items()):
        texts[copy] = list(texts[original])
        for at in chosen.sample(range(120), number % 6):
            texts[copy][at] = "edited"
    joined = {path: " ".join(words) for path, words in texts.items()}
    began, processor = time.perf_counter(), time.process_time()
    copies = NearCopies()
    for path, text in joined.items():
        copies.add(path, text)
    found = {(copy.path, copy.of) for copy in copies.found(lambda paths: ((path, joined[path]) for path in paths))}
    seconds, processor = time.perf_counter() - began, time.process_time() - processor
    right = found & planted.items()
    name = f"near copies in {PASSAGES:,} passages"
    return [
        Figure("doctor", name, "s", seconds, 60, detail=f"{processor:.1f} s of processor time"),
        Figure(
            "doctor", f"{name}: found of {PLANTED:,}, up to 5 of 120 words edited", "share", len(right) / PLANTED, 0.95
        ),
        Figure("doctor", f"{name}: false findings", "error", len(found - right) / max(1, len(found)), 0.01),
    ]
