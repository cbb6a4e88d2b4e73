"""A reader who brings documents in is answered as by a corpus without the hidden items, and changes none of these."""

import os
import re
from pathlib import Path
from typing import Any

from biblicus.contracts import Call
from biblicus.errors import BiblicusError
from biblicus.models.plain import plain
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.models.requests.items import ListRequest
from biblicus.models.sources.readers import ANYBODY, Reader
from biblicus.service.askers.here import Here, here
from biblicus.service.verbs import LIST, RECEIVE
from tests.readers.corpora import Made, bare

COUNT = int(os.environ.get("READERS_ON_SURFACES", "4"))
"""Documents of each kind at most; `make test-readers` sends all."""
BRINGER = Reader("person3", ("lab",))
_OWN_FOLDER = re.compile(r"(?<=^imports/)[0-9a-f]{12}")
"""Folder of a document that a reader brings in; random."""


def bring(asker: Here, reader: Reader, **words: Any) -> Any:
    """Return the reply, without what is random in the names of new items, or the error."""
    try:
        reply = plain(asker.ask(RECEIVE, ReceiveRequest(**words), Call(reader=reader)))
    except BiblicusError as error:
        return error.as_object()
    if reply["path"].startswith("imports/"):
        reply = {**reply, "path": _OWN_FOLDER.sub("", reply["path"]), "item_id": "", "chunk_ids": []}
    return {**reply, "ms": 0}


def test_documents_are_received_as_without_the_hidden_items(tmp_path: Path) -> None:
    made = Made(tmp_path, seed=3, files=36 if COUNT > 4 else 18)
    asker = here(made.folder)
    secret = "The tide gauge of the inner harbour is broken.\n"
    for number in range(10, 18):
        bring(asker, Reader(f"person{number}"), text=secret, source="urn:gauge", filename="gauge.md", index=False)
    hidden = made.hidden(BRINGER)
    kept = {path: (made.folder / path).read_bytes() for path in hidden if "!" not in path}
    reference = here(made.without(tmp_path / "without", hidden))
    items = asker.ask(LIST, ListRequest(limit=1000), Call()).items
    texts = [data.decode() for path, data in kept.items() if path.endswith(".md")][:COUNT]
    texts += [(made.folder / item.path).read_text() for item in items if item.path.startswith("open/")][:COUNT]
    texts += [f"---\nid: {item.item_id}\n---\nOne more of {item.item_id}." for item in items if item.path in kept][
        :COUNT
    ]
    documents: list[dict[str, Any]] = [{"text": text} for text in texts]
    documents += [
        {"text": secret, **names}
        for names in ({"source": "urn:gauge"}, {"source": "urn:gauge"}, {"filename": "gauge.md"})
    ]
    documents += [{"text": secret.upper(), "source": "urn:gauge", "on_duplicate": "error"}] * 2
    for number, words in enumerate(documents):
        reader = (BRINGER, ANYBODY)[number % 7 == 6]
        got, expected = bring(asker, reader, **words, index=False), bring(reference, reader, **words, index=False)
        assert bare(got) == bare(expected), words
        assert not {"run_id", "event_id"} & got.keys()
    assert {path: (made.folder / path).read_bytes() for path in kept} == kept
    shown, expected = (_shown(asker), _shown(reference))
    assert shown == expected
    assert len(shown) > len(items) // 2
    asker.close()
    reference.close()


def _shown(asker: Here) -> list[Any]:
    page = plain(asker.ask(LIST, ListRequest(limit=1000), Call(reader=BRINGER)))
    return sorted((item["sha256"], item["title"], item["path"][:8]) for item in page["items"])
