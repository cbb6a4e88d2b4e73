"""Persona files: `.biblicus/personas/<id>.yml`, which are data only and may be untrusted.

They cannot name models, modules or URLs or raise limits. A manual corpus is a folder or a name that only the user's own
configuration resolves; `manual_folder` restricts the folders.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from pydantic import ValidationError

from biblicus.config import explain, read_mapping
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files
from biblicus.errors import ConfigInvalid, PersonaError, PersonaNotFound, UnsafeInput, UsageError
from biblicus.models.answers.persona import NAME, Persona

SCHEME = "corpus://"
LIMIT = 64 << 10
"""Maximum bytes of a persona file."""
MOST = 200
"""Maximum personas of a corpus; further files are ignored."""

_PLACE = re.compile(r"corpus://[a-z0-9-]{1,64}")


def ids(corpus: CorpusFolder) -> list[str]:
    """Return the ids of the personas in the corpus in order, including invalid ones."""
    try:
        stems = sorted(path.stem for path in corpus.personas.iterdir() if path.suffix == ".yml")
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [name for name in stems if re.fullmatch(NAME, name)][:MOST]


def read(corpus: CorpusFolder, name: str) -> Persona:
    """Return a persona by its id. Raises `PersonaNotFound`, or `PersonaError` for an invalid file."""
    path = corpus.personas / f"{name}.yml"
    persona_ids = ids(corpus)
    if name not in persona_ids or not os.path.lexists(path):
        raise PersonaNotFound(name, persona_ids)
    try:
        corpus.refuse_links()
        text = files.read(path, limit=LIMIT).decode()
    except (OSError, UnicodeDecodeError, UnsafeInput) as error:
        cause = error.message if isinstance(error, UnsafeInput) else "it cannot be read"
        raise PersonaError(name, cause.removesuffix(".")) from error
    return parsed(text, name)


def parsed(text: str, name: str) -> Persona:
    """Return a validated persona from its file's text. Raises `PersonaError`."""
    where = f"{FOLDER}/personas/{name}.yml"
    try:
        persona = Persona.model_validate(read_mapping(text, where))
    except ConfigInvalid as error:
        raise PersonaError(name, error.message.removeprefix(f"{where}: ").removesuffix(".")) from error
    except ValidationError as error:
        raise PersonaError(name, explain(error, Persona)) from error
    if persona.id != name:
        raise PersonaError(name, f'its id is "{persona.id}", its file says other')
    return persona


def write(corpus: CorpusFolder, name: str, text: str) -> Path:
    """Validate and write a new persona file. Raises `UsageError` if it exists."""
    parsed(text, name)
    corpus.check_writable()
    files.make_folder(corpus.personas)
    path = corpus.personas / f"{name}.yml"
    try:
        files.write(path, text.encode(), replace=False)
    except FileExistsError:
        raise UsageError(f'The persona "{name}" exists.', f"edit {FOLDER}/personas/{name}.yml") from None
    return path


def manual_folder(corpus: CorpusFolder, persona: Persona) -> Path | None:
    """Return the folder of a persona's manual corpus; None if it has none or names one of the user's places.

    A committed file may only point into its corpus or the git work tree around it, or without git to sibling folders;
    never through links or absolute paths, since an untrusted file must not select the user's folders. Raises
    `PersonaError`.
    """
    place = persona.manual_corpus
    if place is None or is_place(place):
        return None
    words = place.split("/")
    if place.startswith(("/", "~")) or "\\" in place or "\0" in place or ":" in words[0]:
        raise PersonaError(
            persona.id,
            f"manual_corpus is a relative path or {SCHEME}NAME, not {place}",
            f"name it under places in your own settings, and write manual_corpus: {SCHEME}NAME",
        )
    root = Path(os.path.realpath(corpus.root))
    folder = Path(os.path.normpath(root / place))
    if not (is_within(corpus, folder) or (_work_tree(root) is None and folder.parent == root.parent)):
        raise PersonaError(
            persona.id,
            f"manual_corpus {place} lies outside of what came with this corpus",
            f"name it under places in your own settings, and write manual_corpus: {SCHEME}NAME",
        )
    if os.path.realpath(folder) != str(folder):
        raise PersonaError(persona.id, f"manual_corpus {place} leads through a symbolic link, which is not followed")
    if folder == root:
        raise PersonaError(persona.id, "manual_corpus is the corpus itself; a manual is a corpus of its own")
    return folder


def is_place(said: str) -> bool:
    """Return True if a manual corpus is a name in the user's places."""
    return _PLACE.fullmatch(said) is not None


def is_within(corpus: CorpusFolder, folder: Path) -> bool:
    """Return True if a folder is inside the corpus or the git work tree that contains it."""
    root = Path(os.path.realpath(corpus.root))
    return folder.is_relative_to(_work_tree(root) or root)


def _work_tree(root: Path) -> Path | None:
    """Return the git work tree that contains a folder, unless it contains the user's home."""
    home = Path(os.path.realpath(Path.home()))
    work_tree = next((folder for folder in (root, *root.parents) if os.path.lexists(folder / ".git")), None)
    return None if work_tree is None or home.is_relative_to(work_tree) else work_tree
