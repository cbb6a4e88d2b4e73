"""Keys of package manifests (`pyproject.toml`, `Cargo.toml`, `package.json`) with the words people use in questions."""

from __future__ import annotations

from collections.abc import Mapping

NAMES: Mapping[str, tuple[str, ...]] = {
    "requires-python": (
        "Python versions supported",
        "Python versions needed",
        "minimum Python version",
        "requires-python",
    ),
    "rust-version": (
        "Rust versions supported",
        "minimum supported Rust version",
        "MSRV",
        "rust-version",
    ),
    "engines": ("Node versions supported", "Node versions needed", "minimum Node version", "engines"),
    "authors": ("authors", "maintainers"),
    "author": ("author", "maintainers"),
    "contributors": ("contributors",),
    "maintainers": ("maintainers",),
    "license": ("license",),
    "version": ("version",),
    "dependencies": ("dependencies",),
    "devDependencies": ("development dependencies", "devDependencies"),
    "peerDependencies": ("peer dependencies", "peerDependencies"),
    "optional-dependencies": ("optional dependencies", "extras", "optional-dependencies"),
    "dependency-groups": ("dependency groups",),
    "build-system": ("build system",),
    "scripts": ("scripts", "entry points", "commands"),
    "gui-scripts": ("gui-scripts", "entry points"),
    "entry-points": ("entry points",),
    "main": ("main", "entry point"),
    "bin": ("bin", "commands"),
    "exports": ("exports",),
    "features": ("features",),
    "urls": ("urls", "links"),
    "repository": ("repository",),
    "homepage": ("homepage",),
    "edition": ("edition",),
    "classifiers": ("classifiers",),
    "keywords": ("keywords",),
    "description": ("description",),
}
_RUN = "npm run "


def script(name: str) -> tuple[str, ...]:
    """Return the search names of a script in `package.json`."""
    return f"{_RUN}{name}", f"{name} script"
