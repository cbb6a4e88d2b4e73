"""Packs of a corpus whose items have pages: neighbours end where the page does."""

import shutil
from pathlib import Path

from biblicus import Corpus, PackPolicy

HANDBOOK = Path(__file__).resolve().parents[2] / "examples" / "harbour" / "rules" / "handbook.pdf"


def test_neighbours_end_with_the_page(tmp_path: Path):
    shutil.copy(HANDBOOK, tmp_path)
    recipe = tmp_path / ".biblicus" / "recipes" / "fine.yml"
    text = (
        "name: fine\nbuild:\n  chunking: {default: {by: sentences, sentences: 1, overlap: 0}}\n"
        "  legs: {lexical: {engine: tantivy}}\nquery: {retrieve: {legs: [lexical]}}\n"
    )
    with Corpus.init(tmp_path) as corpus:
        recipe.parent.mkdir(exist_ok=True)
        recipe.write_text(text)
        corpus.reindex("fine")
        pack = corpus.context(
            "winter visiting boat", PackPolicy(max_tokens=20_000, neighbours=20), recipe="fine", limit=5
        )
        assert any(entry.widened for entry in pack.entries)
        for entry in pack.entries:
            page = corpus.get("handbook.pdf", page=entry.page)
            assert page.span_start <= entry.span_start < entry.span_end <= page.span_end
        assert {verdict.status for verdict in corpus.verify(pack)} == {"ok"}


def test_a_pack_of_pages_keeps_their_headings(tmp_path: Path):
    said = "It is hauled by two men who stand at the drum and turn it all day long. " * 12
    page = "".join(f"<h2>Winch {number}</h2><p>{said}</p>" for number in range(6))
    (tmp_path / "winches.html").write_text(f"<h1>Winches</h1>{page}")
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex()
        (entry,) = corpus.context("winch drum", PackPolicy(max_tokens=20_000, neighbours=20), limit=2).entries
    assert [entry.text[head.offset - entry.span_start :].split("\n")[0] for head in entry.heads] == [
        "Winches",
        *(f"Winch {number}" for number in range(6)),
    ]
