"""Fingerprint of everything but file bytes that affects the catalog. If it changes, all files are examined again."""

from __future__ import annotations

from importlib.util import find_spec

from biblicus.corpus.extracted.extractions import Extractions
from biblicus.corpus.extracted.plugged import plugged
from biblicus.corpus.folder import CorpusFolder
from biblicus.extraction.kit.extras import parsers_here
from biblicus.models.digest import digest
from biblicus.sources import ignoring
from biblicus.text import media

VERSION = "52"
"""Increase it when descriptions of the same bytes change; every item is then described anew."""


def basis_of(corpus: CorpusFolder) -> str:
    """Return a digest of rules, limits, parser versions and plug-ins that affect descriptions."""
    rules = [rule.model_dump() for rule in corpus.config.doctypes]
    settings = corpus.settings
    members = [corpus.config.archive_depth, settings.archive_members, settings.archive_bytes, settings.archive_ratio]
    layers = [[layer.model_dump() for layer in corpus.config.layers]] if corpus.config.layers else []
    inline = ["inline tags"] if corpus.config.inline_tags else []
    inline += ["machine-made"] if corpus.config.machine_made else []
    inline += [] if find_spec("pycld2") else ["py3langid"]
    versions = [VERSION, ignoring.VERSION, media.VERSION]
    plugins = [[list(version) for version in fingerprints]] if (fingerprints := plugged(corpus).versions) else []
    return digest([*versions, parsers_here(), rules, settings.max_text_bytes, members, *inline, *layers, *plugins], 16)


def limits_of(extractions: Extractions) -> str:
    """Return a digest of the limits under which a file may fail."""
    return digest(extractions.limits, 16)
