"""Views of the latest run in PostgreSQL, for people with psql."""

import json
import secrets
from pathlib import Path
from typing import Any

import psycopg
import pytest

from biblicus import Corpus
from tools.postgres import Server

SCHEMA = f"kept_{secrets.token_hex(4)}"


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres: Server) -> Any:
    """Rows of a query in the schema of a corpus `notes`."""
    folder = tmp_path / "notes"
    folder.mkdir()
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": "postgres", "dsn": postgres.dsn}}))
    monkeypatch.setenv("BIBLICUS_CORPORA", json.dumps({str(folder): {"store": "team", "schema": SCHEMA}}))

    def ask(query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(postgres.dsn, autocommit=True, options=f"-c search_path={SCHEMA},public") as connection:
            return connection.execute(query.encode()).fetchall()

    return ask


def test_documents_chunks_tags_and_embeddings_are_those_of_the_latest_run(
    rows: Any, tmp_path: Path, postgres: Server
) -> None:
    folder = tmp_path / "notes"
    (folder / "tides.md").write_text("---\ntags: [sea, moon]\n---\nThe moon pulls the tides.\n")
    (folder / "copy.md").write_text("The lamp burns oil.\n")
    (folder / "lamp.md").write_text("The lamp burns oil.\n")
    with Corpus.init(folder) as corpus:
        corpus.reindex("hybrid-int8")
        assert rows("SELECT path FROM documents ORDER BY path") == [("copy.md",), ("tides.md",)]
        ((unique,),) = rows("SELECT count(*) = count(DISTINCT content_hash) FROM documents")
        assert unique
        assert rows("SELECT tag FROM tags ORDER BY tag") == [("moon",), ("sea",)]
        chunks = "SELECT c.chunk_id, c.text FROM chunks c JOIN documents d USING (document_id) WHERE path = 'tides.md'"
        best = corpus.query("moon", recipe="hybrid-int8").evidence[0]
        assert rows(chunks) == [(best.chunk_id, best.text)]
        join = "SELECT count(*) FROM embeddings JOIN chunks USING (chunk_id)"
        assert rows(join) == [(3,)]

        (folder / "tides.md").unlink()
        (folder / "new.md").write_text("Grey seals rest.\n\nThey rest at low tide.\n")
        corpus.reindex("hybrid-int8")
        assert rows("SELECT path FROM documents ORDER BY path") == [("copy.md",), ("new.md",)]
        assert rows(join) == [(3,)]
        corpus.reindex("lexical")
        assert rows("SELECT count(*) FROM embeddings") == [(0,)]
        assert rows("SELECT count(*) FROM chunks") == [(3,)]

        with psycopg.connect(postgres.dsn, autocommit=True) as connection:
            connection.execute(f"ALTER TABLE {SCHEMA}.latest_chunks DROP COLUMN text CASCADE".encode())
        (folder / "lamp.md").write_text("The lamp burns whale oil.\n")
        corpus.reindex("lexical")
        assert ("The lamp burns whale oil.",) in rows("SELECT text FROM chunks")
