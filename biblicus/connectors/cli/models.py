"""Commands `models list` and `models get`, for weights in Python packages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.errors import UnknownName
from biblicus.models.fields import doc

if TYPE_CHECKING:
    from biblicus.model_files.table import ModelFile


@dataclass(frozen=True, kw_only=True)
class _Wanted:
    name: tuple[str, ...] = field(
        default=(),
        kw_only=False,
        metadata=doc("Models, by their names in `models list`, or an extra such as `speech` (default: `meaning`)."),
    )


def _rows() -> list[dict[str, Any]]:
    from biblicus.model_files.locating import data_folder, place_of
    from biblicus.model_files.table import FILES

    rows = []
    for file in FILES.values():
        path = place_of(file)
        where = "" if path is None else "fetched" if path.parent == data_folder() else "package"
        package, size = file.package.requirement, file.package.wheel_mb * 1_000_000
        row = {"name": file.name, "here": where, "bytes": file.bytes, "package": package, "download_bytes": size}
        rows.append({**row, "licence": file.licence, "extra": file.extra, "purpose": file.purpose})
    return rows


def _list(rows: Sequence[dict[str, Any]], given: Given) -> None:
    table = []
    for row in rows:
        size, here = f"{row['bytes'] / 1e6:.0f} MB", row["here"] or "not here"
        table.append([row["name"], here, size, row["licence"], row["purpose"]])
    output.table(table)
    if not all(row["here"] for row in rows if row["extra"] == "meaning"):
        output.remark('Get what is not here: biblicus models get, or pip install "biblicus-corpus[meaning]"')


def _get(given: Given) -> list[ModelFile]:
    from biblicus.model_files.fetching import fetch
    from biblicus.model_files.table import FILES

    file_names: list[str] = []
    for name in given.own.name or ("meaning",):
        names = [file.name for file in FILES.values() if name in (file.name, file.extra)]
        if not names:
            raise UnknownName("model file", name, sorted({*FILES, *(file.extra for file in FILES.values())}))
        file_names += names
    return fetch(file_names)


def _got(files: Sequence[ModelFile], given: Given) -> None:
    for file in files:
        output.line(f"+ {file.name}  {file.bytes / 1e6:.0f} MB")
    if not files:
        output.line("Every file is here.")


COMMANDS = (
    Command(
        "models list",
        None,
        _list,
        help="List the available models: whether each is installed, its size and its licence.",
        reply=lambda given: _rows(),
        document=lambda rows, _: {"models": rows},
        lists="",
    ),
    Command(
        "models get",
        None,
        _got,
        help="Download models with pip into your data folder, without the dependencies of their packages.",
        own=_Wanted,
        reply=_get,
        document=lambda files, _: {"fetched": [file.name for file in files]},
    ),
)
