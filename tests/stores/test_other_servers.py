"""PostgreSQL as Debian has it: the oldest that will do, without pgvector, and with TLS, which the wheel's lacks."""

import json
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from biblicus import Corpus
from biblicus.errors import StoreUnavailable, StoreUnprotected
from biblicus.stores import options
from biblicus.stores.options import PostgresOptions
from biblicus.stores.postgres import server as servers
from tests.folders import write
from tools.postgres import Server

TEXTS = {"tides.txt": "The moon pulls tides.\n", "gulls.md": "# Gulls\n\nRead-only gulls follow boats.\n"}


@pytest.fixture(scope="module")
def debian() -> Iterator[Server]:
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not places:
        pytest.skip("Debian's postgresql is not installed")
    server = Server(places[0].parent)
    yield server
    server.stop()


def kept_in(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"debian": {"by": "postgres", "dsn": dsn}}))
    monkeypatch.setenv("BIBLICUS_STORE", "debian")


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.init(tmp_path / "harbour") as made:
        write(made.path, TEXTS)
        yield made


def test_words_need_no_pgvector_and_meaning_says_that_it_does(
    corpus: Corpus, debian: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_in(debian.dsn, monkeypatch)
    with psycopg.connect(debian.dsn) as connection:
        if connection.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone():
            pytest.skip("pgvector is installed")
    corpus.reindex()
    for question, path in (("moon tides", "tides.txt"), ('"read-only gulls"', "gulls.md"), ("gulls", "gulls.md")):
        assert corpus.query(question).evidence[0].path == path
    assert not corpus.query("gulls", type=("text/plain",)).evidence
    with pytest.raises(StoreUnavailable) as failed:
        corpus.reindex("hybrid")
    assert failed.value.message == "The store debian cannot be used: it has no pgvector."
    assert "CREATE EXTENSION vector" in failed.value.hint
    assert [run.recipe["name"] for run in corpus.runs()] == ["lexical"]


@pytest.fixture
def elsewhere(debian: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The same server with TLS, at an address of this machine that is no loopback."""
    address = _own_address()
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=harbour"]
    if address is None or not shutil.which("openssl"):
        pytest.skip("no address but loopback, or no openssl")
    key, certificate = debian.folder / "key.pem", debian.folder / "certificate.pem"
    more = ["-addext", f"subjectAltName=IP:{address}", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command, *more], check=True, capture_output=True)
    key.chmod(0o600)
    for path in (key, certificate):
        shutil.chown(path, debian.folder.owner(), debian.folder.group())
    access = debian.folder / "data" / "pg_hba.conf"
    access.write_text(f"local all all trust\nhostssl all all {address}/32 trust\n", "utf-8")
    with socket.create_server((address, 0)) as free:
        port = free.getsockname()[1]
    debian.kill()
    debian.start(
        f"-c listen_addresses={address} -p {port} -c ssl=on -c ssl_key_file={key} -c ssl_cert_file={certificate}"
    )
    yield f"host={address} port={port} user=biblicus dbname=postgres"
    debian.kill()
    debian.start()


def _own_address() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.254", 9))  # sends nothing: it asks which address would
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") else address


def test_elsewhere_the_certificate_is_checked(
    corpus: Corpus, debian: Server, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_in(elsewhere, monkeypatch)
    at = elsewhere.partition("host=")[2].partition(" ")[0]
    named = elsewhere.replace(f"host={at}", f"host=harbour.example hostaddr={at}")
    own = f" sslrootcert={debian.folder / 'certificate.pem'}"
    for dsn, cause, remedy in (
        (
            elsewhere,
            "its certificate is not trusted, or not valid now",
            "sslrootcert=FILE of who signed it, in its dsn",
        ),
        (f"{elsewhere} sslrootcert=/nosuch.pem", "the file of sslrootcert cannot be read", "sslrootcert=FILE that is"),
        (named + own, "its certificate is another host's", "host=NAME as its certificate has it"),
    ):
        kept_in(dsn, monkeypatch)
        with pytest.raises(StoreUnavailable) as failed:
            corpus.reindex()
        assert failed.value.message == f"The store debian cannot be used: {cause}."
        assert failed.value.hint.startswith(remedy)
    kept_in(f"{elsewhere} sslmode=disable", monkeypatch)
    with pytest.raises(StoreUnprotected):
        corpus.reindex()
    trusted = f"{elsewhere} sslrootcert={debian.folder / 'certificate.pem'}"
    kept_in(trusted, monkeypatch)
    corpus.reindex()
    assert corpus.query("moon").evidence
    reached = options.postgres_target("debian", PostgresOptions.model_validate({"dsn": trusted}), {}).parameters()
    assert reached["sslmode"] == "verify-full"
    with psycopg.connect(**reached) as connection:  # type: ignore[arg-type]  # all are texts
        query = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        assert connection.execute(query).fetchone() == (True,)
    debian.kill()
    debian.start(f"-c listen_addresses={at} -p {elsewhere.split('port=')[1].split()[0]}")
    servers.server(options.postgres_target("debian", PostgresOptions.model_validate({"dsn": trusted}), {})).close()
    with pytest.raises(StoreUnavailable, match="it has no TLS") as failed:
        corpus.reindex()
    assert failed.value.hint == "ask who runs it for TLS"
