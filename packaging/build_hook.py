"""Build hook of hatchling: manual page, bill of materials and commit, where `make release` made them."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ReleaseFiles(BuildHookInterface):
    """Adds the files of `build/release/` to a wheel; a plain build has none of them."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Map each file that exists to its place in the wheel."""
        made = Path(self.root) / "build" / "release"
        if (manual := made / "biblicus.1").is_file():
            build_data["shared_data"][str(manual)] = "share/man/man1/biblicus.1"
        if (bill := made / "biblicus.cdx.json").is_file():
            build_data["sbom_files"].append(str(bill))
        if (commit := made / "commit.txt").is_file():
            build_data["force_include"][str(commit)] = "biblicus/commit.txt"
