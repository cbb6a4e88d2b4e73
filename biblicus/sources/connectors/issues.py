"""Issues, pull requests and wiki pages of GitHub and GitLab: one item for each thread, as Markdown.

Comments are sections with author and date; labels are tags. A thread that the list lacks is requested by itself: only
the service's answer that it is gone deletes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from pydantic import BaseModel, ConfigDict

from biblicus.contracts import Given
from biblicus.errors import BadData, IngestionError
from biblicus.guards import json, yaml
from biblicus.guards.network.fetch import Reply
from biblicus.guards.network.urls import parse
from biblicus.models.sources.syncing import Document, Listed, Page, State
from biblicus.sources.door import Sync, sync_of
from biblicus.sources.web import GONE, Visitor

Thread = Mapping[str, Any]

_MOST_PAGES = 10_000


class Options(BaseModel):
    """`forge`: of another host than github.com. `api`: base of its interface. `wiki`: also pages of GitLab's wiki."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    forge: Literal["github", "gitlab"] | None = None
    api: str | None = None
    wiki: bool = False


class Forge(NamedTuple):
    """Names in a service's interface. `lists`: path of each kind of thread. `comments`: their paths, by kind."""

    base: str
    project: str
    lists: Mapping[str, str]
    query: Mapping[str, str]
    number: str
    text: str
    author: str
    page: str
    comments: Mapping[str, Sequence[str]]


_FORGES = {
    # https://docs.github.com/en/rest/issues/issues and …/issues/comments: pull requests are issues, too
    "github": Forge(
        base="https://{host}/api/v3",
        project="/repos/{path}",
        lists={"issues": "/issues"},
        query={"state": "all", "sort": "created", "direction": "asc"},
        number="number",
        text="body",
        author="login",
        page="html_url",
        comments={"issues": ("/issues/{}/comments", "/pulls/{}/comments")},
    ),
    # https://docs.gitlab.com/api/issues/, …/api/merge_requests/, …/api/notes/
    "gitlab": Forge(
        base="https://{host}/api/v4",
        project="/projects/{quoted}",
        lists={"issues": "/issues", "merge_requests": "/merge_requests"},
        query={"scope": "all", "state": "all", "order_by": "created_at", "sort": "asc"},
        number="iid",
        text="description",
        author="username",
        page="web_url",
        comments={"issues": ("/issues/{}/notes",), "merge_requests": ("/merge_requests/{}/notes",)},
    ),
}


def build(options: Options, given: Given) -> Issues:
    """Return the threads of a project."""
    sync = sync_of(given)
    parts = urlsplit(sync.url)
    host, path = parts.hostname or "", parts.path.strip("/").removesuffix(".git")
    name = options.forge or ("gitlab" if "gitlab" in host else "github")
    forge = _FORGES[name]
    base = options.api or ("https://api.github.com" if host == "github.com" else forge.base.format(host=host))
    project = forge.project.format(path=quote(path), quoted=quote(path, safe=""))
    return Issues(sync, forge, Api(sync, base + project), options.wiki and name == "gitlab")


