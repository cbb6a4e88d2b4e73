"""Read secrets from the user's keyring, if installed: `keyring set biblicus NAME` stores one."""

from __future__ import annotations


def from_keyring(name: str) -> str | None:
    """Return the secret of this name, or None if there is no keyring or no such secret."""
    try:
        import keyring  # the extra [keyring]
    except ImportError:
        return None
    try:
        secret: str | None = keyring.get_password("biblicus", name)
    except Exception:  # a locked or broken keyring: the caller reports the missing secret
        return None
    return secret
