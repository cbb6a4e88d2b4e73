"""URLs of files at a commit, and of lines in them, for use in citations.

The page of a file is pinned to the commit, so that its lines never change. URL formats of the hosts:

* GitHub `…/blob/<commit>/<path>#L10-L20` (`?plain=1` before the lines where it would show a rendered page)
* GitLab `…/-/blob/<commit>/<path>#L10-20`
* Gitea, Forgejo `…/src/commit/<commit>/<path>#L10-L20`
* Bitbucket `…/src/<commit>/<path>#lines-10:20` · cgit `…/tree/<path>?id=<commit>#n10`
* plain, for other hosts: `git+<repository>@<commit>/<path>#L10-L20`, equivalent to `git show <commit>:<path>`
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from biblicus.text.paths import MEMBER, as_uri, file_of

_COMMIT = "(?:[0-9a-f]{40}|[0-9a-f]{64})"
_ZOTERO = r"zotero://(?:select|open-pdf)/(?:library|groups/\d+)/items/[A-Z0-9]{8}(?:\?[\w=&]*)?"
_PLAIN = f"git\\+[a-z]+:[^?#]+@{_COMMIT}/[^?#]+"


class _Style(NamedTuple):
    """URLs of a host: the pattern of a file's page, the page of {path} at {commit}, the end for one line and for
    several, and what shows the source of a rendered page."""

    pattern: str
    page: str
    line: str
    lines: str
    source: str = ""


_STYLES = {
    "gitlab": _Style(
        f"https?://[^?#]+/-/blob/{_COMMIT}/[^?#]+", "{shown}/-/blob/{commit}/{path}", "#L{first}", "#L{first}-{last}"
    ),
    "github": _Style(
        f"https?://[^/?#]+/[^/?#]+/[^/?#]+/blob/{_COMMIT}/[^?#]+", "{shown}/blob/{commit}/{path}",
        "#L{first}", "#L{first}-L{last}", "?plain=1",
    ),
    "gitea": _Style(
        f"https?://[^?#]+/src/commit/{_COMMIT}/[^?#]+", "{shown}/src/commit/{commit}/{path}",
        "#L{first}", "#L{first}-L{last}", "?display=source",
    ),
    "bitbucket": _Style(
        f"https?://[^/?#]+/[^/?#]+/[^/?#]+/src/{_COMMIT}/[^?#]+", "{shown}/src/{commit}/{path}",
        "#lines-{first}", "#lines-{first}:{last}",
    ),
    "cgit": _Style(
        rf"https?://[^?#]+/tree/[^?#]+\?id={_COMMIT}", "{base}/tree/{path}?id={commit}", "#n{first}", "#n{first}"
    ),
    "plain": _Style(_PLAIN, "git+{base}@{commit}/{path}", "#L{first}", "#L{first}-L{last}"),
}  # fmt: skip
"""Styles in the order in which a URL is compared with them."""
_RENDERED = "md markdown mdown mkdn rst adoc asciidoc org textile mediawiki creole pod rdoc csv tsv"
"""Extensions of files that hosts show as pages."""
_HOSTS = {
    "github.com": "github",
    "gitlab.com": "gitlab",
    "salsa.debian.org": "gitlab",
    "invent.kde.org": "gitlab",
    "framagit.org": "gitlab",
    "codeberg.org": "gitea",
    "gitea.com": "gitea",
    "bitbucket.org": "bitbucket",
    "git.kernel.org": "cgit",
}
_DERIVED = """
    html man mhtml icalendar chat drawing notebook mail subtitles feed odf docx pptx xml
    literature genealogy archive
"""
"""Extractors whose output has other lines than the file."""


def style_of(web: str) -> str:
    """Return the URL style of a repository's host by its name or the software in its name, or `plain`."""
    try:
        host = (urlsplit(web).hostname or "").lower()
    except ValueError:  # an invalid host
        return "plain"
    if host in _HOSTS:
        return _HOSTS[host]
    labels = host.split(".")
    return next((style for style in ("github", "gitlab", "gitea") if style in labels), _by_forgejo(labels))


def _by_forgejo(labels: list[str]) -> str:
    return "gitea" if "forgejo" in labels else "cgit" if "cgit" in labels else "plain"


def page_of(web: str, commit: str, path: str, style: str | None = None) -> str:
    """Return the URL of a file (a stored path) at a commit. `web`: the repository's web address."""
    is_web = web.startswith(("https://", "http://"))
    base = web.rstrip("/")
    page = _STYLES[(style or style_of(web)) if is_web else "plain"].page
    return page.format(base=base, shown=base.removesuffix(".git"), commit=commit, path=as_uri(path))


def has_lines(media_type: str) -> bool:
    """Return True if an extraction has the same lines as the file, so that a URL may refer to them."""
    from biblicus.text import media  # lazy: what was born in a corpus has no address

    return media.is_textual(media_type) and media.choose(media_type) not in _DERIVED.split()


def citation_url(
    uri: str, media_type: str, line_start: int | None, line_end: int | None, page: int | None = None
) -> str | None:
    """Return the URL to open for lines of an item, or None if its source has no URL. `uri`: the item's source URI.
    Lines and pages count from 1, both ends included. Web pages and PDFs are cited without lines, PDFs in Zotero by
    page."""
    if not _is_address(uri):
        return None
    if page and uri.startswith("zotero://open-pdf/") and "?" not in uri:
        return f"{uri}?page={page}"
    if MEMBER in uri:  # only the archive has a URL
        return file_of(uri)
    if line_start is None or line_end is None or not has_lines(media_type):
        return uri
    first, last = line_start, max(line_start, line_end)
    for style in _STYLES.values():
        if re.fullmatch(style.pattern, uri):
            end = (style.line if first == last else style.lines).format(first=first, last=last)
            return uri + (style.source if uri.lower().rpartition(".")[2] in _RENDERED.split() else "") + end
    return uri


def _is_address(uri: str) -> bool:
    pattern = {"git+": _PLAIN, "zote": _ZOTERO}.get(uri[:4])
    return uri.startswith(("https://", "http://")) or (pattern is not None and re.fullmatch(pattern, uri) is not None)
