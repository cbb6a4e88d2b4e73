"""Import and export of repository lists: converts the YAML files of other programs to sources, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from biblicus.bring.sources import Sources, SourceState, add, sources
from biblicus.config import read_mapping
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import ConfigInvalid, SourceNotFound
from biblicus.models.fields import NoRequest
from biblicus.models.frozen import dataclass
from biblicus.models.plain import plain
from biblicus.models.requests.bring import AddSourceRequest, ImportSourcesRequest

_NAMES = {"github_url": "url", "repo": "url", "branch": "ref", "default_branch": "ref", "doctype_rules": "doctypes"}
"""Alternative field names in these lists."""
_FIELDS = ("url", "name", "toolkit", "category", "tags", "ref", "include", "exclude", "doctypes", "every")
_GITHUB = "https://github.com/"


@dataclass(frozen=True)
class RepositoryList:
    """The repositories among the sources. `branch`: the source's own, or the one found by the last sync."""

    repositories: tuple[Mapping[str, Any], ...]

    def as_text(self) -> str:
        """Return the list as YAML."""
        from biblicus.guards import yaml

        return yaml.write(plain(self))


def import_list(corpus: CorpusFolder, request: ImportSourcesRequest, call: Call) -> Sources:
    """Add the repositories of a YAML list to the sources; listed ones are unchanged. Raises `ConfigInvalid`."""
    path = Path(request.file)
    if not path.is_file():
        raise SourceNotFound(request.file, "biblicus sources import repositories.yml")
    text = files.read(path, limit=files.SMALL).decode("utf-8", "replace")
    requests = list(_requests(text, request))
    addresses = {state.where for state in sources(corpus, NoRequest(), call).sources}
    return Sources(
        tuple(add(corpus, repository, call) for repository in requests if repository.address not in addresses)
    )


def _requests(text: str, request: ImportSourcesRequest) -> Iterator[AddSourceRequest]:
    listed = read_mapping(text if not text.lstrip().startswith("-") else f"repositories:\n{text}", request.file)
    entries = listed.get("repositories", [])
    for number, entry in enumerate(entries if isinstance(entries, list) else [None], 1):
        row = entry if isinstance(entry, dict) else {}
        fields: dict[str, Any] = {_NAMES.get(str(key), str(key)): value for key, value in row.items()}
        wrong = next((key for key in fields if key not in _FIELDS), None)
        if wrong or not isinstance(fields.get("url"), str):
            problem = f'unknown key "{wrong}"' if wrong else "it needs a url"
            raise ConfigInvalid(request.file, f"repository {number}: {problem}; known: {', '.join(_FIELDS)}.")
        url = fields.pop("url")
        address = url if "://" in url or request.allow_local else _GITHUB + url
        rules = fields.pop("doctypes", ())
        if isinstance(rules, dict):  # a doctype with its globs
            rules = [
                {"path": glob, "doctype": doctype}
                for doctype, globs in rules.items()
                for glob in ([globs] if isinstance(globs, str) else globs)
            ]
        yield AddSourceRequest(address, doctypes=tuple(rules), kind="git", allow_local=request.allow_local, **fields)


def export_list(corpus: CorpusFolder, request: object, call: Call) -> RepositoryList:
    """Return the repositories among the sources."""
    states = [state for state in sources(corpus, NoRequest(), call).sources if state.kind == "git" and state.listed]
    return RepositoryList(tuple(_exported(state) for state in states))


def _exported(state: SourceState) -> Mapping[str, Any]:
    entry = {key: value for key, value in state.entry.items() if key not in ("kind", "ref", "web", "links")}
    branch = state.entry.get("ref") or state.state.get("branch")
    return {**entry, **({"branch": branch} if branch else {})}
