"""Dovecot as a mail server of one user on this machine."""

import imaplib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PROGRAM = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
_TRIES = 3

_CONFIG = """
protocols = imap
base_dir = {place}/run
state_dir = {place}/state
log_path = /dev/stderr
ssl = no
disable_plaintext_auth = no
default_login_user = nobody
default_internal_user = nobody
default_internal_group = nogroup
mail_location = maildir:{place}/mail
passdb {{
  driver = static
  args = password=ebb
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={place}/mail
}}
service imap-login {{
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""


@contextmanager
def serving() -> Iterator[int]:
    """The port of a server with an empty mailbox of `ada`, whose password is `ebb`."""
    if PROGRAM is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("Dovecot is not installed, or this user may not start it")
    place = Path(tempfile.mkdtemp(prefix="dovecot-"))
    place.chmod(0o755)
    (place / "mail").mkdir()
    shutil.chown(place / "mail", "nobody", "nogroup")
    try:
        process, port = _started(place)
        try:
            yield port
        finally:
            process.terminate()
            process.wait(10)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _started(place: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Start the server on a free port, again where another program took the port first."""
    said: list[bytes] = []
    for _ in range(_TRIES):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        (place / "conf").write_text(_CONFIG.format(place=place, port=port))
        process = subprocess.Popen([PROGRAM or "", "-F", "-c", str(place / "conf")], stderr=subprocess.PIPE)
        assert process.stderr is not None
        for line in process.stderr:
            said.append(line)
            if b"starting up" in line:
                return process, port
        process.wait()
    raise AssertionError(f"it ended at once: {b''.join(said).decode()}")


def opened(port: int) -> imaplib.IMAP4:
    box = imaplib.IMAP4("127.0.0.1", port)
    box.login("ada", "ebb")
    return box
