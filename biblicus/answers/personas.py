"""Persona commands (list, show, new, check), and queries to a persona's manual."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biblicus import guards, search
from biblicus.answers import persona_files as personas
from biblicus.answers.conversations import Ask
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus.editorial.approvals import layer_named
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.errors import (
    BadData,
    BiblicusError,
    NotFound,
    PersonaError,
    PersonaNotFound,
    Refused,
    UsageError,
)
from biblicus.models.answers.persona import Persona
from biblicus.models.evidence import Result
from biblicus.models.fields import NoRequest
from biblicus.models.requests.answer import CheckPersonasRequest, NewPersonaRequest, PersonaRequest
from biblicus.models.requests.query import QueryRequest


@dataclass(frozen=True, slots=True)
class PersonaEntry:
    """A persona in the corpus: `persona`, or `problem` if its file is invalid."""

    id: str
    persona: Persona | None
    problem: str | None = None

    def as_object(self) -> dict[str, Any]:
        """Return the JSON object for `personas list`."""
        listed_fields = ("name", "description", "manual_corpus", "recipe", "digest")
        fields = (
            {key: getattr(self.persona, key) for key in listed_fields} if self.persona else dict.fromkeys(listed_fields)
        )
        return {"id": self.id, **fields, "problem": self.problem}


@dataclass(frozen=True, slots=True)
class PersonaCheck:
    """Result of a check. `problems`: why it cannot answer, each with the next command; `notes`: further information."""

    id: str
    ok: bool
    problems: tuple[dict[str, str], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewPersona:
    """A new persona file. `path`: relative to the corpus."""

    id: str
    path: str


@dataclass(frozen=True, slots=True)
class Personas:
    personas: tuple[PersonaEntry, ...]


@dataclass(frozen=True, slots=True)
class PersonaChecks:
    """Results of checking personas. `ok`: True if all can answer."""

    ok: bool
    personas: tuple[PersonaCheck, ...]


def list_personas(corpus: CorpusFolder, request: NoRequest, call: Call) -> Personas:
    """Return all personas of the corpus by id; invalid ones with the problem."""
    return Personas(tuple(persona_entry(corpus, name) for name in personas.ids(corpus)))


def persona_entry(corpus: CorpusFolder, name: str) -> PersonaEntry:
    """Return a persona's list entry."""
    try:
        return PersonaEntry(name, personas.read(corpus, name))
    except BiblicusError as error:
        return PersonaEntry(name, None, _reason(error))


def show(corpus: CorpusFolder, request: PersonaRequest, call: Call) -> Persona:
    """Return one validated persona. Raises `PersonaNotFound`, `PersonaError`."""
    return personas.read(corpus, request.name)


def new(corpus: CorpusFolder, request: NewPersonaRequest, call: Call) -> NewPersona:
    """Write a commented persona file to be edited; an existing one is not changed."""
    name = request.name
    title = request.title or name.replace("-", " ").replace("_", " ").title()
    try:
        path = personas.write(corpus, name, template(name, title))
    except PersonaError as error:
        raise UsageError(f'"{name}" is no persona: {error.cause}.', "biblicus personas new keeper") from error
    return NewPersona(name, corpus.shown(path))


def check_all(corpus: CorpusFolder, request: CheckPersonasRequest, call: Call) -> PersonaChecks:
    """Check one persona or all in the corpus."""
    names = [request.name] if request.name is not None else personas.ids(corpus)
    checks = tuple(check(corpus, name, call) for name in names)
    return PersonaChecks(all(outcome.ok for outcome in checks), checks)


def check(corpus: CorpusFolder, name: str, call: Call) -> PersonaCheck:
    """Check if a persona can answer: its file, recipe, manual corpus and that corpus's index."""
    try:
        persona = personas.read(corpus, name)
    except PersonaNotFound:
        raise
    except BiblicusError as error:
        return PersonaCheck(name, False, (_problem(name, error),))
    problems = []
    notes = []
    if persona.layer is not None:
        try:
            layer_named(corpus, persona.layer)
        except BiblicusError as error:
            problems.append(_problem(name, error))
    if persona.recipe is not None:
        try:
            recipes.find(corpus, persona.recipe)
            header = catalogs.read_header(corpus)
            if header is None or persona.recipe not in header.latest:
                notes.append(f"The recipe {persona.recipe} has no run yet: biblicus reindex --recipe {persona.recipe}")
        except BiblicusError as error:
            problems.append(_problem(name, error))
    try:
        if (manual := manual_of(corpus, persona)) is not None:
            manual(QueryRequest(persona.name, limit=1), call)
            notes += _shared(corpus, persona)
    except BiblicusError as error:
        problems.append(_problem(name, error))
    if idle := without_model(persona):
        notes.append(f"Without a language model these change nothing: {', '.join(idle)}.")
    return PersonaCheck(name, not problems, tuple(problems), tuple(notes))


