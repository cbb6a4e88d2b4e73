"""Requests to add documents, and to change metadata, weights and sources."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal

from biblicus.errors import UsageError
from biblicus.models.fields import EVERY, ITEM, LOCAL_EXCLUDES, MOMENT, Request, doc, just_one, option, term, terms

OnDuplicate = Literal["skip", "error", "keep"]
Same = Literal["bytes", "text"]
_ALLOW_LOCAL = doc("Allow a path on this machine; remembered for this source.")
_ALLOW_PRIVATE = doc("Allow a host on a private network; remembered for this source.")
STRICT = doc("Treat a failed file as an error.")
_SAME: Any = field(
    default="text",
    metadata=doc("What counts as the same: the normalised text, or the bytes.", choices=("text", "bytes")),
)
NAMESPACE = doc(
    "Where the weight applies: global, or a toolkit's name.", min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]+$"
)
TTL_DAYS = doc("Days until the weight expires.", gt=0, le=36_500)
_TARGET = "An item by id or path, or a pattern of paths: docs/**, *.md."


class ReceiveRequest(Request):
    """One document to ingest: a text, or bytes in base64. With a source it is an upsert: the same source again updates
    its item, and equal content is reported as unchanged."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {
        **Request.__pydantic_config__,
        "json_schema_extra": just_one("text", "content_base64"),
    }

    text: str | None = option(None, "The document's text.")
    content_base64: str | None = option(
        None,
        "The document's bytes in base64 (a PDF, for example).",
        schema={"pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"},
    )
    filename: str | None = option(
        None,
        "A file name with the extension of its format. Default: from the title.",
        min_length=1,
        max_length=200,
        pattern=r"^[^/\\\x00-\x1f]+$",
    )
    title: str | None = option(None, "The item's title.", min_length=1, max_length=300)
    tags: tuple[str, ...] = option((), terms("Tags for the item."))
    source: str | None = option(
        None,
        term(
            "Where the document came from. A URI identifies it for later updates; other text is stored as metadata.",
            min_length=1,
        ),
    )
    created_at: str | None = option(
        None, "When the document was created (ISO 8601); stored as metadata.", pattern=MOMENT
    )
    metadata: Mapping[str, str] = option({}, "Metadata for the item: names to texts.")
    on_duplicate: OnDuplicate = option(
        "skip",
        "If another item has the same content: skip (and name it), error, or keep (if the source differs).",
        choices=("skip", "error", "keep"),
    )
    same: Same = _SAME
    index: bool = option(True, "Index the document before returning, so that it can be found at once.")

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


class WeightRequest(Request):
    """Multiply the scores of an item, or of paths that match a pattern."""

    target: str = field(kw_only=False, metadata=term(_TARGET, min_length=1))
    multiplier: float | None = field(
        kw_only=False,
        metadata=doc("The factor that scores are multiplied by, 0.1 to 10; null removes the weight.", ge=0.1, le=10.0),
    )
    namespace: str = option("global", NAMESPACE)
    ttl_days: float | None = option(None, TTL_DAYS)


class ClearWeightsRequest(Request):
    """Clear the weights of a target, of a namespace, or expired ones; without these, all."""

    target: str | None = field(default=None, kw_only=False, metadata=term(f"{_TARGET} None: all of them."))
    namespace: str | None = option(None, "Only weights of this namespace.")
    expired: bool = option(False, "Only expired weights.")


