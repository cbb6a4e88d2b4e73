"""The Python API: `Corpus.open(path)`, `.ingest()`, `.reindex()`, `.query()`, and every other verb by its name."""

from biblicus.connectors.python.corpus import Corpus as Corpus
