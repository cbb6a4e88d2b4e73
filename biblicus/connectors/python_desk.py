"""The part of the Python API that keeps the desk: weights, and which run answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.contracts import Call
from biblicus.models.weights import GLOBAL, Weight

if TYPE_CHECKING:
    from biblicus.corpus.folder import CorpusFolder
    from biblicus.corpus.weights import Listed, Weighted
    from biblicus.measure.golden import GoldenReport


class DeskWords:
    """What a `Corpus` keeps besides its items."""

    @property
    def _place(self) -> CorpusFolder:
        """The corpus's folder, as it is now."""
        raise NotImplementedError

    def set_weight(
        self,
        target: str,
        multiplier: float,
        *,
        namespace: str = GLOBAL,
        ttl_days: float | None = None,
        call: Call | None = None,
    ) -> Weighted:
        """Make an item (id or path), or the paths that fit a pattern, count more or less than its score (0.1 to 10)."""
        from biblicus.corpus.weights import set_weight  # lazy: few programs weigh

        return set_weight(self._place, target, multiplier, call or Call(), namespace=namespace, ttl_days=ttl_days)

    def weights(self, *, call: Call | None = None) -> Sequence[Listed]:
        """All weights, by namespace and target."""
        from biblicus.corpus.weights import list_weights

        return list_weights(self._place, call or Call())

    def clear_weights(
        self,
        target: str | None = None,
        *,
        namespace: str | None = None,
        expired: bool = False,
        call: Call | None = None,
    ) -> Sequence[Weight]:
        """Clear a target's weights, a namespace's, what has expired, or all; gives what was cleared."""
        from biblicus.corpus.weights import clear_weights

        return clear_weights(self._place, target, call or Call(), namespace=namespace, expired=expired)

    def check_golden(
        self,
        file: str | None = None,
        *,
        recipe: str | None = None,
        reports: Sequence[str | Path] = (),
        call: Call | None = None,
    ) -> GoldenReport:
        """Ask the golden questions (default: `.biblicus/datasets/golden.yml`) and say which hold."""
        from biblicus.measure.golden import check_golden

        paths = [Path(report) for report in reports]
        return check_golden(self._place, call or Call(), file=file, recipe=recipe, reports=paths)

    def version(self) -> Mapping[str, Any]:
        """What a bare query is answered from: `index_version`, `run_id`, `build_id`, `built_at` …; `NoRun` without."""
        from biblicus.runs.version import version

        return version(self._place)