@dataclass
class Issues:
    """The threads of a project. `threads`: those of the current page, by id."""

    sync: Sync
    forge: Forge
    api: Api
    wiki: bool
    threads: dict[str, Thread] = field(default_factory=dict)

    def list(self, since: State) -> Iterator[Page]:
        thread_ids: set[str] = set()
        for kind, path in self.forge.lists.items():
            for threads in self.api.pages(path, **self.forge.query):
                self.threads = {f"{kind}/{thread[self.forge.number]}": thread for thread in threads}
                thread_ids |= self.threads.keys()
                yield Page([self._listed(id, thread) for id, thread in self.threads.items()])
        if self.wiki:
            for threads in self.api.pages("/wikis", with_content=1):
                self.threads = {f"wiki/{thread['slug']}": thread for thread in threads}
                thread_ids |= self.threads.keys()
                yield Page([Listed(id, path=f"{id}.md") for id in self.threads])
        if not thread_ids:
            yield Page(complete=True)
            return
        missing = sorted(self.sync.known.rows.keys() - thread_ids)
        yield Page([Listed(id, what="gone") for id in missing if self._is_gone(id)])

    def _listed(self, id: str, thread: Thread) -> Listed:
        return Listed(id, modified=str(thread["updated_at"]), path=f"{id}.md", uri=str(thread[self.forge.page]))

    def _is_gone(self, id: str) -> bool:
        kind, _, name = id.partition("/")
        path = "/wikis" if kind == "wiki" else self.forge.lists.get(kind, f"/{kind}")
        return self.api.get(f"{path}/{quote(name, safe='')}") is None

    def fetch(self, entry: Listed) -> Document:
        thread, (kind, _, number) = self.threads[entry.id], entry.id.partition("/")
        if kind == "wiki":
            uri = f"{self.sync.url.rstrip('/')}/-/wikis/{quote(number)}"
            text = f"# {thread['title']}\n\n{thread.get('content') or ''}\n"
            return Document(entry.path, text.encode(), uri, title=str(thread["title"]))
        paths = self.forge.comments[kind] if thread.get("comments", thread.get("user_notes_count", 1)) else ()
        if "pull_request" not in thread:
            paths = [path for path in paths if not path.startswith("/pulls/")]
        elif not paths:
            paths = self.forge.comments[kind][1:]
        comments = [comment for path in paths for page in self.api.pages(path.format(number)) for comment in page]
        labels = [label["name"] if isinstance(label, Mapping) else label for label in thread.get("labels") or ()]
        head = {"title": thread["title"], "author": self._author(thread), "date": str(thread["created_at"])[:10]}
        is_change = kind == "merge_requests" or "pull_request" in thread
        head |= {"state": str(thread["state"]), "kind": "pull request" if is_change else "issue"}
        lines = [f"---\n{yaml.write(head)}---\n", f"# {thread['title']} (#{number})\n", thread[self.forge.text] or ""]
        for comment in sorted(comments, key=lambda comment: str(comment["created_at"])):
            date = str(comment["created_at"])[:16].replace("T", " ")
            if not comment.get("system"):
                lines.append(f"\n## {self._author(comment)}, {date}\n\n{comment['body'] or ''}")
        data = ("\n".join(lines) + "\n").encode("utf-8", "replace")
        return Document(entry.path, data, entry.uri or "", title=str(thread["title"]), tags=tuple(map(str, labels)))

    def _author(self, entry: Thread) -> str:
        user = entry.get("user") or entry.get("author") or {}
        return str(user.get(self.forge.author) or "somebody")


class Api:
    """Requests below a base address. A busy service is asked again after the time that it states."""

    def __init__(self, sync: Sync, base: str) -> None:
        self.base, self._visitor = base.rstrip("/"), Visitor(sync.reach, sync.call)

    def get(self, path: str, **query: object) -> Any:
        """Return the value at a path; None if it is gone. Raises `IngestionError`."""
        reply = self._reply(f"{path}?{urlencode(query)}" if query else path)
        return None if reply.status in GONE else self._value(reply)

    def pages(self, path: str, **query: object) -> Iterator[list[Mapping[str, Any]]]:
        """Yield the pages of a list, a hundred at a time. Raises `IngestionError`."""
        for page in range(1, _MOST_PAGES):
            reply = self._reply(f"{path}?{urlencode({**query, 'per_page': 100, 'page': page})}")
            entries = self._value(reply)
            if not isinstance(entries, list):
                raise IngestionError(reply.url, "its answer is no list")
            yield entries
            if len(entries) < 100:
                return

    def _reply(self, path: str) -> Reply:
        reply = self._visitor.get(parse(self.base + path), accept="application/json")
        if reply.status == 403 and reply.headers.get("x-ratelimit-remaining") == "0":
            raise IngestionError(reply.url, "its limit of requests is reached", status=429)
        return reply

    def _value(self, reply: Reply) -> Any:
        if reply.status == 401:
            raise IngestionError(reply.url, "its token is missing, wrong or expired", "a new token", status=401)
        if reply.status != 200:
            raise IngestionError(reply.url, f"it answers {reply.status}", status=reply.status)
        try:
            return json.read(reply.body, max_bytes=64 << 20)
        except BadData as error:
            raise IngestionError(reply.url, "its answer is no JSON") from error
