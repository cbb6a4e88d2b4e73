"""`robots.txt`, as RFC 9309 has it: which paths of a host this program may ask for, and how fast.

The group that names our product token speaks for us, else that of `*`; groups of one name count as one. The longest
pattern that fits decides, `Allow` over `Disallow` where both are as long. `Crawl-delay`, which the RFC leaves out, is
heeded up to a bound.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote

LIMIT = 500 << 10
"""Bytes that are read, the least that the RFC asks for."""

SLOWEST = 10.0
"""Seconds between two requests that a site can ask for."""

_MOST_RULES = 10_000
_LINE = re.compile(r"[ \t]*([A-Za-z-]{1,30})[ \t]*:[ \t]*([^#]*)")
_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


class _Rule(NamedTuple):
    """`parts`: the texts between the stars. `to_end`: nothing may follow."""

    allow: bool
    length: int
    parts: tuple[str, ...]
    to_end: bool

    def fits(self, target: str) -> bool:
        """In linear time: what stands between two stars is taken where it is found first."""
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
    """What a host allows. `delay`: seconds between two requests; 0 where it names none. `sitemaps`: addresses."""

    rules: tuple[_Rule, ...] = ()
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()

    def allows(self, target: str) -> bool:
        """Whether a path, with its query, may be asked for."""
        if target == "/robots.txt":
            return True
        fitting = [rule for rule in self.rules if rule.fits(target)]
        best = max(fitting, key=lambda rule: (rule.length, rule.allow), default=None)
        return best is None or best.allow


NOTHING = Robots((_Rule(False, 1, ("/",), False),))
"""Of a host whose `robots.txt` cannot be had: nothing may be asked for."""


@dataclass
class _Group:
    rules: list[_Rule] = field(default_factory=list)
    delay: float = 0.0


def parse(raw: bytes, token: str) -> Robots:
    """The rules for `token`. Lines that make no sense are passed over."""
    wanted = (token.lower(), "*")
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
            named = (named if naming else set()) | {name for name in wanted if name == _product(value)}
            naming = True
            for name in named:
                groups.setdefault(name, _Group())
        elif key == "sitemap":
            sitemaps.append(value)
        elif key in ("allow", "disallow", "crawl-delay"):
            naming = False
            for name in named:
                _take(groups[name], key, value)
    ours = groups.get(wanted[0]) or groups.get("*") or _Group()
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
        pattern = _one_form(value.removesuffix("$"))
        parts = tuple(re.sub(r"\*+", "*", pattern).split("*"))
        group.rules.append(_Rule(key == "allow", len(value.encode()), parts, to_end))


def _one_form(pattern: str) -> str:
    """Escapes as `guards.network.urls` writes them, so that a pattern and an address can be compared."""
    text = quote(pattern, safe="/:@!$&'()*+,;=~%?")
    return _ESCAPE.sub(lambda f: c if _UNRESERVED.fullmatch(c := chr(int(f[1], 16))) else f[0].upper(), text)
