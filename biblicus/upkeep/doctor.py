"""Doctor: report what makes a corpus worse to search, each finding with the command that mends it.

The shapes of secrets, as their issuers publish them, are those of gitleaks' rules
(https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml).

Near copies share most of their runs of three words. MinHash (Broder, "On the resemblance and containment of documents",
1997) with bands (Leskovec, Rajaraman, Ullman, "Mining of Massive Datasets", 3.4) finds candidates. Their runs of words
are then compared in full."""

from __future__ import annotations

import glob
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count, groupby
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple
from urllib.parse import urljoin

import numpy as np
from numpy.typing import NDArray

from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.changes import file_stats
from biblicus.corpus.changes.synced import IMPORTS
from biblicus.corpus.described.describe import is_untitled
from biblicus.corpus.described.links import Linked
from biblicus.corpus.editorial.approvals import is_expired, now_of
from biblicus.corpus.extracted.extractions import of_default_recipe, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import IngestionError, UnsafeInput
from biblicus.errors.families import typed
from biblicus.guards.network.urls import UrlRefused, parse
from biblicus.models.extraction import Extraction
from biblicus.models.item import Item
from biblicus.models.plain import LEFT_OUT
from biblicus.models.requests.runs import DoctorRequest
from biblicus.models.sources.syncing import UNSYNCED, Reach
from biblicus.runs import manifests
from biblicus.runs.stats import unread
from biblicus.sources.folder import SIDECAR
from biblicus.sources.web import GONE, Visitor
from biblicus.text.links import Link
from biblicus.text.paths import file_of

STALE = "stale_after"
"""Metadata of an item: the day, month, year or time after which it must be reviewed."""
KINDS = ("secret", "unread", "dead link", "stale", "near copy", "untitled")
"""Kinds of findings in the order of listing."""
SIMILAR = 0.7
"""Minimum share of common runs of words (Jaccard index)."""
_FEWEST = 20
"""Minimum runs of words: shorter texts are alike by chance."""
_HASHES, _ROWS = 64, 4
"""Numbers in a signature, and in a band: at a similarity of 0.7, 99 of 100 pairs share a band."""
_PIECE = 1_024
"""Runs of words that are hashed at a time."""
_WORD = re.compile(r"\w+")
Numbers = NDArray[np.uint32]


@dataclass(frozen=True)
class Finding:
    """A finding of a kind (`KINDS`) in an item. `line`: in its text, from 1. `hint`: the command that mends it."""

    kind: str
    path: str
    reason: str
    hint: str
    line: int | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True)
class DoctorReport:
    """Findings by kind and place, and numbers of what was checked."""

    findings: tuple[Finding, ...]
    checked: dict[str, int]


class Passage(NamedTuple):
    """A piece of an item's text. `line`: its first line."""

    path: str
    line: int
    heading: str | None
    text: str


def doctor(corpus: CorpusFolder, request: DoctorRequest, call: Call) -> DoctorReport:
    """Check the texts of the default recipe's latest run, else of the files, and the links in files."""
    catalog = catalog_of(corpus)
    findings = [Finding("unread", file.path, file.reason, file.hint) for file in unread(corpus, catalog)]
    passages = _Passages(corpus, catalog, call)
    copies = NearCopies()
    for path, parts in passages.by_item():
        item = catalog.items[path]
        findings += _of_texts(item, parts)
        copies.add(path, "\n".join(part.text for part in parts))
    for path, original, similarity in copies.found(passages.texts):
        reason = f"{int(100 * similarity)}% similar to {original}"
        findings.append(Finding("near copy", path, reason, _leave_out(catalog.items[path])))
    for item in catalog.items.values():
        if is_expired(item.metadata.get(STALE), now_of(call)):
            reason = f"it was to be reviewed after {item.metadata[STALE]}"
            findings.append(Finding("stale", item.path, reason, f"edit {typed(item.path)}"))
    counts = Counter(items=len(catalog.entries), passages=passages.count)
    for link in dead_links(corpus, catalog, request, call):
        counts[link.kind] += 1
        if link.reason:
            findings.append(Finding("dead link", link.path, link.reason, f"edit {typed(link.path)}", link.line))
    findings.sort(key=lambda finding: (KINDS.index(finding.kind), finding.path, finding.line or 0))
    return DoctorReport(tuple(findings), counts)


