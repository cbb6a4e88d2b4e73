"""The formula for Homebrew: pins what Biblicus needs, and fills in a release.

`python -m tools.homebrew --pin` asks pip which wheels the dependencies come to on each system, and writes them with the
sha256 that the package index tells into `packaging/homebrew/biblicus.rb.in`. `python -m tools.homebrew WHEEL [URL]`
prints the formula for the wheel of a release, which is at URL (default: where PyPI will have it).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FORMULA = ROOT / "packaging" / "homebrew" / "biblicus.rb.in"
PYTHON = "3.13"
SYSTEMS = {
    "macos": ("arm64", ("macosx_11_0_arm64", "macosx_12_0_arm64", "macosx_13_0_arm64", "macosx_14_0_arm64")),
    "linux": ("x86_64", ("manylinux2014_x86_64", "manylinux_2_26_x86_64", "manylinux_2_28_x86_64")),
}
"""Processor, and pip's names of what runs there, by system. Others have no wheel of pycld2."""
_RESOURCE = re.compile(
    r'^ *resource "(.+?)" do\n *url "(.+?)", using: :nounzip\n *sha256 "(.+?)"\n *end\n', re.MULTILINE
)
_PINS = re.compile(r"(  # -- pins\n).*(  # -- end of pins\n)", re.DOTALL)
_INDEX = "https://files.pythonhosted.org/packages/"


class Wheel(NamedTuple):
    """A wheel of a dependency."""

    name: str
    url: str
    sha256: str


def resolved(platforms: Sequence[str]) -> list[Wheel]:
    """The wheels that pip would install there. Nothing is downloaded but what pip needs to know."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    options = [word for platform in platforms for word in ("--platform", platform)]
    asked = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-"]
    bounds = ["--only-binary=:all:", "--python-version", PYTHON, "--target", "nowhere"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    # The public index alone: what others have is at other addresses.
    environment |= {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        [*asked, *bounds, *options, *project["dependencies"]], capture_output=True, check=False, env=environment
    )
    if done.returncode:
        raise SystemExit(f"{platforms[0]}: {done.stderr.decode().strip().splitlines()[-1]}")
    return sorted(_wheel(entry) for entry in json.loads(done.stdout)["install"])


def _wheel(entry: Mapping[str, Any]) -> Wheel:
    download = entry["download_info"]
    if not download["url"].startswith(_INDEX):
        raise SystemExit(f"{download['url']} is not of the public index.")
    return Wheel(entry["metadata"]["name"].lower(), download["url"], download["archive_info"]["hashes"]["sha256"])


def pins(wheels: Mapping[str, Sequence[Wheel]]) -> str:
    """The resources: those that are the same everywhere, then those of each system."""
    everywhere = sorted(set.intersection(*map(set, wheels.values())))
    lines = [*_resources(everywhere, "  ")]
    for system, own in wheels.items():
        lines.append(f"\n  on_{system} do\n    depends_on arch: :{SYSTEMS[system][0]}\n\n")
        lines += [*_resources([wheel for wheel in own if wheel not in everywhere], "    "), "  end\n"]
    return "".join(lines)


def _resources(wheels: Sequence[Wheel], margin: str) -> Iterator[str]:
    for at, wheel in enumerate(wheels):
        gap = "\n" if at else ""
        yield (
            f'{gap}{margin}resource "{wheel.name}" do\n'
            f'{margin}  url "{wheel.url}", using: :nounzip\n'
            f'{margin}  sha256 "{wheel.sha256}"\n'
            f"{margin}end\n"
        )


def pinned(formula: str) -> dict[str, list[Wheel]]:
    """The wheels of each system that a formula pins."""
    everywhere, *systems = re.split(r"^  on_(\w+) do\n", formula, flags=re.MULTILINE)
    shared = [Wheel(*found) for found in _RESOURCE.findall(everywhere)]
    return {
        system: sorted([*shared, *(Wheel(*found) for found in _RESOURCE.findall(part))])
        for system, part in zip(systems[::2], systems[1::2], strict=True)
    }


def written(formula: str, wheels: Mapping[str, Sequence[Wheel]]) -> str:
    """The formula with these pins."""
    return _PINS.sub(lambda found: f"{found[1]}{pins(wheels)}{found[2]}", formula)


def released(formula: str, wheel: Path, url: str = "") -> str:
    """The formula of a release."""
    url = url or f"https://files.pythonhosted.org/packages/py3/b/biblicus-corpus/{wheel.name}"
    return formula.replace("@URL@", url).replace("@SHA256@", hashlib.sha256(wheel.read_bytes()).hexdigest())


def main(words: Sequence[str]) -> int:
    """The exit code: 2 for words that mean nothing here."""
    formula = FORMULA.read_text(encoding="utf-8")
    if list(words) == ["--pin"]:
        wheels = {system: resolved(platforms) for system, (_, platforms) in SYSTEMS.items()}
        FORMULA.write_text(written(formula, wheels), encoding="utf-8")
    elif words and not words[0].startswith("-") and len(words) < 3:
        print(released(formula, Path(words[0]), *words[1:]), end="")
    else:
        print("python -m tools.homebrew --pin | WHEEL [URL]", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
