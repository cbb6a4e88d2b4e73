"""`robots.txt` (RFC 9309): the paths of a host that this program may request, and the rate.

The group for our product token applies, or that for `*`; groups of one name are merged. The longest matching pattern
decides, and `Allow` wins over `Disallow` of equal length. `Crawl-delay`, which is not in the RFC, is respected up to a
limit."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from biblicus.guards.network.urls import escaped

LIMIT = 500 << 10
"""Maximum bytes read, the minimum required by the RFC."""

SLOWEST = 10.0
"""Longest pause between two requests that a site can require, in seconds."""

_MOST_RULES = 10_000
_LINE = re.compile(r"[ \t]*([A-Za-z-]{1,30})[ \t]*:[ \t]*([^#]*)")
_TOKEN = re.compile(r"[A-Za-z_-]+|\*")


class _Rule(NamedTuple):
    """`parts`: the texts between the stars. `to_end`: nothing may follow."""

    allow: bool
    length: int
    parts: tuple[str, ...]
    to_end: bool

    def fits(self, target: str) -> bool:
        """Match in linear time: the text between two stars is matched at its first position."""
        first, *rest = self.parts
        if not target.startswith(first):
            return False
        place = len(first)
        if not rest:
            return not self.to_end or place == len(target)
        *between, last = rest
        for part in between:
            place = target.find(part, place)
            if place < 0:
                return False
            place += len(part)
        if self.to_end:
            return target.endswith(last) and len(target) - len(last) >= place
        return target.find(last, place) >= 0


@dataclass(frozen=True)
class Robots:
    """Rules of a host. `delay`: seconds between two requests; 0 if not given. `sitemaps`: addresses."""

    rules: tuple[_Rule, ...] = ()
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()

    def allows(self, target: str) -> bool:
        """Check if a path with its query may be requested."""
        if target == "/robots.txt":
            return True
        fitting = [rule for rule in self.rules if rule.fits(target)]
        best = max(fitting, key=lambda rule: (rule.length, rule.allow), default=None)
        return best is None or best.allow


NOTHING = Robots((_Rule(False, 1, ("/",), False),))
"""Rules for a host whose `robots.txt` is unavailable: nothing may be requested."""


@dataclass
class _Group:
    rules: list[_Rule] = field(default_factory=list)
    delay: float = 0.0


def parse(raw: bytes, token: str) -> Robots:
    """Parse the rules for `token`. Invalid lines are skipped."""
    agents = (token.lower(), "*")
    groups: dict[str, _Group] = {}
    named: set[str] = set()
    naming = False
    sitemaps: list[str] = []
    for line in re.split(r"\r\n|\r|\n", raw[:LIMIT].decode("utf-8-sig", "replace")):
        match = _LINE.match(line)
        if match is None:
            continue
        key, value = match[1].lower(), match[2].strip()
        if key == "user-agent":
            named = (named if naming else set()) | {name for name in agents if name == _product(value)}
            naming = True
            for name in named:
                groups.setdefault(name, _Group())
        elif key == "sitemap":
            sitemaps.append(value)
        elif key in ("allow", "disallow", "crawl-delay"):
            naming = False
            for name in named:
                _take(groups[name], key, value)
    ours = groups.get(agents[0]) or groups.get("*") or _Group()
    return Robots(tuple(ours.rules), ours.delay, tuple(sitemaps[:50]))


def _product(value: str) -> str:
    match = _TOKEN.match(value)
    return match[0].lower() if match else ""


def _take(group: _Group, key: str, value: str) -> None:
    if key == "crawl-delay":
        if re.fullmatch(r"\d{1,6}(\.\d{0,6})?", value):
            group.delay = min(float(value), SLOWEST)
    elif value and len(group.rules) < _MOST_RULES:
        to_end = value.endswith("$")
        pattern = escaped(value.removesuffix("$"))
        parts = tuple(re.sub(r"\*+", "*", pattern).split("*"))
        group.rules.append(_Rule(key == "allow", len(value.encode()), parts, to_end))
