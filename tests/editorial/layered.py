"""A corpus with layers: what is published, what was edited since, and drafts that nobody else may see."""

from pathlib import Path

from biblicus import Corpus
from tests.folders import write

LAYERS = "layers:\n  - {name: raw, path: 'drafts/**'}\n  - {name: published, path: 'published/**', from: raw}\n"
TEXTS = {
    "drafts/tides.md": "# Tides\n\nThe moon pulls the tides twice a day.\n",
    "drafts/secret.md": "# Secret\n\nThe moon will be sold, SECRETWORD.\n",
    "drafts/lamp.md": "# Lamp\n\nThe moon lights no lamp.\n",
}


def layered(folder: Path) -> Path:
    """`tides` is published, and has an edit pending; `lamp` and `secret` are drafts."""
    with Corpus.init(folder) as corpus:
        config = folder / ".biblicus/config.yml"
        config.write_text(config.read_text("utf-8") + LAYERS, "utf-8")
        write(folder, TEXTS)
        corpus.promote("drafts/tides.md", to="published", reviewer="Ana")
        corpus.reindex()
        published = folder / "published/tides.md"
        published.write_text(published.read_text("utf-8") + "\nSECRETWORD is not approved yet.\n", "utf-8")
        corpus.reindex()
    return folder
