"""Secrets in texts, by the shapes that their issuers publish: tokens with a fixed beginning, and private keys.

The shapes are those of gitleaks' rules (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LETTERS = "[A-Za-z0-9]"
_SHAPES = (
    ("a key of AWS", "AKIA", "[A-Z0-9]{16}"),
    ("a key of AWS", "ASIA", "[A-Z0-9]{16}"),
    ("a token of GitHub", "ghp_", _LETTERS + "{36}"),
    ("a token of GitHub", "gho_", _LETTERS + "{36}"),
    ("a token of GitHub", "ghs_", _LETTERS + "{36}"),
    ("a token of GitHub", "github_pat_", r"\w{82}"),
    ("a token of GitLab", "glpat-", r"[\w-]{20}"),
    ("a token of Slack", "xoxb-", r"[\w-]{20,}"),
    ("a token of Slack", "xoxp-", r"[\w-]{20,}"),
    ("a webhook of Slack", "hooks.slack.com/services/T", r"\w{8,}/B\w{8,}/\w{20,}"),
    ("a key of Stripe", "sk_live_", _LETTERS + "{24,}"),
    ("a key of Stripe", "rk_live_", _LETTERS + "{24,}"),
    ("a key of Google", "AIza", r"[\w-]{35}"),
    ("a key of Anthropic", "sk-ant-", r"[\w-]{80,}"),
    ("a key of OpenAI", "sk-", r"[\w-]{20,}T3BlbkFJ[\w-]{20,}"),
    ("a token of npm", "npm_", _LETTERS + "{36}"),
    ("a token of PyPI", "pypi-AgEIcHlwaS5vcmc", r"[\w-]{50,}"),
    ("a token of Hugging Face", "hf_", "[A-Za-z]{34}"),
    ("a key of SendGrid", "SG.", r"[\w-]{22}\.[\w-]{43}"),
    ("a token of DigitalOcean", "dop_v1_", "[a-f0-9]{64}"),
    ("a private key", "-----BEGIN ", r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s+[\w+/:=]{8,}"),
)
"""Name, beginning and pattern of the rest of each shape."""
_COMPILED = [
    (name, start, re.compile(rf"(?<!\w){re.escape(start)}{rest}(?![A-Za-z0-9])")) for name, start, rest in _SHAPES
]
_SHOWN = 4
_DISTINCT = 10
"""Minimum distinct characters: fewer are a placeholder such as `ghp_xxxx`."""


def secrets_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield the offset of each secret, with its name and first characters."""
    for name, start, pattern in _COMPILED:
        for match in pattern.finditer(text) if start in text else ():
            if len(set(match[0])) >= _DISTINCT and "EXAMPLE" not in match[0]:
                yield match.start(), f"{name}: {match[0][:_SHOWN]}…, {len(match[0])} characters"