class IngestRequest(Request):
    """Refresh the catalog from the folder, and ingest files and addresses from outside it."""

    sources: tuple[str, ...] = field(
        default=(),
        kw_only=False,
        metadata=doc("Files, folders or addresses; - reads standard input. Default: refresh the folder."),
    )
    into: str | None = option(None, "The folder of the corpus to copy into.")
    title: str | None = option(None, "The title, if one source is named.")
    tags: tuple[str, ...] = option((), "A tag for the named sources (repeat for more).")
    metadata: Mapping[str, str] = option({}, "Metadata for the named sources.")
    on_duplicate: OnDuplicate = option(
        "skip", "What to do with a document that the corpus already has.", choices=("skip", "error", "keep")
    )
    same: Same = _SAME
    allow_local: bool = option(False, "Allow a repository on this machine: git+PATH.")
    allow_private: bool = option(False, "Allow addresses on a private network.")
    strict: bool = option(False, STRICT)
    ignore_local_excludes: bool = option(False, LOCAL_EXCLUDES)
    text: str | bytes | None = option(None, "The content of a document, as from standard input (-).")
    stdin_name: str | None = option(None, "The file name of that document.")
    stdin_source: str | None = option(None, "The URI that the document came from.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.text is not None and "-" not in self.sources:
            object.__setattr__(self, "sources", (*self.sources, "-"))

    @property
    def data(self) -> bytes:
        """Return the bytes of the text."""
        return self.text.encode() if isinstance(self.text, str) else self.text or b""


class RemoveRequest(Request):
    """Remove imports and delete the copies that Biblicus made."""

    items: tuple[str, ...] = field(kw_only=False, metadata=doc("Items, by id, unambiguous prefix of an id, or path."))
    delete_file: bool = option(False, "Also delete the file if it is your own or was edited.")


class TagRequest(Request):
    """Add and remove tags in the sidecar; the file itself is never written."""

    item: str = field(kw_only=False, metadata=ITEM)
    changes: tuple[str, ...] = field(kw_only=False, metadata=doc("+tag to add, -tag to drop."))


class BibliographyRequest(Request):
    """Add title, authors, date, journal, DOI, arXiv id and citation key to PDFs, from a bibliography."""

    file: str = field(kw_only=False, metadata=doc("A BibTeX or CSL-JSON file."))
    overwrite: bool = option(False, "Replace titles and metadata that sidecars already have.")
    dry_run: bool = option(False, "Show what would be written, without writing it.")
    strict: bool = option(False, STRICT)


class AddSourceRequest(Request):
    """Add a source to .biblicus/sources.yml. Nothing is fetched until it is synced."""

    address: str = field(
        kw_only=False, metadata=doc("https://…, git+https://…@REF, share:NAME/PATH, or a path with --allow-local.")
    )
    name: str | None = option(None, "A name for the source.")
    kind: str | None = option(
        None, "git, url, site, feed, folder, share or another connector; default: by the address."
    )
    ref: str | None = option(None, "A branch, tag or commit (default: its default branch).")
    toolkit: str | None = option(None, "The toolkit that its items are about.")
    category: str | None = option(None, "The category of the source.")
    tags: tuple[str, ...] = option((), "A tag for its items (repeat for more).")
    include: tuple[str, ...] = option((), "Only paths that match one of these globs.")
    exclude: tuple[str, ...] = option((), "No paths that match one of these globs.")
    doctypes: tuple[Mapping[str, str], ...] = option(
        (), "The doctype of paths that match a glob; the first match applies."
    )
    web: str | None = option(None, "The address for reading the repository in a browser, if it is another one.")
    links: str | None = option(None, "The kind of that site: github, gitlab, gitea, bitbucket, cgit or plain.")
    prefix: str | None = option(None, "The section of the site to follow.")
    depth: int | None = option(None, "Maximum distance from the first page, in links.")
    max_pages: int | None = option(None, "Maximum number of pages.")
    max_entries: int | None = option(None, "Maximum number of entries of a feed.")
    account: str | None = option(None, "A credential, by its name under `accounts` in your own settings.")
    options: Mapping[str, str] = option({}, "Options of the connector.")
    every: str | None = option(None, "How often `watch` and `serve` sync it: 30m, 1h, 7d.", pattern=EVERY)
    allow_local: bool = option(False, _ALLOW_LOCAL)
    allow_private: bool = option(False, _ALLOW_PRIVATE)


class ImportSourcesRequest(Request):
    """Add the repositories of a YAML list to the sources. Nothing is fetched until they are synced."""

    file: str = field(
        kw_only=False,
        metadata=doc("repositories: a list of url (or owner/name), toolkit, branch, include, exclude, doctypes."),
    )
    allow_local: bool = option(False, _ALLOW_LOCAL)


class RemoveSourceRequest(Request):
    """Remove a source from the list and delete the copies of its documents. Edited copies stay."""

    name: str = field(kw_only=False, metadata=doc("A source, by its name in the list."))
    keep_documents: bool = option(False, "Keep the copies of its documents in the corpus.")


class SyncRequest(Request):
    """Sync sources: add new documents, and update, rename or delete known ones."""

    names: tuple[str, ...] = field(default=(), kw_only=False, metadata=doc("Sources, by name. Default: all of them."))
    dry_run: bool = option(False, "Show what would be done, without doing it.")
    delete: bool = option(True, "Delete documents that their source no longer has.")
    retry_failed: bool = option(False, "Fetch only documents that failed in the last sync.")
    allow_local: bool = option(False, _ALLOW_LOCAL)
    allow_private: bool = option(False, _ALLOW_PRIVATE)
    strict: bool = option(False, STRICT)
