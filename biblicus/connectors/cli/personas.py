"""Commands about personas: list, show, new, check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.guards.terminal import safe
from biblicus.service.verbs import CHECK_PERSONAS, NEW_PERSONA, PERSONA, PERSONAS

if TYPE_CHECKING:
    from biblicus.answers.personas import PersonaChecks, Personas
    from biblicus.models.answers.persona import Persona

_NONE = "No personas yet. biblicus personas new keeper writes one."


def _list(listed: Personas, given: Given) -> None:
    for entry in listed.personas:
        if entry.persona is None:
            output.line(f"{entry.id:16} {entry.problem}", fg="red")
        else:
            manual = f" (manual: {entry.persona.manual_corpus})" if entry.persona.manual_corpus else ""
            output.line(f"{entry.id:16} {entry.persona.name}. {entry.persona.description}".rstrip() + manual)
    if not listed.personas:
        output.line(_NONE)


def _show(persona: Persona, given: Given) -> None:
    from biblicus.guards import yaml

    output.raw(safe(yaml.write(persona.model_dump(mode="json")), keep_newlines=True))


def _check(checks: PersonaChecks, given: Given) -> None:
    for check in checks.personas:
        output.line(f"{check.id}: {'can answer' if check.ok else 'cannot answer'}", fg="green" if check.ok else "red")
        for problem in check.problems:
            hint = f" Try: {problem['hint']}" if problem["hint"] else ""
            output.line(f"  {problem['reason']}{hint}")
        for note in check.notes:
            output.line(f"  {note}", fg="bright_black")
    if not checks.personas:
        output.line(_NONE)


COMMANDS = (
    Command(
        "personas new",
        NEW_PERSONA,
        output.says(lambda made: f"Edit {made.path}, then: biblicus personas check {made.id}"),
    ),
    Command("personas list", PERSONAS, _list, lists="personas"),
    Command("personas show", PERSONA, _show),
    Command(
        "personas check",
        CHECK_PERSONAS,
        _check,
        help="Check a persona's file, recipe, manual corpus and index. Exit with code 4 if it fails.",
        code=lambda checks: 0 if checks.ok else 4,
        watched=True,
    ),
)
