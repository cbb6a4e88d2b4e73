"""Reports of a reindex."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

from biblicus.corpus.report import Report
from biblicus.models.frozen import dataclass
from biblicus.models.manifest import Built, Manifest, unembedded


@dataclass(frozen=True)
class RunReport:
    """Result of one recipe. `foreign`: chunks in languages that a leg's model does not know."""

    manifest: Manifest
    recipe_id: str
    built: Built | Literal["unchanged"]
    differs: tuple[str, ...] = ()
    foreign: int = 0

    @property
    def unembedded(self) -> int:
        """Return the number of chunks without a vector in a leg."""
        return unembedded(self.manifest)

    @property
    def truncated(self) -> int:
        """Return the number of chunks that a leg's model truncates."""
        return sum(count for name, count in self.manifest.counts.items() if name.endswith(".truncated"))

    def as_object(self) -> dict[str, Any]:
        m = self.manifest
        return {
            "run_id": m.run_id,
            "recipe_id": self.recipe_id,
            "build_id": m.build_id,
            "index_version": m.index_version,
            "built": self.built,
            **m.counts,
            **{name: [note.model_dump() for note in getattr(m, name)] for name in ("skipped", "failed")},
            "timings": m.timings if self.built != "unchanged" else {},
            **({"differs": list(self.differs)} if self.differs else {}),
            **({"foreign": self.foreign} if self.foreign else {}),
        }


@dataclass
class ReindexReport:
    """Result of a reindex.

    `unavailable`: recipes not requested by name that lack an extra or a model here, with the error."""

    refresh: Report
    runs: list[RunReport] = field(default_factory=list)
    unavailable: list[dict[str, str]] = field(default_factory=list)
    ms: float = 0.0
