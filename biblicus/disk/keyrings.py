"""The user's keyring, where there is one: `keyring set biblicus NAME` puts a secret there."""

from __future__ import annotations


def from_keyring(name: str) -> str | None:
    """The secret of that name; None where there is no keyring, or none in it."""
    try:
        import keyring  # the extra [keyring]
    except ImportError:
        return None
    try:
        secret: str | None = keyring.get_password("biblicus", name)
    except Exception:  # a locked or broken keyring: who asked says what is missing
        return None
    return secret
