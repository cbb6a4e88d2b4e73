"""Asks the keeper a few questions, each several times, and tells how long that took: one JSON line.

Fails where an answer does not hold what it must, so that a topology that does not work is no fast one.
"""

import asyncio
import json
import logging
import statistics
import sys
import time

from ask import keeper

ASKED = {
    "How many grey seals were counted in 2024?": "2024 | 41",
    "Was kostet eine Duschmarke?": "zwei Euro",
    "Who rebuilds the parapet of the north mole?": "Storr",
}


def main(rounds: int) -> None:
    logging.disable(logging.WARNING)
    taken = []
    for _ in range(rounds):
        for question, words in ASKED.items():
            began = time.perf_counter()
            answer = asyncio.run(keeper(question, "lexical"))["answer"]
            taken.append((time.perf_counter() - began) * 1000)
            if words not in answer:
                sys.exit(f"{question} {answer!r} does not say {words!r}")
    print(json.dumps({"questions": len(taken), "p50_ms": round(statistics.median(taken)), "max_ms": round(max(taken))}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
