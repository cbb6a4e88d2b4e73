"""Requests to add documents, and to change metadata, weights and sources."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from biblicus.errors import UsageError
from biblicus.models.fields import EVERY, LOCAL_EXCLUDES, MOMENT, Request, doc, just_one, term, terms

OnDuplicate = Literal["skip", "error", "keep"]
Same = Literal["bytes", "text"]
_ITEM = "An item by id, unambiguous id prefix, or path."
_ALLOW_LOCAL = doc("It may be a path of this machine; remembered.")
_ALLOW_PRIVATE = doc("Its host may be on a private network; remembered.")
STRICT = doc("A file that fails is an error, not only a line of the report.")
_SAME: Any = field(
    default="text",
    metadata=doc("What counts as the same: the normalised text, or the bytes.", choices=("text", "bytes")),
)
NAMESPACE = doc(
    "global, or the toolkit whose questions it counts for.", min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]+$"
)
TTL_DAYS = doc("It expires after so many days.", gt=0, le=36_500)
_TARGET = "An item by id or path, or a pattern of paths: docs/**, *.md."


@dataclass(frozen=True, kw_only=True)
class ReceiveRequest(Request):
    """One document to ingest: a text, or bytes in base64. With a source it is an upsert: the same source again updates
    its item, and equal content is reported as unchanged."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {
        **Request.__pydantic_config__,
        "json_schema_extra": just_one("text", "content_base64"),
    }

    text: str | None = field(default=None, metadata=doc("The document's text."))
    content_base64: str | None = field(
        default=None,
        metadata=doc(
            "The document's bytes in base64 (a PDF, for example).",
            schema={"pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"},
        ),
    )
    filename: str | None = field(
        default=None,
        metadata=doc(
            "A file name; its extension tells the format. Default: from the title.",
            min_length=1,
            max_length=200,
            pattern=r"^[^/\\\x00-\x1f]+$",
        ),
    )
    title: str | None = field(default=None, metadata=doc("The item's title.", min_length=1, max_length=300))
    tags: tuple[str, ...] = field(default=(), metadata=terms("Tags for the item."))
    source: str | None = field(
        default=None,
        metadata=term(
            "Where the document came from. A URI makes it the same document again; another word is kept as metadata.",
            min_length=1,
        ),
    )
    created_at: str | None = field(
        default=None,
        metadata=doc("When the document was made, ISO 8601; kept as metadata.", pattern=MOMENT),
    )
    metadata: Mapping[str, str] = field(default_factory=dict, metadata=doc("Metadata for the item: names to texts."))
    on_duplicate: OnDuplicate = field(
        default="skip",
        metadata=doc(
            "What to do with a document that another item holds: skip says which, error refuses, keep adds it all the "
            "same where its source is another.",
            choices=("skip", "error", "keep"),
        ),
    )
    same: Same = _SAME
    index: bool = field(
        default=True, metadata=doc("Index at once, so that the document can be found when this returns.")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.text is None) == (self.content_base64 is None):
            raise UsageError("Give one of text and content_base64.")

    @property
    def data(self) -> bytes:
        """Return the document's bytes. Raises `UsageError` for invalid base64."""
        if self.text is not None:
            return self.text.encode("utf-8", "surrogatepass")
        try:
            return base64.b64decode(self.content_base64 or "", validate=True)
        except (binascii.Error, ValueError) as error:
            raise UsageError("content_base64 is not base64.") from error


@dataclass(frozen=True, kw_only=True)
class WeightRequest(Request):
    """Multiply the scores of an item, or of paths that match a pattern."""

    target: str = field(
        kw_only=False,
        metadata=term(_TARGET, min_length=1),
    )
    multiplier: float | None = field(
        kw_only=False,
        metadata=doc("What scores are multiplied by, 0.1 to 10; null clears the weight.", ge=0.1, le=10.0),
    )
    namespace: str = field(default="global", metadata=NAMESPACE)
    ttl_days: float | None = field(default=None, metadata=TTL_DAYS)


@dataclass(frozen=True, kw_only=True)
class ClearWeightsRequest(Request):
    """Clear the weights of a target, of a namespace, or expired ones; without these, all."""

    target: str | None = field(default=None, kw_only=False, metadata=term(f"{_TARGET} None: all of them."))
    namespace: str | None = field(default=None, metadata=doc("Only of this namespace."))
    expired: bool = field(default=False, metadata=doc("Only what has expired."))


@dataclass(frozen=True, kw_only=True)
class IngestRequest(Request):
    """Refresh the catalog from the folder, and ingest files and addresses from outside it."""

    sources: tuple[str, ...] = field(
        default=(),
        kw_only=False,
        metadata=doc("Files, folders or addresses; - reads standard input. None: refresh the folder."),
    )
    into: str | None = field(default=None, metadata=doc("Copy below this folder."))
    title: str | None = field(default=None, metadata=doc("The title of the one source."))
    tags: tuple[str, ...] = field(default=(), metadata=doc("A tag for what is named (repeat for more)."))
    metadata: Mapping[str, str] = field(default_factory=dict, metadata=doc("Metadata for what is named."))
    on_duplicate: OnDuplicate = field(
        default="skip",
        metadata=doc("What the same document again comes to.", choices=("skip", "error", "keep")),
    )
    same: Same = _SAME
    allow_local: bool = field(default=False, metadata=doc("git+PATH: a repository of this machine."))
    allow_private: bool = field(default=False, metadata=doc("An address's host may be on a private network."))
    strict: bool = field(default=False, metadata=STRICT)
    ignore_local_excludes: bool = field(default=False, metadata=LOCAL_EXCLUDES)
    text: str | bytes | None = field(
        default=None, metadata=doc("A document of its own, as standard input (-) would bring it.")
    )
    stdin_name: str | None = field(default=None, metadata=doc("The file name of that document."))
    stdin_source: str | None = field(default=None, metadata=doc("Where that document came from, as a URI."))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.text is not None and "-" not in self.sources:
            object.__setattr__(self, "sources", (*self.sources, "-"))

    @property
    def data(self) -> bytes:
        """Return the bytes of the text."""
        return self.text.encode() if isinstance(self.text, str) else self.text or b""


