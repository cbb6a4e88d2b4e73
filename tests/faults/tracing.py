"""Where a command changes anything, and how to end or fail it there, with strace."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

MUTATING = (
    "openat", "mkdir", "mkdirat", "write", "writev", "pwrite64", "pwritev", "rename", "renameat", "renameat2", "link",
    "linkat", "unlink", "unlinkat", "rmdir", "symlink", "symlinkat", "truncate", "ftruncate", "fallocate", "chmod",
    "fchmod", "fchmodat", "fsync", "fdatasync", "sync_file_range", "copy_file_range", "sendfile", "utimensat",
)  # fmt: skip
SYNCING = ("fsync", "fdatasync")
PLACING = (
    "openat", "mkdir", "mkdirat", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir",
    "chmod", "fchmod", "fchmodat",
)  # fmt: skip
FILLING = ("openat", "mkdir", "write", "pwrite64", "rename", "renameat", "link", "linkat", "fallocate", *SYNCING)
"""Calls for which there may be no permission, and those for which there may be no room."""
_CALL = re.compile(r"^(\d+) +(\w+)\((.*)$")


class Point(NamedTuple):
    """The `number`-th call (from 1) of a system call. `main`: by the first thread, counted for it alone."""

    call: str
    number: int
    main: bool


def tracer(output: Path, *, injected: str = "", calls: Iterable[str] = MUTATING, threads: bool = True) -> list[str]:
    """The words before a command that trace it, its threads and children too unless told otherwise."""
    words = ["strace", "-q", "-qq", "-y", "-e", "signal=none", "-o", str(output), "-e", f"trace={','.join(calls)}"]
    words += ["-f"] if threads else []
    return [*words, "-e", f"inject={injected}"] if injected else words


def at(point: Point, what: str, output: Path) -> list[str]:
    """The words before a command that inject at a point: `signal=KILL`, `error=EIO`."""
    injected = f"{point.call}:{what}:when={point.number}"
    return tracer(output, injected=injected, calls=(point.call,), threads=not point.main)


def points(trace: Path, root: Path) -> list[Point]:
    """Every call of a trace that changes something under `root`.

    Calls of the first thread can be hit one by one. strace counts per thread, so that the n-th call of the others is
    that of whichever thread is first; those that another one hides are not listed.
    """
    counts: Counter[tuple[str, str]] = Counter()
    first, hit = "", set()
    found: list[Point] = []
    for line in trace.read_text(errors="replace").splitlines():
        match = _CALL.match(line)
        if match is None:
            continue  # the end of a call that was interrupted by another thread's
        thread, call, rest = match.groups()
        first = first or thread
        counts[thread, call] += 1
        number = counts[thread, call]
        leads = (call, number) not in hit
        hit.add((call, number))
        if str(root) not in rest or (call == "openat" and "O_CREAT" not in rest):
            continue
        if thread == first:
            found.append(Point(call, number, True))
        elif leads:
            found.append(Point(call, number, False))
    return found


def faults(points: Sequence[Point]) -> Iterator[tuple[Point, str]]:
    """At every point one of the errors that its call may meet, in turn; at every fsync EIO too."""
    turn = cycle(("EIO", "ENOSPC", "EACCES", "EROFS"))
    for point in points:
        fitting = ["EIO"]
        fitting += ["ENOSPC"] if point.call in FILLING else []
        fitting += ["EACCES", "EROFS"] if point.call in PLACING else []
        error = next(error for error in turn if error in fitting)
        yield point, error
        if point.call in SYNCING and error != "EIO":
            yield point, "EIO"


def was_injected(trace: Path) -> bool:
    return "(INJECTED)" in trace.read_text(errors="replace")


def was_silenced(trace: Path) -> bool:
    """Whether the fault met what the command says, too: another thread's n-th write may be the first one's as well."""
    speaking: set[str] = set()  # threads whose call another thread's interrupted in the trace
    for line in trace.read_text(errors="replace").splitlines():
        thread = line.partition(" ")[0]
        if re.search(r"write\([12]<", line):
            speaking.add(thread)
        elif "resumed>" not in line:
            speaking.discard(thread)
        if "(INJECTED)" in line and thread in speaking:
            return True
    return False


def retried(trace: Path) -> list[str]:
    """Files on which fsync was called again after it had failed."""
    failed, again = set(), []
    for line in trace.read_text(errors="replace").splitlines():
        if (match := re.search(r"\b(?:fsync|fdatasync)\(\d+<([^>]*)>", line)) is None:
            continue
        if match[1] in failed and not Path(match[1]).is_dir():
            again.append(match[1])
        if "(INJECTED)" in line:
            failed.add(match[1])
    return again
