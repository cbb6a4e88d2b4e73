"""What Biblicus's indexing is compared with: tantivy alone, over the same chunks, from memory.

`python -m benchmarks.raw RUN_FOLDER INDEX_FOLDER`, a process of its own, prints the seconds of adding every chunk's
text and committing with merges awaited. Not in the clock: starting Python, reading the chunks, creating the index.
Tantivy gets a thread per core, 128 MB, its own English analyzer (`en_stem`: words, lower case, stems) and one stored
text field with positions. It hashes, walks, extracts, cuts, filters and seals nothing.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from tantivy import Document, Index, SchemaBuilder

from biblicus.stores.tables import TableReader

_HEAP = 128_000_000  # bytes, over all threads
_MOST_THREADS = 8  # of a tantivy writer


def main(run: Path, target: Path) -> None:
    """Print the seconds."""
    texts = [chunk.text for chunk in TableReader(run).all_chunks()]
    target.mkdir()
    builder = SchemaBuilder()
    builder.add_text_field("text", stored=True, tokenizer_name="en_stem", index_option="position")
    index = Index(builder.build(), str(target))
    began = time.perf_counter()
    writer = index.writer(_HEAP, min(_MOST_THREADS, len(os.sched_getaffinity(0))))
    for text in texts:
        document = Document()
        document.add_text("text", text)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    print(time.perf_counter() - began)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