@dataclass(frozen=True, kw_only=True)
class RemoveRequest(Request):
    """Remove imports and delete the copies that Biblicus made."""

    items: tuple[str, ...] = field(kw_only=False, metadata=doc("Items by id, unambiguous id prefix, or path."))
    delete_file: bool = field(default=False, metadata=doc("Delete the file even if it is your own or was edited."))


@dataclass(frozen=True, kw_only=True)
class TagRequest(Request):
    """Add and remove tags in the sidecar; the file itself is never written."""

    item: str = field(kw_only=False, metadata=doc(_ITEM))
    changes: tuple[str, ...] = field(kw_only=False, metadata=doc("+tag to add, -tag to drop."))


@dataclass(frozen=True, kw_only=True)
class BibliographyRequest(Request):
    """Add title, authors, date, journal, DOI, arXiv id and citation key to PDFs, from a bibliography."""

    file: str = field(kw_only=False, metadata=doc("A BibTeX or CSL-JSON file."))
    overwrite: bool = field(default=False, metadata=doc("Replace titles and metadata that sidecars hold already."))
    dry_run: bool = field(default=False, metadata=doc("Tell what would be written, and change nothing."))
    strict: bool = field(default=False, metadata=STRICT)


@dataclass(frozen=True, kw_only=True)
class AddSourceRequest(Request):
    """Add a source to .biblicus/sources.yml. Nothing is fetched until it is synced."""

    address: str = field(
        kw_only=False, metadata=doc("https://…, git+https://…@REF, share:NAME/PATH, or a path with --allow-local.")
    )
    name: str | None = field(default=None, metadata=doc("How it is called here."))
    kind: str | None = field(
        default=None, metadata=doc("git, url, site, feed, folder, share or another connector; default: by the address.")
    )
    ref: str | None = field(default=None, metadata=doc("A branch, tag or commit (default: its default branch)."))
    toolkit: str | None = field(default=None, metadata=doc("What its items are about."))
    category: str | None = field(default=None, metadata=doc("What kind of source it is."))
    tags: tuple[str, ...] = field(default=(), metadata=doc("A tag for its items (repeat for more)."))
    include: tuple[str, ...] = field(default=(), metadata=doc("Only paths that fit (any)."))
    exclude: tuple[str, ...] = field(default=(), metadata=doc("No paths that fit (any)."))
    doctypes: tuple[Mapping[str, str], ...] = field(
        default=(), metadata=doc("Paths that fit have this doctype (the first).")
    )
    web: str | None = field(default=None, metadata=doc("Where a repository is looked at, if elsewhere."))
    links: str | None = field(default=None, metadata=doc("How: github, gitlab, gitea, bitbucket, cgit or plain."))
    prefix: str | None = field(default=None, metadata=doc("The section of a site."))
    depth: int | None = field(default=None, metadata=doc("Links away from a site's page."))
    max_pages: int | None = field(default=None, metadata=doc("Pages of a site."))
    max_entries: int | None = field(default=None, metadata=doc("Entries of a feed."))
    account: str | None = field(
        default=None, metadata=doc("A credential by its name in `accounts` of your own settings.")
    )
    options: Mapping[str, str] = field(default_factory=dict, metadata=doc("Options of another connector."))
    every: str | None = field(
        default=None, metadata=doc("How often who follows the folder syncs it: 30m, 1h, 7d.", pattern=EVERY)
    )
    allow_local: bool = field(default=False, metadata=_ALLOW_LOCAL)
    allow_private: bool = field(default=False, metadata=_ALLOW_PRIVATE)


@dataclass(frozen=True, kw_only=True)
class ImportSourcesRequest(Request):
    """Add the repositories of a YAML list to the sources. Nothing is fetched until they are synced."""

    file: str = field(
        kw_only=False,
        metadata=doc("repositories: a list of url (or owner/name), toolkit, branch, include, exclude, doctypes."),
    )
    allow_local: bool = field(default=False, metadata=_ALLOW_LOCAL)


@dataclass(frozen=True, kw_only=True)
class RemoveSourceRequest(Request):
    """Remove a source from the list and delete the copies of its documents. Edited copies stay."""

    name: str = field(kw_only=False, metadata=doc("A source, by the name that the list gives it."))
    keep_documents: bool = field(default=False, metadata=doc("Leave the copies of its documents in the corpus."))


@dataclass(frozen=True, kw_only=True)
class SyncRequest(Request):
    """Sync sources: add new documents, and update, rename or delete known ones."""

    names: tuple[str, ...] = field(default=(), kw_only=False, metadata=doc("Sources by name; none: all of them."))
    dry_run: bool = field(default=False, metadata=doc("Tell what would be done, and change nothing."))
    delete: bool = field(default=True, metadata=doc("Delete documents that their source has no more."))
    retry_failed: bool = field(default=False, metadata=doc("Fetch only documents that failed in the last sync."))
    allow_local: bool = field(default=False, metadata=_ALLOW_LOCAL)
    allow_private: bool = field(default=False, metadata=_ALLOW_PRIVATE)
    strict: bool = field(default=False, metadata=STRICT)
