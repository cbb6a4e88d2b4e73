"""Third-party extractors in the corpus's default recipe; they also describe files in the catalog.

The user's own `default_recipe` is not considered: the catalog is the same for everybody who has the plug-ins. Files of
a missing plug-in are described as unsupported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from biblicus import plugins
from biblicus.contracts import Extractor
from biblicus.corpus import recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.models.frozen import dataclass
from biblicus.models.recipe import Choice
from biblicus.text import media


@dataclass(frozen=True)
class Plugged:
    """`options`: of each plug-in, by name. `types`: media type by extension. `holders`: module with `members`, by media
    type. `versions`: name, fingerprint and options of each plug-in."""

    options: Mapping[str, Choice]
    types: Mapping[str, str]
    holders: Mapping[str, str]
    versions: tuple[tuple[str, Any, Choice], ...]

    def media_type(self, path: str, head: bytes) -> str:
        """Return the media type of a file. A plug-in's extension is used if the content is plain text or unknown."""
        detected_type = media.media_type(path, head)
        if not self.types or media.choose(detected_type) not in (None, "text"):
            return detected_type
        return self.types.get(path.rpartition(".")[2].lower(), detected_type)


NONE = Plugged({}, {}, {}, ())


def plugged(corpus: CorpusFolder) -> Plugged:
    """Return the plug-ins of the default recipe."""
    foreign = {
        name: choice
        for name, choice in recipes.reading_options(corpus, corpus.config.default_recipe).items()
        if name not in (*plugins.OURS["extraction"], "ocr", "stt")
    }
    types: dict[str, str] = {}
    holders: dict[str, str] = {}
    versions = []
    for name in sorted(foreign, reverse=True):
        module = plugins.find("extraction", name)
        extractor: Extractor = plugins.make("extraction", name, foreign[name])
        versions.append((name, extractor.fingerprint, foreign[name]))
        extensions = getattr(module, "EXTENSIONS", ())
        added_types = dict(extensions) if isinstance(extensions, Mapping) else {}
        types |= added_types
        if hasattr(module, "members"):
            holders |= dict.fromkeys((*getattr(module, "MEDIA_TYPES", ()), *added_types.values()), module.__name__)
    return Plugged(foreign, types, holders, tuple(versions)) if foreign else NONE


def claims(names: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the plug-in by media type, and by extension. If two claim one, the first by name wins."""
    types: dict[str, str] = {}
    extensions: dict[str, str] = {}
    for name in sorted(names, reverse=True):
        module = plugins.find("extraction", name)
        module_extensions = getattr(module, "EXTENSIONS", ())
        types |= dict.fromkeys(getattr(module, "MEDIA_TYPES", ()), name)
        types |= dict.fromkeys(module_extensions.values() if isinstance(module_extensions, Mapping) else (), name)
        extensions |= dict.fromkeys(module_extensions, name)
    return types, extensions
