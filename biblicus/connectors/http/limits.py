"""What one service may hold and how long anything may take."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in bytes, times in seconds.

    `workers`: questions answered at once. `waiting`: questions that may wait for a worker; one more gets 429.
    `writers`, `waiting_writers`: the same for documents (a corpus takes one at a time in any case).
    `answerers`, `waiting_answers`: the same for answers, which a language model may take its time for.
    `followers`: clients that may listen to events at once.
    `seconds`: deadline of a request, waiting included (503). `answering_seconds`, `writing_seconds`: of one
    that answers, of one that ingests.
    `body`: largest body (413). `document`: largest body of a document that is ingested. `body_seconds`: how long a
    body may take to come (408). `header_seconds`: how long a connection may take to send a request's head.
    `drain`: how long requests and jobs may end after SIGTERM.
    """

    workers: int = max(2, min(8, os.cpu_count() or 2))
    waiting: int = 64
    answerers: int = 4
    waiting_answers: int = 16
    writers: int = 2
    waiting_writers: int = 8
    followers: int = 64
    seconds: float = 30.0
    answering_seconds: float = 120.0
    writing_seconds: float = 300.0
    body: int = 1 << 20
    document: int = 48 << 20
    body_seconds: float = 20.0
    header_seconds: float = 20.0
    drain: float = 20.0