def _of_texts(item: Item, parts: list[Passage]) -> Iterator[Finding]:
    """Yield the secrets in an item's text, and whether it has no title."""
    for part in parts:
        for offset, reason in secrets_in(part.text):
            line = part.line + part.text.count("\n", 0, offset)
            yield Finding("secret", item.path, reason, _leave_out(item), line)
    if not any(part.heading for part in parts) and is_untitled(item, parts[0].text):
        reason = "neither its text nor its name is a title"
        yield Finding("untitled", item.path, reason, f"edit {typed(file_of(item.path) + SIDECAR)}")


def _leave_out(item: Item) -> str:
    """Return the command that takes an item out of the corpus."""
    path = file_of(item.path)
    if path.startswith(f"{IMPORTS}/") and item.source.kind not in UNSYNCED:
        return f"exclude it in .biblicus/sources.yml, then biblicus sources sync {path.split('/')[1]}"
    if item.source.kind == "corpus":
        return f"echo {typed(f'/{glob.escape(path)}')} >> .biblicusignore"
    return f"biblicus remove {typed(path)}"


class _Passages:
    """The texts of the default recipe's latest run, else of the files. `count`: number of passages."""

    def __init__(self, corpus: CorpusFolder, catalog: Catalog, call: Call) -> None:
        self._corpus, self._catalog, self._call = corpus, catalog, call
        entry = catalog.header.latest.get(corpus.default_recipe)
        self._run_id = entry.run_id if entry and corpus.store.holds(entry.run_id) else None
        self.count = 0

    def by_item(self) -> Iterator[tuple[str, list[Passage]]]:
        """Yield each item's path with its passages. Items that are gone from the catalog are left out."""
        self.count = 0
        for path, parts in groupby(self._all(), key=lambda part: part.path):
            self._call.check()
            if path in self._catalog.entries:
                found = list(parts)
                self.count += len(found)
                yield path, found

    def texts(self, paths: Set[str]) -> Iterator[tuple[str, str]]:
        """Yield the texts of these items by path."""
        for path, parts in self.by_item() if paths else ():
            if path in paths:
                yield path, "\n".join(part.text for part in parts)

    def _all(self) -> Iterator[Passage]:
        """Yield the passages of the run; without a run or its index files, each item's present text."""
        if self._run_id is None:
            extractions = of_default_recipe(self._corpus, self._call)
            for item in self._catalog.items.values():
                outcome = extractions.outcome(raw_of(item))
                if isinstance(outcome, Extraction) and outcome.text.strip():
                    heading = outcome.headings[0].title if outcome.headings else None
                    yield Passage(item.path, 1, heading, outcome.text)
            return
        with closing(self._corpus.store.open(manifests.read(self._corpus, self._run_id))) as tables:
            paths = {row.row: row.path for row in tables.all_items()}
            for chunk in tables.all_chunks():
                yield Passage(paths[chunk.item], chunk.line_start, chunk.heading, chunk.text)


