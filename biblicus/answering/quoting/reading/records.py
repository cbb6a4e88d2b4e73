"""Tables as text (CSV, TSV): a record a line, its cells after the names of their columns."""

from __future__ import annotations

from biblicus.text.records import cells


def readable_record(line: str, header: str | None) -> str:
    """A record as people read it: `product: Water; price: 0.90`."""
    said, names = cells(line, header or line), cells(header, header) if header else []
    if len(names) != len(said):
        return " — ".join(cell.strip() for cell in said if cell.strip())
    named = zip(names, said, strict=True)
    return "; ".join(f"{name.strip()}: {cell.strip()}" for name, cell in named if cell.strip())
