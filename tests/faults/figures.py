"""The figures that a run of the fault matrix comes to, printed at its end and published in research/reliability.md."""

import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Figures:
    """Rows of promise, test and figure, in the order of their recording."""

    tally: Callable[..., None]
    rows: list[tuple[str, str, str]] = field(default_factory=list)

    def record(self, promise: str, test: str, figure: str, **tried: int) -> None:
        """Add a row; `tried` are its counts for docs/promises.md."""
        self.rows.append((promise, test, figure))
        self.tally(**tried)

    def lines(self) -> Iterator[str]:
        yield machine()
        yield ""
        yield "| promise | test | figure |"
        yield "|---|---|---|"
        for row in self.rows:
            yield f"| {' | '.join(row)} |"


def machine() -> str:
    """What it was measured on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    name = platform.freedesktop_os_release().get("PRETTY_NAME", "") if Path("/etc/os-release").exists() else ""
    return (
        f"{os.cpu_count()} cores, {memory:.0f} GiB, {name or platform.system()}, kernel {platform.release()}, "
        f"Python {platform.python_version()}"
    )


def percentile(values: list[float], share: float) -> float:
    """The value that this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
