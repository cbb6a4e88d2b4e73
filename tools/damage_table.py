"""The generated part of docs/disk-format.md: how damage to each kind of file is found, and how it is mended."""

from __future__ import annotations

from biblicus.upkeep.kinds import DAMAGES, KINDS, Kind
from tools.doctext import between

BEGIN = "<!-- From here on written by `make docs`, from biblicus/upkeep/kinds.py. -->"
END = "<!-- Down to here. -->"
_NAMES = {"reindex": "`reindex`", "repair": "`check --repair`", "you": "you", "nothing": "nothing needs to"}


def page(written: str) -> str:
    """The page with its generated part as it is now; what a person wrote around it stays."""
    return between(written, "docs/disk-format.md", BEGIN, END, table())


def table() -> str:
    """One row a kind; kinds that differ in their path alone share it."""
    rows = ["| under `.biblicus/` | how damage is found | not seen | who mends it |", "|---|---|---|---|"]
    alike: dict[str, list[str]] = {}
    for kind in KINDS:
        alike.setdefault(_row(kind), []).append(f"`{kind.path}`")
    return "\n".join([*rows, *(f"| {', '.join(paths)} {row}" for row, paths in alike.items()), ""])


def _row(kind: Kind) -> str:
    unseen = ", ".join(damage for damage in DAMAGES if damage in kind.unseen and kind.mends != "nothing")
    mended = f"{_NAMES[kind.mends]}{': ' if kind.mended else ''}{kind.mended}"
    return f"| {kind.checked} | {unseen} | {mended} |"
