"""Personas on disk: `.biblicus/personas/<id>.yml`, inert data that may come from a stranger.

Nothing in such a file names a model, a module or an address, and nothing in it loosens a limit. A manual corpus is
another folder or a name that only the user's own configuration resolves: `manual_folder` says which folders a file may
point to.
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
"""Bytes of a persona's file."""
MOST = 200
"""Personas of one corpus."""

_PLACE = re.compile(r"corpus://[a-z0-9-]{1,64}")


def ids(corpus: CorpusFolder) -> list[str]:
    """The names of the personas that lie here, whether they validate or not, in order."""
    try:
        stems = sorted(path.stem for path in corpus.personas.iterdir() if path.suffix == ".yml")
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [name for name in stems if re.fullmatch(NAME, name)][:MOST]


def read(corpus: CorpusFolder, name: str) -> Persona:
    """A persona by its id. Raises `PersonaNotFound`, or `PersonaError` where its file is not one."""
    path = corpus.personas / f"{name}.yml"
    known = ids(corpus)
    if name not in known or not os.path.lexists(path):
        raise PersonaNotFound(name, known)
    try:
        corpus.refuse_links()
        text = files.read(path, limit=LIMIT).decode()
    except (OSError, UnicodeDecodeError, UnsafeInput) as error:
        cause = error.message if isinstance(error, UnsafeInput) else "it cannot be read"
        raise PersonaError(name, cause.removesuffix(".")) from error
    return parsed(text, name)


def parsed(text: str, name: str) -> Persona:
    """A persona's file, validated. Raises `PersonaError`."""
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
    """Write a new persona's file, validated first. An existing one is never touched: `UsageError`."""
    parsed(text, name)
    corpus.refuse_links()
    files.make_folder(corpus.personas)
    path = corpus.personas / f"{name}.yml"
    try:
        files.write(path, text.encode(), replace=False)
    except FileExistsError:
        raise UsageError(f'The persona "{name}" exists.', f"edit {FOLDER}/personas/{name}.yml") from None
    return path


def manual_folder(corpus: CorpusFolder, persona: Persona) -> Path | None:
    """The folder of a persona's manual corpus; None where it has none, or one that the user's places name.

    A committed file may point into its own corpus's folder and to what was committed with it: the git work tree that
    holds the corpus. Outside of git, to folders beside the corpus. Never through a link, never by an absolute path:
    a stranger's file must not choose among this user's folders. Raises `PersonaError`.
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
    """Whether a manual corpus is named by the user's places."""
    return _PLACE.fullmatch(said) is not None


def is_within(corpus: CorpusFolder, folder: Path) -> bool:
    """Whether a folder came with the corpus: it lies in the corpus's folder or in the git work tree that holds it."""
    root = Path(os.path.realpath(corpus.root))
    return folder.is_relative_to(_work_tree(root) or root)


def _work_tree(root: Path) -> Path | None:
    """The git work tree that holds a folder. A home that is one as a whole is no one's corpus."""
    home = Path(os.path.realpath(Path.home()))
    work_tree = next((folder for folder in (root, *root.parents) if os.path.lexists(folder / ".git")), None)
    return None if work_tree is None or home.is_relative_to(work_tree) else work_tree
