"""Checks that a layer may require for a promotion: `verify`, `links`, `eval`. Each returns a problem, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from posixpath import normpath
from typing import NamedTuple

from biblicus.contracts import Call
from biblicus.corpus.catalog import Catalog, catalog_of
from biblicus.corpus.described.links import addresses_in
from biblicus.corpus.editorial.approvals import orphaned
from biblicus.corpus.folder import CorpusFolder
from biblicus.measure.golden import check_golden
from biblicus.models.item import Item
from biblicus.models.requests.measure import GoldenRequest
from biblicus.text.decoding import decode
from biblicus.text.links import link_to


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
    for address, line in addresses_in(decode(candidate.raw).text, candidate.item.media_type):
        link = link_to(address, line)
        if link is None or link.name.startswith("/"):
            continue
        path = normpath(str(folder / link.name))
        if path.startswith(".."):
            return f"{address} leads out of the corpus"
        if not corpus.inside(path).exists():
            return f"{path} is not there, to which it links"
    return ""


def _eval(corpus: CorpusFolder, catalog: Catalog, candidate: Candidate, call: Call) -> str:
    """Check the golden questions with the current index."""
    report = check_golden(corpus, GoldenRequest(), call)
    return next(
        (f"the golden question {case.question!r} does not hold" for case in report.golden if not case.holds), ""
    )


_Check = Callable[[CorpusFolder, Catalog, Candidate, Call], str]
_CHECKS: Mapping[str, _Check] = {"verify": _verify, "links": _links, "eval": _eval}
