"""All output of the command line: results to standard output, progress and logs to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.contracts import Call
from biblicus.errors import BiblicusError
from biblicus.guards.terminal import safe
from biblicus.models.plain import count as count
from biblicus.models.plain import jsonable, noun
from biblicus.models.unread import Unread, cause_of, counted, kind_of, unread_of, word_of
from biblicus.models.unread import summary as summary

if TYPE_CHECKING:
    from biblicus.models.evidence import Evidence, Pending

_SHOWN = 8
_MADE = "machine-made"
_WIDEST = 100
"""Maximum width of a line in characters."""
_DRAFT = 800
"""Maximum characters shown of a model's draft."""


def document(value: Any) -> None:
    """Print exactly one JSON document."""
    sys.stdout.write(
        json.dumps(value, ensure_ascii=False, default=jsonable, indent=2 if sys.stdout.isatty() else None) + "\n"
    )


def line(text: str = "", **style: Any) -> None:
    """Print one line, coloured on a terminal. Control characters are made visible.

    Line feeds too: they may be in a name or a title, which must not fake a line of output."""
    safe_text = safe(text)
    parts(_coloured(safe_text, style) if style and is_terminal() else safe_text)


def says(sentence: Callable[[Any], str], **style: Any) -> Callable[[Any, Any], None]:
    """Return a presentation of replies in one line."""
    return lambda reply, given: line(sentence(reply), **style)


def each(name: str, row: Callable[[Any], Any], empty: str | None = None) -> Callable[[Any, Any], None]:
    """Return a presentation of replies with a list `name` (empty: the reply itself): a line for each entry, or a table
    if `row` gives cells. `empty`: the sentence for an empty list."""

    def show(reply: Any, given: Any) -> None:
        rows = [row(entry) for entry in (getattr(reply, name) if name else reply)]
        if not rows and empty is not None:
            line(empty)
        elif rows and not isinstance(rows[0], str):
            table(rows)
        else:
            for shown in rows:
                line(shown)

    return show


def raw(text: str) -> None:
    """Print text unchanged, ended by a line feed."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def text(words: str) -> None:
    """Print text of a corpus unchanged; on a terminal with control characters made visible."""
    raw(safe(words, keep_newlines=True) if is_terminal() else words)


def record(text: str) -> None:
    """Print text unchanged, encoded as a file name and ended by NUL."""
    sys.stdout.flush()
    sys.stdout.buffer.write(os.fsencode(text) + b"\0")


def is_terminal() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def width() -> int:
    """Return the line width in characters, at least 40."""
    return min(_WIDEST, max(40, _columns()))


def _columns() -> int:
    """Return the terminal's columns like `shutil`, whose import takes longer than printing a result."""
    with suppress(KeyError, ValueError):
        if (columns := int(os.environ["COLUMNS"])) > 0:
            return columns
    with suppress(OSError):  # not a terminal
        return os.get_terminal_size().columns or _WIDEST
    return _WIDEST


def styled(text: str, **style: Any) -> str:
    """Return a part of a line, made safe, and coloured on a terminal."""
    return _coloured(safe(text), style) if is_terminal() else safe(text)


def linked(shown: str, address: str | None) -> str:
    """Return styled text as a link (OSC 8) on a terminal. `address`: an ASCII URI without control characters."""
    if address is None or not is_terminal() or not (address.isascii() and address.isprintable()):
        return shown
    return f"\x1b]8;;{address}\x1b\\{shown}\x1b]8;;\x1b\\"


def parts(*texts: str) -> None:
    """Print a line of styled parts."""
    sys.stdout.write("".join(texts) + "\n")


def _coloured(text: str, style: Mapping[str, Any]) -> str:
    from typer import style as coloured  # lazy: only needed on a terminal

    return coloured(text, **style)


def address(piece: Evidence, root: Path | None) -> str | None:
    """Return the address of evidence: the file at its page or line, else the item's own address."""
    path = root / piece.path if root else None
    if path is not None and path.is_file():
        return f"{path.as_uri()}#{f'page={piece.page}' if piece.page else f'L{piece.line_start}'}"
    from urllib.parse import quote  # lazy: only for items from elsewhere

    return quote(piece.citation_url, safe=":/?#[]@!$&'()*+,;=%") if piece.citation_url else None