_LETTERS = "[A-Za-z0-9]"
_SHAPES = (
    ("a key of AWS", "AKIA", "[A-Z0-9]{16}"),
    ("a key of AWS", "ASIA", "[A-Z0-9]{16}"),
    ("a token of GitHub", "ghp_", _LETTERS + "{36}"),
    ("a token of GitHub", "gho_", _LETTERS + "{36}"),
    ("a token of GitHub", "ghs_", _LETTERS + "{36}"),
    ("a token of GitHub", "github_pat_", r"\w{82}"),
    ("a token of GitLab", "glpat-", r"[\w-]{20}"),
    ("a token of Slack", "xoxb-", r"[\w-]{20,}"),
    ("a token of Slack", "xoxp-", r"[\w-]{20,}"),
    ("a webhook of Slack", "hooks.slack.com/services/T", r"\w{8,}/B\w{8,}/\w{20,}"),
    ("a key of Stripe", "sk_live_", _LETTERS + "{24,}"),
    ("a key of Stripe", "rk_live_", _LETTERS + "{24,}"),
    ("a key of Google", "AIza", r"[\w-]{35}"),
    ("a key of Anthropic", "sk-ant-", r"[\w-]{80,}"),
    ("a key of OpenAI", "sk-", r"[\w-]{20,}T3BlbkFJ[\w-]{20,}"),
    ("a token of npm", "npm_", _LETTERS + "{36}"),
    ("a token of PyPI", "pypi-AgEIcHlwaS5vcmc", r"[\w-]{50,}"),
    ("a token of Hugging Face", "hf_", "[A-Za-z]{34}"),
    ("a key of SendGrid", "SG.", r"[\w-]{22}\.[\w-]{43}"),
    ("a token of DigitalOcean", "dop_v1_", "[a-f0-9]{64}"),
    ("a private key", "-----BEGIN ", r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s+[\w+/:=]{8,}"),
)
"""Name, beginning and pattern of the rest of each shape."""
_COMPILED = [
    (name, start, re.compile(rf"(?<!\w){re.escape(start)}{rest}(?![A-Za-z0-9])")) for name, start, rest in _SHAPES
]
_SHOWN = 4
_DISTINCT = 10
"""Minimum distinct characters: fewer are a placeholder such as `ghp_xxxx`."""


def secrets_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield the offset of each secret, with its name and first characters."""
    for name, start, pattern in _COMPILED:
        for match in pattern.finditer(text) if start in text else ():
            if len(set(match[0])) >= _DISTINCT and "EXAMPLE" not in match[0]:
                yield match.start(), f"{name}: {match[0][:_SHOWN]}…, {len(match[0])} characters"


_PAGE = 4 << 20
"""Maximum bytes of a page that is asked for."""


class Followed(NamedTuple):
    """A link that was followed. `kind`: `links` within the corpus, `addresses` of the web, or `unanswered` ones.

    `reason`: why it is dead; empty if it is not."""

    path: str
    line: int
    reason: str = ""
    kind: str = "links"


def dead_links(corpus: CorpusFolder, catalog: Catalog, request: DoctorRequest, call: Call) -> Iterator[Followed]:
    """Yield the links of the user's own files and, with `remote`, the addresses in all files."""
    linked = Linked(corpus, catalog)
    report = file_stats.load_scan(corpus).get("report", {})
    left_out = {basename(note["path"]).lower() for kind in ("skipped", "failed") for note in report.get(kind, ())}
    addresses: dict[str, dict[tuple[str, int], None]] = {}
    for item in catalog.items.values():
        call.check()
        is_own = item.source.kind in ("corpus", "declared")
        for link in linked.links(item.path, item.media_type) if is_own else ():
            yield Followed(item.path, link.line, _missing(corpus, linked, left_out, item.path, link))
        for address, line in linked.addresses(item) if request.remote else ():
            url = urljoin("" if is_own else item.source.uri, address).partition("#")[0]
            if url.startswith(("http://", "https://")):
                addresses.setdefault(url, {})[item.path, line] = None
    reach = Reach(cache=corpus.clones, private=request.allow_private, file_bytes=_PAGE)
    visitor = Visitor(reach, call, 0.0 if request.allow_private else 1.0)
    for done, (url, places) in enumerate(sorted(addresses.items())):
        call.progress("ask", done, len(addresses))
        reason, kind = _asked(visitor, url)
        yield from (Followed(path, line, reason, kind) for path, line in places)


def _missing(corpus: CorpusFolder, linked: Linked, left_out: Set[str], path: str, link: Link) -> str:
    """Return the reason if a link leads to no item, file or folder. What is outside the corpus is not looked at, nor
    paths from the root of a site, which is not known."""
    if linked.target(path, link) is not None or (not link.is_path and basename(link.name).lower() in left_out):
        return ""
    target = normpath(join(dirname(path), link.name) if link.is_path else link.name)
    try:
        is_there = target.startswith(("..", "/")) or corpus.inside(target).exists()
    except (OSError, ValueError, UnsafeInput):
        is_there = False
    return "" if is_there else f"there is no {target}"


def _asked(visitor: Visitor, url: str) -> tuple[str, str]:
    """Return the reason if a server says that it has no such page, and the kind of link."""
    try:
        status = visitor.get(parse(url)).status
    except (IngestionError, UrlRefused) as error:
        status = getattr(error, "status", 0)
        return "", "addresses" if status else "unanswered"
    return (f"{url} answers {status}" if status in GONE else ""), "addresses"


class NearCopy(NamedTuple):
    """An item, the item before it that is most similar, and how similar (0 to 1)."""

    path: str
    of: str
    similarity: float


class NearCopies:
    """Collects texts, then finds the near copies among them."""

    def __init__(self) -> None:
        self._words: defaultdict[str, int] = defaultdict(count().__next__)
        self._signatures: dict[str, Numbers] = {}
        random = np.random.default_rng(0).integers(1 << 63, size=_HASHES + 3, dtype=np.uint64) | np.uint64(1)
        self._mixers, self._factors = random[:3], random[3:]

    def add(self, path: str, text: str) -> None:
        """Add an item by its path. Texts that are too short are ignored."""
        runs = self._runs(text)
        if len(runs) >= _FEWEST:
            pieces = (runs[start : start + _PIECE, None] for start in range(0, len(runs), _PIECE))
            lowest = [(piece * self._factors).min(axis=0) for piece in pieces]
            self._signatures[path] = self._hashed(np.minimum.reduce(lowest))

    def found(self, texts: Callable[[Set[str]], Iterable[tuple[str, str]]]) -> list[NearCopy]:
        """Return the near copies by path. `texts`: returns the texts of these paths again."""
        paths = sorted(self._signatures)
        candidates = {(paths[first], paths[later]) for first, later in self._candidates(paths)}
        wanted = {path for pair in candidates for path in pair}
        runs = {path: np.unique(self._runs(text)) for path, text in texts(wanted)}
        best: dict[str, NearCopy] = {}
        for first, later in sorted(candidates):
            common = len(np.intersect1d(runs[first], runs[later], assume_unique=True))
            similarity = common / (len(runs[first]) + len(runs[later]) - common)
            if similarity >= SIMILAR and (later not in best or similarity > best[later].similarity):
                best[later] = NearCopy(later, first, similarity)
        return sorted(best.values())

    def _runs(self, text: str) -> NDArray[np.uint64]:
        """Return the runs of three words as numbers of 32 bits."""
        words = _WORD.findall(text.lower())
        numbers = np.fromiter(map(self._words.__getitem__, words), np.uint64, len(words))
        first, second, third = self._mixers
        mixed = numbers[:-2] * first + numbers[1:-1] * second + numbers[2:] * third
        return self._hashed(mixed).astype(np.uint64)

    def _candidates(self, paths: list[str]) -> Iterator[tuple[int, int]]:
        """Yield pairs that share a band: each item with the first that has the same numbers."""
        if not paths:
            return
        signatures = np.array([self._signatures[path] for path in paths])
        for band in range(0, _HASHES, _ROWS):
            keys = np.ascontiguousarray(signatures[:, band : band + _ROWS]).view(np.dtype((np.void, 4 * _ROWS))).ravel()
            _, firsts, groups = np.unique(keys, return_index=True, return_inverse=True)
            first = firsts[groups]
            later = np.flatnonzero(first < np.arange(len(paths)))
            yield from zip(first[later].tolist(), later.tolist(), strict=True)

    @staticmethod
    def _hashed(numbers: NDArray[np.uint64]) -> Numbers:
        """Return the upper half of each product, which is well mixed."""
        return (numbers >> np.uint64(32)).astype(np.uint32)
