"""Artefacts of a release: sdist and wheel, the same bytes at each build (`make release`).

`python -m tools.release [FOLDER]` writes them to FOLDER (default: `dist/`), with SHA256SUMS and, by a pip that can,
`pylock.toml` (PEP 751). The wheel carries the manual page, a bill of materials (CycloneDX 1.6, PEP 770) and the commit.
Times inside of archives are those of the commit.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]


def main(folder: Path) -> None:
    """Build everything into a folder, which may exist."""
    folder.mkdir(parents=True, exist_ok=True)
    made = build(ROOT, folder)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in made]
    (folder / "SHA256SUMS").write_text("\n".join(lines) + "\n", "utf-8")
    for line in lines:
        print(line)
    if lock(folder / "pylock.toml"):
        print("pylock.toml")


def build(root: Path, folder: Path) -> list[Path]:
    """Build sdist and wheel of the checkout at `root`, and return their paths. Needs hatchling, not the network."""
    extra = root / "build" / "release"
    extra.mkdir(parents=True, exist_ok=True)
    commit = _git(root, "rev-parse", "HEAD")
    (extra / "commit.txt").write_text(f"{commit}\n", "utf-8")
    (extra / "biblicus.1").write_text(_run(root, sys.executable, "-m", "tools.manual"), "utf-8")
    (extra / "biblicus.cdx.json").write_text(json.dumps(bill(root), indent=1, sort_keys=True) + "\n", "utf-8")
    environment = {"SOURCE_DATE_EPOCH": _git(root, "log", "-1", "--format=%ct")}
    try:
        for kind in ("sdist", "wheel"):
            _run(root, sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t", kind, **environment)
    finally:
        shutil.rmtree(extra)
    return sorted([*folder.glob("*.tar.gz"), *folder.glob("*.whl")])


def bill(root: Path) -> dict[str, Any]:
    """Return the bill of materials: the package, what it needs, and what each extra adds, with the bounds."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {"": project["dependencies"], **project["optional-dependencies"]}
    components: dict[str, dict[str, Any]] = {}
    for extra, lines in sorted(extras.items()):
        for requirement in map(Requirement, lines):
            if requirement.name == project["name"] or extra in ("dev", "test"):
                continue
            row = components.setdefault(
                requirement.name,
                {
                    "type": "library",
                    "bom-ref": f"pkg:pypi/{requirement.name}",
                    "purl": f"pkg:pypi/{requirement.name}",
                    "name": requirement.name,
                    "version": str(requirement.specifier),
                    "scope": "required" if extra == "" else "optional",
                },
            )
            if extra and row["scope"] == "optional":
                row.setdefault("properties", []).append({"name": "extra", "value": extra})
    own = f"pkg:pypi/{project['name']}@{project['version']}"
    required = sorted(ref["bom-ref"] for ref in components.values() if ref["scope"] == "required")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "purl": own,
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": [components[name] for name in sorted(components)],
        "dependencies": [{"ref": own, "dependsOn": required}],
    }


def lock(path: Path) -> bool:
    """Write the versions and hashes that pip resolves here; False where this pip cannot (before 25.1)."""
    command = [sys.executable, "-m", "pip", "lock", "--quiet", "--output", str(path), str(ROOT)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _git(root: Path, *words: str) -> str:
    return _run(root, "git", *words).strip()


def _run(root: Path, *command: str, **environment: str) -> str:
    done = subprocess.run(
        command, cwd=root, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")
