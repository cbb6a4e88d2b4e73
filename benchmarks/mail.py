"""Mail: the first sync of a mailbox against reading the same messages as files, and a sync with nothing new."""

from __future__ import annotations

import json
import os
import random
import shutil

from benchmarks.figures import Figure
from benchmarks.workbench import Workbench
from tests.sources.conformance import dovecot

MESSAGES = 10_000
_WORDS = [f"{first}{second}" for first in ("ebb", "quay", "lamp", "sail") for second in range(1_000)]


def measure(bench: Workbench) -> list[Figure]:
    """The rows `mail` and `mail-unchanged`, over Dovecot on this machine."""
    place = bench.place / "mail"
    maildir, imap, files = place / "Maildir", place / "imap", place / "files"
    maildir.mkdir(parents=True)
    with dovecot.serving() as port:
        box = dovecot.opened(port)
        for number, message in enumerate(_messages()):
            (maildir / f"{number}.eml").write_bytes(message)
            box.append("INBOX", "", "", message)
        box.logout()
        os.environ["BIBLICUS_ACCOUNTS"] = json.dumps({"work": {"host": "127.0.0.1", "user": "ada", "secret": "ebb"}})
        for corpus in (imap, files):
            bench.biblicus("init", str(corpus))
        add = ("sources", "add", f"imap://127.0.0.1:{port}", "--name", "mail", "--kind", "imap", "--account", "work")
        bench.biblicus("-C", str(imap), *add, "--allow-private")
        first = bench.biblicus("-C", str(imap), "sources", "sync", "mail")
        read = bench.biblicus("-C", str(files), "ingest", str(maildir))
        again = sorted(bench.biblicus("-C", str(imap), "sources", "sync", "mail") for _ in range(bench.runs))
    for corpus in (imap, files):
        count = sum(1 for _ in (corpus / "imports").rglob("*.eml"))
        if count != MESSAGES:
            raise RuntimeError(f"{corpus.name} has {count} of {MESSAGES} messages")
    shutil.rmtree(place)
    detail = f"{MESSAGES:,} messages; {first:.1f} s, `ingest` of the files {read:.1f} s"
    name = "first `sources sync` of a mailbox, against `ingest` of its messages"
    return [
        Figure("mail", name, "×", first / read, 2.0, detail=detail),
        Figure("mail-unchanged", "`sources sync` of a mailbox, nothing new", "s", again[bench.runs // 2], 2.0),
    ]


def _messages() -> list[bytes]:
    """Messages of equal form, no two of which are the same."""
    chosen = random.Random(1)
    head = "From: Ada <ada@example.org>\r\nTo: grace@example.org\r\nContent-Type: text/plain; charset=utf-8\r\n"
    made = []
    for number in range(MESSAGES):
        body = "\r\n".join(" ".join(chosen.choices(_WORDS, k=12)) for _ in range(12))
        subject = f"Subject: Message {number}\r\nMessage-ID: <{number}@example.org>\r\n"
        made.append(f"{head}{subject}\r\n{body}\r\n".encode())
    return made
