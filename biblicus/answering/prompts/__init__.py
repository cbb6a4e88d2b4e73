"""Prompt templates: files in this folder, each of which a user may override by a file of the same name.

A template has a header (`version`, `needs`) and the sections `## system` and `## user`. `$name` is a placeholder, `$$`
a dollar sign. Inserted values are never parsed as templates. Overrides are in `prompts/` of the user's configuration
folder, never in a corpus, and must contain the placeholders that the original `needs`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from string import Template

from biblicus.config import user_folder
from biblicus.errors import ConfigInvalid
from biblicus.models.digest import digest

_LARGEST = 1 << 16
_FORM = re.compile(
    r"version: (?P<version>[\w.-]{1,20})\n(?:needs: (?P<needs>[\w, ]*)\n)?\s*"
    r"## system\n(?P<system>.*?)\n## user\n(?P<user>.*)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Prompt:
    """A template. `needs`: required placeholders. `own`: True for a user's override."""

    name: str
    version: str
    needs: frozenset[str]
    system: str
    user: str
    own: bool = False

    @cached_property
    def mark(self) -> str:
        """Identifies the prompt in answers: name, version and 12 hexadecimal digits of its hash."""
        return f"{self.name}/{self.version}:{digest([self.system, self.user], 12)}"

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """Names of its placeholders. Raises `ValueError` for an invalid `$`."""
        templates = Template(self.system), Template(self.user)
        if not all(template.is_valid() for template in templates):
            raise ValueError("a $ stands before no name; write $$ for a dollar sign")
        return frozenset(name for template in templates for name in template.get_identifiers())

    def fill(self, **values: object) -> tuple[str, str]:
        """Return the system and user prompt with all placeholders replaced."""
        texts = {name: str(value) for name, value in values.items()}
        return Template(self.system).substitute(texts).strip(), Template(self.user).substitute(texts).strip()


class PromptManager:
    """The user's prompts: overrides or the built-in ones, loaded on first use."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = user_folder("config") / "prompts" if folder is None else folder
        self._known: dict[str, Prompt] = {}

    def get(self, name: str) -> Prompt:
        """Return the prompt for a built-in name. Raises `ConfigInvalid` for an invalid override."""
        if name not in self._known:
            self._known[name] = self._own(shipped(name)) or shipped(name)
        return self._known[name]

    def _own(self, theirs: Prompt) -> Prompt | None:
        path = self._folder / f"{theirs.name}.md"
        if not path.is_file():
            return None
        hint = f"edit or remove {path}"
        try:
            if path.stat().st_size > _LARGEST:
                raise ValueError(f"larger than {_LARGEST:,} bytes")
            mine = parse(theirs.name, path.read_text(encoding="utf-8"), needs=theirs.needs, own=True)
            unknown = sorted(mine.placeholders - theirs.placeholders)
            missing = sorted(mine.needs - mine.placeholders)
        except (OSError, ValueError) as error:
            raise ConfigInvalid(str(path), f"{error}.", hint) from error
        if unknown:
            placeholders = ", ".join(f"${name}" for name in sorted(theirs.placeholders))
            raise ConfigInvalid(str(path), f"nothing is known for ${unknown[0]}; known: {placeholders}.", hint)
        if missing:
            raise ConfigInvalid(str(path), f"${missing[0]} does not stand in it.", hint)
        return mine


def shipped(name: str) -> Prompt:
    """Return a built-in prompt. Raises `KeyError` for an unknown name."""
    if name not in names():
        raise KeyError(name)
    return parse(name, (resources.files(__name__) / f"{name}.md").read_text(encoding="utf-8"))


def names() -> list[str]:
    """Return the names of all built-in prompts."""
    files = (entry.name for entry in resources.files(__name__).iterdir())
    return sorted(name.removesuffix(".md") for name in files if name.endswith(".md"))


def parse(name: str, text: str, *, needs: frozenset[str] = frozenset(), own: bool = False) -> Prompt:
    """Parse a template's text. Raises `ValueError`."""
    parts = _FORM.fullmatch(text.replace("\r\n", "\n"))
    if parts is None:
        raise ValueError("expected `version: …`, then the sections `## system` and `## user`")
    declared = {word for word in re.split(r"[, ]+", parts["needs"] or "") if word}
    prompt = Prompt(name, parts["version"], needs | declared, parts["system"], parts["user"], own)
    if not prompt.needs <= prompt.placeholders and not own:
        raise ValueError(f"{sorted(prompt.needs - prompt.placeholders)} do not stand in it")
    return prompt


def section(title: str, text: str) -> str:
    """Return an optional part of a prompt with its title, or an empty string for an empty text."""
    return f"\n\n{title}\n{text.strip()}" if text.strip() else ""