def _shared(corpus: CorpusFolder, persona: Persona) -> list[str]:
    """Return a note if the manual's items are also items of this corpus, so that answers would cite the manual."""
    folder = personas.manual_folder(corpus, persona)
    root = Path(os.path.realpath(corpus.root))
    catalog = catalogs.read(corpus)
    if folder is None or catalog is None or not folder.is_relative_to(root):
        return []
    prefix = f"{folder.relative_to(root).as_posix()}/"
    if not any(path.startswith(prefix) for path in catalog.items):
        return []
    return [f"The manual's items are items of this corpus too: add {prefix} to .biblicusignore, then biblicus reindex."]


def without_model(persona: Persona) -> tuple[str, ...]:
    """Return the persona's keys that have no effect without a language model."""
    values = {
        "style": persona.style,
        "system": persona.system,
        "limits.requests": persona.limits.requests,
        "limits.output_tokens": persona.limits.output_tokens,
    }
    return tuple(name for name, value in values.items() if value)


def _problem(name: str, error: BiblicusError) -> dict[str, str]:
    remedy = error.remedy if isinstance(error, PersonaError) else error.hint
    return {"reason": _reason(error), "hint": remedy or f"edit {FOLDER}/personas/{name}.yml"}


def _reason(error: BiblicusError) -> str:
    return error.cause if isinstance(error, PersonaError) else error.message


def manual_of(corpus: CorpusFolder, persona: Persona, *, guest: bool = False) -> Ask | None:
    """Return the query function for a persona's manual corpus, or None without one.

    `guest`: True for a remote caller, who may only read what came with the corpus. Raises `PersonaError` if the manual
    is missing, not indexed or not permitted.
    """
    place = persona.manual_corpus
    if place is None:
        return None
    folder = personas.manual_folder(corpus, persona)
    if guest and (folder is None or not personas.is_within(corpus, folder)):
        raise PersonaError(persona.id, "its manual corpus is not served here")
    ask = _by_name(corpus, persona, place) if folder is None else _in_folder(folder, place, persona)

    def asked(query: QueryRequest, call: Call) -> Result:
        try:
            return ask(query, call)
        except (BadData, NotFound, Refused) as error:  # the manual is not indexed, outdated or not sealed
            remedy = error.hint if folder is None else _there(error.hint, place)
            raise PersonaError(persona.id, f"its manual corpus: {error.message.removesuffix('.')}", remedy) from error

    return asked


def _there(hint: str, said: str) -> str:
    """Return a hint about the manual as a command to run in the corpus's folder."""
    if hint.startswith(f"edit {FOLDER}/"):
        return f"edit {said}/{hint.removeprefix('edit ')}"
    command = hint.partition(" (")[0]
    return f"in the corpus's folder: {command} -C {shlex.quote(said)}" if command.startswith("biblicus ") else hint


def _by_name(corpus: CorpusFolder, persona: Persona, said: str) -> Ask:
    """Return the query function for a corpus in the user's places, local, at a daemon or at a service."""
    if corpus.host is None:
        raise PersonaError(persona.id, f"nobody here asks {said}")
    return corpus.host.elsewhere(said)


def _in_folder(folder: Path, said: str, persona: Persona) -> Ask:
    manual = CorpusFolder(folder)
    if not manual.config_file.is_file():
        remedy = f"in the corpus's folder: biblicus init {shlex.quote(said)}"
        raise PersonaError(persona.id, f"there is no corpus in {said}", remedy)

    def ask(query: QueryRequest, call: Call) -> Result:
        return search.query.query(manual, query, call)

    return ask


_TEMPLATE = """\
# A persona: who answers, and how. Used by: biblicus answer "your question" --persona {id}
# Uncomment what you need, then: biblicus personas check {id}
id: {id}
{name}
description: ""

# How this persona works: a corpus of its own, with notes on how to approach questions. A relative path from the
# corpus's folder, or corpus://NAME for one that your own settings know under places.
# manual_corpus: manual

# The recipe that its questions are ranked with.
# recipe: lexical

# What it looks at. Of these, what a question or the manual names goes into the plan.
# focus:
#   entities: [person, vessel, berth]
#   relations: [owns, moored at]

# For a language model; without one these two change nothing.
# style: Short sentences, no jargon.
# system: Say so where the rules and the minutes differ.

# What it reads for one answer; whoever asks may say less, never more. manual: pieces of the manual.
# budget: {{items: 10, tokens: 4000, per_source: 3, manual: 3}}

# Bounds of one answer: queries to the corpus, seconds; of a language model: requests, tokens of a reply.
# limits: {{queries: 4, seconds: 60, requests: 6, output_tokens: 1024}}
"""


def template(name: str, title: str) -> str:
    """Return a commented persona file that passes its check."""

    return _TEMPLATE.format(id=name, name=guards.yaml.write({"name": title}).rstrip("\n"))