def place(piece: Evidence) -> str:
    """Return the location of evidence in short: `slide 2`, `page 3`, `line 12`."""
    if piece.content_ref:
        return "no text"
    if piece.locator and piece.locator.kind != "line":
        return piece.locator.label
    return f"page {piece.page}" if piece.page else f"line {piece.line_start}"


def of_corpus(piece: Evidence) -> str:
    """Return the prefix of a piece's path if several corpora were queried."""
    return f"{piece.corpus}: " if piece.corpus else ""


def fail(error: BiblicusError, as_json: bool) -> None:
    """Print an error to standard error: one line for people, or one JSON object for programs."""
    if as_json:
        sys.stderr.write(json.dumps({"error": error.as_object()}, ensure_ascii=False) + "\n")
        return
    head = _coloured("Error:", {"fg": "red", "bold": True}) if sys.stderr.isatty() else "Error:"
    stop = "" if error.message.endswith((".", "?", "!", "…", ":")) else "."
    hint = f" Try: {safe(error.hint)}" if error.hint else ""
    sys.stderr.write(f"{head} {safe(error.message)}{stop}{hint}\n")


def remark(text: str) -> None:
    """Print a line to standard error that is only for people."""
    sys.stderr.write(f"{safe(text)}\n")


def table(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()) -> None:
    """Print columns padded to their widest cell; on a terminal, the widest cells are shortened to fit."""
    if not rows:
        return
    safe_rows = [[safe(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in safe_rows) for i in range(len(safe_rows[0]))]
    if sys.stdout.isatty():
        while sum(widths) + 2 * (len(widths) - 1) > max(40, _columns()):
            widths[widths.index(max(widths))] -= 1
        safe_rows = [[shortened(cell, most) for cell, most in zip(row, widths, strict=True)] for row in safe_rows]
    for row in safe_rows:
        cells = [c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]
        line("  ".join(cells).rstrip())


def shortened(text: str, most: int) -> str:
    """Return a text of limited length, shortened in the middle."""
    if len(text) <= most:
        return text
    head = (most - 1) // 2
    return f"{text[:head]}…{text[len(text) - (most - 1 - head) :]}"


def size(count: int) -> str:
    """Return bytes in a readable unit."""
    value = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    raise AssertionError


def notes(title: str, entries: Sequence[Mapping[str, str]], **style: Any) -> None:
    """Print paths with reasons: the first few, then the number of others."""
    if not entries:
        return
    line(f"{title} ({len(entries):,})", **style)
    for entry in entries[:_SHOWN]:
        hint = f" ({entry['hint']})" if "hint" in entry else ""
        line(f"  {entry['path']}: {entry['reason']}{hint}")
    if len(entries) > _SHOWN:
        line(f"  … and {len(entries) - _SHOWN:,} more; --json lists them all")


def entries(name: str, mark: str, colour: str, found: Sequence[Mapping[str, str]]) -> None:
    """Print changed paths of one kind, at most a few."""
    for entry in found[:_SHOWN]:
        came = f" (was {entry['from']})" if "from" in entry else ""
        line(f"{mark} {entry['path']}{came}", fg=colour)
    if len(found) > _SHOWN:
        line(f"{mark} … and {len(found) - _SHOWN:,} more {name}", fg=colour)


def news(report: Any, entries: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Return the notes that the previous report did not have."""
    return [entry for entry in entries if (entry["path"], entry["reason"]) not in report.known]


def changes(report: Any, head: str = "", *, verbose: bool = False) -> None:
    """Print a refresh's report: a summary, then single changes if there are few.
    Files left out and warnings are shown once, with `verbose` each time. `head`: replaces the summary's beginning."""
    marks = (("added", "+", "green"), ("changed", "~", "yellow"), ("renamed", ">", "cyan"), ("removed", "-", "red"))
    counts = [f"{len(getattr(report, name)):,} {name}" for name, _, _ in marks if getattr(report, name)]
    items = report.unchanged + len(report.added) + len(report.changed) + len(report.renamed)
    unread = counted(unread_of(report.skipped, report.failed))
    end = f"; {summary(unread)} (biblicus check --failed)" if unread else ""
    head = head or f"{items:,} {noun(items, 'files')} in {seconds(report.ms / 1000)}"
    line(f"{head}{end}", bold=True)
    line(", ".join([*counts, f"{report.unchanged:,} unchanged"]))
    for name, mark, colour in marks:
        entries(name, mark, colour, getattr(report, name))
    for entry in report.duplicates:
        line(f"= {entry['path']}: already here as {entry['of']}")
    skipped, warnings, failed = (news(report, entries) for entries in (report.skipped, report.warnings, report.failed))
    left_out = report.skipped if verbose else skipped
    _left_out([entry for entry in left_out if kind_of(entry["reason"], failed=False) is None], verbose=verbose)
    notes("Warnings", warnings, fg="yellow")
    unread_files(unread_of(skipped, failed), _SHOWN)


def _left_out(skipped: Sequence[Mapping[str, str]], *, verbose: bool) -> None:
    """Print one line on files left out on purpose, or all of them with `verbose`."""
    if verbose:
        notes("Left out", skipped, fg="bright_black")
        return
    machine_made = [entry["path"] for entry in skipped if entry["reason"].startswith(_MADE)]
    reasons = Counter(entry["reason"].partition(":")[0] for entry in skipped)
    if number := reasons.pop(_MADE, 0):
        named = f"{', '.join(machine_made[:3])}{', …' if number > 3 else ''}"
        setting_hint = "machine_made: true in .biblicus/config.yml takes them in"
        line(
            f"Left out: {number:,} machine-made {noun(number, 'folders')} ({named}); {setting_hint}", fg="bright_black"
        )
    if reasons:
        parts = ", ".join(f"{number:,} {reason}" for reason, number in reasons.most_common())
        line(f"Left out: {parts} (-v lists)", fg="bright_black")


def unread_files(unread: Sequence[Unread], most: int) -> None:
    """Print unread files by class; a remedy common to a class is printed once."""
    for kind, group in groupby(unread, key=lambda entry: entry.kind):
        files = list(group)
        hints = {entry.hint for entry in files}
        line(f"{word_of(kind)} ({len(files)})", fg="yellow")
        for entry in files[:most]:
            line(f"  {entry.path}: {cause_of(entry.reason)}{f' ({entry.hint})' if len(hints) > 1 else ''}")
        if len(files) > most:
            line(f"  … and {len(files) - most:,} more: biblicus check --failed")
        if len(hints) == 1:
            line(f"  Try: {files[0].hint}")


def seconds(value: float) -> str:
    """Return a duration for people: `0.4 s`, `45 s`."""
    return f"{value:.1f} s" if value < 10 else f"{value:,.0f} s"


def is_asked() -> bool:
    """Return true if a person can answer: input and error output are a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirmed(question: str, *, default: bool = True) -> bool:
    """Ask a yes/no question on the terminal. `default`: the answer for an empty line; end of input means no."""
    sys.stderr.write(f"{safe(question)} {'[Y/n]' if default else '[y/N]'} ")
    sys.stderr.flush()
    answer = sys.stdin.readline(80)
    return answer.endswith("\n") and answer.strip().lower() in (("", "y", "yes") if default else ("y", "yes"))


@contextmanager
def watched(call: Call) -> Iterator[Call]:
    """Yield the call with a progress bar, if on a terminal."""
    if not sys.stderr.isatty():
        yield call
        return
    from rich.console import Console  # lazy: only needed on a terminal
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        yield replace(call, progress=_steps(bar))


@contextmanager
def writing(*, shown: bool) -> Iterator[Callable[[str], None]]:
    """Yield a receiver of a model's text; a terminal shows its last words dimmed, then clears them."""
    from biblicus.answering.drafts import Draft  # lazy, as below

    draft = Draft()
    if not shown or not sys.stderr.isatty():
        yield draft.hear
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    def hear(piece: str) -> None:
        draft.hear(piece)
        live.update(Text(safe(draft.text)[-_DRAFT:], style="dim"))

    with Live(Text("The model is asked …", style="dim"), console=Console(stderr=True), transient=True) as live:
        yield hear


def _steps(bar: Any) -> Callable[[str, int, int], None]:
    tasks: dict[str, Any] = {}

    def progress(step: str, done: int, total: int) -> None:
        if step not in tasks:
            tasks[step] = bar.add_task(step, total=total or None, rate="")
        speed = bar.tasks[bar.task_ids.index(tasks[step])].speed
        bar.update(tasks[step], completed=done, total=total or None, rate=f"{speed:.0f}/s" if speed else "")

    return progress


def pending(pending: Pending | None) -> None:
    """Print pending changes of the folder, if any."""
    if pending is not None and pending.sentence:
        line(pending.sentence, fg="yellow")
