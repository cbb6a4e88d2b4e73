"""Language models for tests, in this process: they say what a test wants, or what a bad model would."""

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from biblicus.contracts import LLMResult

_BLOCK = re.compile(
    r"^### \[(\d+)\] [^\n]*\n(?:<[^\n]*>\n)?(`{3,})([0-9a-f]{32})\n(.*?)\n\2$", re.MULTILINE | re.DOTALL
)


@dataclass
class Saying:
    """`says`: makes a reply of a prompt; a value is sent as JSON. `prompts`: those it was asked with."""

    says: Callable[[str], Any]
    name: str = "test-model"
    prompts: list[str] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)

    async def generate(
        self,
        user_prompt: str,
        *,
        system_prompt: str | None = None,
        json_schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float = 0.0,
    ) -> LLMResult:
        self.prompts.append(user_prompt)
        self.systems.append(system_prompt or "")
        said = self.says(user_prompt)
        text = said if isinstance(said, str) else json.dumps(said)
        return LLMResult(text, {"done": True}, {"input": len(user_prompt) // 4, "output": len(text) // 4})


def in_turn(*replies: Any) -> Saying:
    """Says these, one for each request, and the last for ever."""
    left = list(replies)
    return Saying(lambda _: left.pop(0) if len(left) > 1 else left[0])


def statement(text: str, *cites: tuple[int, str]) -> dict[str, Any]:
    return {"text": text, "citations": [{"evidence": number, "quote": quote} for number, quote in cites]}


def reply(*statements: Mapping[str, Any], insufficient: bool = False) -> dict[str, Any]:
    return {"statements": list(statements), "insufficient": insufficient}


def shown(prompt: str) -> dict[int, str]:
    """The pieces that a prompt shows, by number."""
    return {int(found[1]): found[4] for found in _BLOCK.finditer(prompt)}


def careless(prompt: str) -> dict[str, Any]:
    """What a bad model makes of a prompt: it quotes, paraphrases, misquotes, invents, and cites what is not there.

    Deterministic for a prompt. Asked to correct itself it is as careless as before.
    """
    pieces = shown(prompt)
    chance = random.Random(prompt)
    statements = []
    for _ in range(chance.randint(1, 6)):
        number = chance.choice(list(pieces))
        words = pieces[number].split()
        start = chance.randrange(len(words))
        quote = " ".join(words[start : start + chance.randint(1, 12)])
        other = chance.choice(list(pieces))
        statements.append(chance.choice(_CARELESS)(quote, number, other, chance))
    return reply(*statements, insufficient=chance.random() < 0.1)


def _shuffled(quote: str, chance: random.Random) -> str:
    words = quote.split()
    chance.shuffle(words)
    return " ".join(words)


_CARELESS: tuple[Callable[[str, int, int, random.Random], dict[str, Any]], ...] = (
    lambda quote, number, other, chance: statement(quote, (number, quote)),
    lambda quote, number, other, chance: statement(f"It says: {quote}", (number, quote.upper())),
    lambda quote, number, other, chance: statement(f"In short, {_shuffled(quote, chance)}.", (number, "")),
    lambda quote, number, other, chance: statement(quote, (number, f"{quote} indeed")),
    lambda quote, number, other, chance: statement(quote, (number, _shuffled(quote, chance))),
    lambda quote, number, other, chance: statement(quote, (other, quote)),
    lambda quote, number, other, chance: statement(quote, (number, quote), (number + 50, quote)),
    lambda quote, number, other, chance: statement(quote, (-number, "")),
    lambda quote, number, other, chance: statement("The moon is made of cheese.", (0, quote)),
    lambda quote, number, other, chance: statement("Nothing of this stands anywhere: qwxzv.", (number, "")),
    lambda quote, number, other, chance: statement(f"{quote} [1][2]", (number, f"“{quote}”"), (number, "…")),
    lambda quote, number, other, chance: statement(quote),
    lambda quote, number, other, chance: statement("\x1b[2J" + quote + "\u202e", (number, quote)),
)
