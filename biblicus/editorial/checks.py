"""Checks that a layer may require for a promotion: `verify`, `links`, `eval`. Each returns a problem, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from posixpath import normpath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.editorial.approvals import orphaned
from biblicus.corpus.folder import CorpusFolder
from biblicus.measure.golden import check_golden
from biblicus.models.item import Item
from biblicus.models.requests.measure import GoldenRequest
from biblicus.sources.links import links_of
from biblicus.text import media
from biblicus.text.decoding import decode

_LINK = re.compile(r"!?\[[^\]\n]{0,500}\]\(\s*<?([^\s)>]{1,2000})>?[^)\n]{0,500}\)")
_DEFINED = re.compile(r"^[ ]{0,3}\[[^\]\n]{1,500}\]:\s*<?([^\s>]{1,2000})>?", re.MULTILINE)
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)


class Candidate(NamedTuple):
    """Item to promote: its catalog entry, its file's current bytes, and the target path."""

    item: Item
    raw: bytes
    target: str


def problems(corpus: CorpusFolder, wanted: tuple[str, ...], candidate: Candidate, call: Call) -> Iterator[str]:
    """Yield the problems, check by check."""
    catalog = catalog_of(corpus)
    for name in wanted:
        call.check()
        if problem := _CHECKS[name](corpus, catalog, candidate, call):
            yield f"{name}: {problem}"


def _verify(corpus: CorpusFolder, catalog: Catalog, candidate: Candidate, call: Call) -> str:
    """Check that the item's recorded origins exist with the recorded bytes."""
    return next((problem.reason for problem in orphaned(corpus, catalog, [candidate.item])), "")


def _links(corpus: CorpusFolder, catalog: Catalog, candidate: Candidate, call: Call) -> str:
    """Check that the targets of relative links exist."""
    folder = PurePosixPath(candidate.target).parent
    for link in _targets(candidate):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            continue
        path = normpath(str(folder / unquote(parts.path)))
        if path.startswith(".."):
            return f"{link} leads out of the corpus"
        if not corpus.inside(path).exists():
            return f"{path} is not there, to which it links"
    return ""


def _targets(candidate: Candidate) -> Iterator[str]:
    """Yield the link addresses of a Markdown or HTML file."""
    kind = media.choose(candidate.item.media_type)
    if kind not in ("markdown", "html"):
        return
    text = decode(candidate.raw).text
    if kind == "html":
        yield from links_of(text, "biblicus").hrefs
        return
    text = _CODE.sub("", text)
    for pattern in (_LINK, _DEFINED):
        yield from (match[1] for match in pattern.finditer(text))


def _eval(corpus: CorpusFolder, catalog: Catalog, candidate: Candidate, call: Call) -> str:
    """Check the golden questions with the current index."""
    report = check_golden(corpus, GoldenRequest(), call)
    return next(
        (f"the golden question {case.question!r} does not hold" for case in report.golden if not case.holds), ""
    )


_Check = Callable[[CorpusFolder, Catalog, Candidate, Call], str]
_CHECKS: Mapping[str, _Check] = {"verify": _verify, "links": _links, "eval": _eval}
