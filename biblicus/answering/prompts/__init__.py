"""Prompts: templates as files beside this one, each of which a user may replace by a file of the same name.

A template is a header (`version`, `needs`), then the sections `## system` and `## user`. `$name` stands for a value,
`$$` for a dollar sign. Values are put in once and never read as templates themselves. A user's own file lies in
`prompts/` of their configuration folder, never in a corpus; it has to hold what the shipped one `needs`.
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
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_FORM = re.compile(
    r"version: (?P<version>[\w.-]{1,20})\n(?:needs: (?P<needs>[\w, ]*)\n)?\s*"
    r"## system\n(?P<system>.*?)\n## user\n(?P<user>.*)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Prompt:
    """A template. `needs`: placeholders that must stand in it. `own`: it is the user's, not the shipped one."""

    name: str
    version: str
    needs: frozenset[str]
    system: str
    user: str
    own: bool = False

    @cached_property
    def mark(self) -> str:
        """Names the prompt in answers: name, version, and 12 hex digits of a digest of its words."""
        return f"{self.name}/{self.version}:{digest([self.system, self.user], 12)}"

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """Names that stand in it. Raises `ValueError` for a `$` that is none."""
        templates = Template(self.system), Template(self.user)
        if not all(template.is_valid() for template in templates):
            raise ValueError("a $ stands before no name; write $$ for a dollar sign")
        return frozenset(name for template in templates for name in template.get_identifiers())

    def fill(self, **values: object) -> tuple[str, str]:
        """System and user prompt. Every placeholder gets its value."""
        texts = {name: str(value) for name, value in values.items()}
        return Template(self.system).substitute(texts).strip(), Template(self.user).substitute(texts).strip()


class PromptManager:
    """The prompts of this user: their own where they have one, else the shipped ones. Read when first asked for."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = user_folder("config") / "prompts" if folder is None else folder
        self._known: dict[str, Prompt] = {}

    def get(self, name: str) -> Prompt:
        """The prompt of a shipped name. Raises `ConfigInvalid` where the user's own is no prompt."""
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
            known = ", ".join(f"${name}" for name in sorted(theirs.placeholders))
            raise ConfigInvalid(str(path), f"nothing is known for ${unknown[0]}; known: {known}.", hint)
        if missing:
            raise ConfigInvalid(str(path), f"${missing[0]} does not stand in it.", hint)
        return mine


def shipped(name: str) -> Prompt:
    """A prompt of ours. An unknown name is a `KeyError`: names are not a user's."""
    if not _NAME.fullmatch(name) or name not in names():
        raise KeyError(name)
    return parse(name, (resources.files(__name__) / f"{name}.md").read_text(encoding="utf-8"))


def names() -> list[str]:
    """Every shipped prompt."""
    files = (entry.name for entry in resources.files(__name__).iterdir())
    return sorted(name.removesuffix(".md") for name in files if name.endswith(".md"))


def parse(name: str, text: str, *, needs: frozenset[str] = frozenset(), own: bool = False) -> Prompt:
    """A template's text as a prompt. Raises `ValueError`."""
    parts = _FORM.fullmatch(text.replace("\r\n", "\n"))
    if parts is None:
        raise ValueError("expected `version: …`, then the sections `## system` and `## user`")
    declared = {word for word in re.split(r"[, ]+", parts["needs"] or "") if word}
    prompt = Prompt(name, parts["version"], needs | declared, parts["system"], parts["user"], own)
    if not prompt.needs <= prompt.placeholders and not own:
        raise ValueError(f"{sorted(prompt.needs - prompt.placeholders)} do not stand in it")
    return prompt


def section(title: str, text: str) -> str:
    """A part of a prompt that may be missing: empty for an empty text, else set off by its title."""
    return f"\n\n{title}\n{text.strip()}" if text.strip() else ""
