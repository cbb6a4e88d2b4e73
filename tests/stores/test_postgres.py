"""What is of the store `postgres` alone: what fails while a run is copied in, clones of one corpus, and secrets."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

# ruff: noqa: TID251 (what helpers are sent is pickled)
from pickle import dumps
from typing import Any

import psycopg
import pytest

from biblicus import Corpus
from biblicus.config import load_settings, options_of
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.store_binding import clone_of
from biblicus.embedding.networks.encoder import Encoder
from biblicus.errors import (
    Cancelled,
    ConfigInvalid,
    NewerSchema,
    NotMaterialized,
    RunDamaged,
    StoreMismatch,
    StoreUnavailable,
    StoreUnprotected,
    UnknownStore,
)
from biblicus.guards import deadlines
from biblicus.models.requests.runs import RunsRequest
from biblicus.service.verbs import RUNS
from biblicus.stores import options
from biblicus.stores.options import PostgresOptions, Target
from biblicus.stores.postgres import loading, schema
from biblicus.stores.postgres.store import PostgresStore
from tests.folders import write
from tests.hearing import heard
from tests.sampling import crossed
from tests.stores.test_conformance import filled
from tools.postgres import Server

TEXTS = {f"notes/{word}.md": f"# {word}\n\nThe {word} of the harbour.\n" for word in ("tide", "gull", "boat", "rope")}


class Database:
    """The server, and what lies in it."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.server.dsn, autocommit=True) as connection:
            cursor = connection.execute(query.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def tables(self, schema: str) -> list[str]:
        """The tables of parts, and the views of runs."""
        found = self.rows(
            "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = %s"
            " AND relkind IN ('r', 'v') AND relname ~ '^(part|run)_' ORDER BY 1",
            schema,
        )
        return [name for (name,) in found]


@pytest.fixture
def database(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> Database:
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": "postgres", "dsn": postgres.dsn}}))
    monkeypatch.setenv("BIBLICUS_STORE", "team")
    return Database(postgres)


@pytest.fixture
def corpus(tmp_path: Path, database: Database) -> Iterator[Corpus]:
    with filled(tmp_path / "harbour", TEXTS) as made:
        yield made


def schema_of(corpus: Corpus) -> str:
    return f"corpus_{clone_of(os.path.realpath(corpus.path))}"


def bound(monkeypatch: pytest.MonkeyPatch, schema: str, *folders: Path) -> None:
    """The user binds these folders to one schema."""
    monkeypatch.delenv("BIBLICUS_STORE", raising=False)
    binding = {"store": "team", "schema": schema}
    monkeypatch.setenv("BIBLICUS_CORPORA", json.dumps({str(folder): binding for folder in folders}))


def clone(corpus: Corpus, folder: Path) -> Corpus:
    """What git would bring to another machine."""
    shutil.copytree(corpus.path, folder, ignore=shutil.ignore_patterns("local"))
    return Corpus.open(folder)


# --- what fails -------------------------------------------------------------------------------------------------------


def kill(database: Database) -> None:
    database.server.kill()


def cut(database: Database) -> None:
    database.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'biblicus'")


def abort(database: Database) -> None:
    raise psycopg.errors.SerializationFailure("it was aborted")


POINTS = ((loading, "copy_rows", 1), (schema, "copy_rows", 2))
STEPS = ((loading.Build, "_copy_files", 1), (loading.Build, "_seal", 1))


@pytest.mark.parametrize(
    ("owner", "name", "call", "fault"),
    [(*point, fault) for point, fault in crossed([*POINTS, *STEPS], (kill, cut, abort))],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_build_that_fails_is_seen_by_nobody(
    corpus: Corpus,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[Database], None],
    owner: Any,
    name: str,
    call: int,
) -> None:
    first = corpus.reindex().runs[0].manifest.run_id
    before = database.tables(schema_of(corpus))
    write(corpus.path, {"new.md": "Nets.\n"})
    monkeypatch.setattr("biblicus.runs.reindex.CHURN_LIMIT", 100.0)
    original, calls = getattr(owner, name), iter(range(1, 100))

    def failing(*words: Any, **options: Any) -> Any:
        if next(calls) == call:
            fault(database)
        return original(*words, **options)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, failing)
        with pytest.raises(StoreUnavailable) as failed:
            corpus.reindex()
    if fault is kill:
        with pytest.raises(StoreUnavailable), Corpus.open(corpus.path) as again:
            again.query("tide")
        database.server.start()
    assert "BIBLICUS_STORE=local" in failed.value.hint
    assert [run.run_id for run in corpus.runs()] == [first]
    assert not list(CorpusFolder(corpus.path).index.glob("*"))
    assert database.tables(schema_of(corpus)) == before
    assert corpus.query("tide").run_id == first
    assert corpus.reindex().runs[0].built == "incremental"
    assert corpus.query("nets").evidence


def test_what_was_embedded_before_the_database_went_away_is_not_embedded_again(
    corpus: Corpus, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded = heard(monkeypatch, Encoder, "embed", lambda _, texts, call: len(texts))
    with monkeypatch.context() as patch:
        patch.setattr(loading, "load", lambda *_: abort(database))
        with pytest.raises(StoreUnavailable):
            corpus.reindex("hybrid")
    assert sum(embedded) == len(TEXTS)
    embedded.clear()
    corpus.reindex("hybrid")
    assert embedded == []
    assert corpus.query("ships", recipe="hybrid").evidence


def test_a_builder_that_is_killed_leaves_nothing(corpus: Corpus, database: Database) -> None:
    program = (
        "import os, sys; from biblicus import Corpus; from biblicus.stores.postgres import loading;"
        "loading.Build._seal = lambda *_: os._exit(9); Corpus.open(sys.argv[1]).reindex()"
    )
    done = subprocess.run([sys.executable, "-c", program, str(corpus.path)], check=False)
    assert done.returncode == 9
    assert corpus.runs() == []
    corpus.reindex()
    assert len({name.split("_")[1] for name in database.tables(schema_of(corpus))}) == 1
    assert not list(CorpusFolder(corpus.path).index.glob("*"))


@pytest.mark.parametrize("verb", ["reindex", "query", "check", "stats", "runs_list"])
def test_a_database_that_is_away_is_one_line(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    corpus.reindex()
    kept = sorted(path for path in corpus.path.rglob("*") if path.is_file())
    monkeypatch.setenv("BIBLICUS_STORES", '{"team": {"by": "postgres", "dsn": "host=/nowhere user=ada"}}')
    verbs = {
        "query": lambda again: again.query("tide"),
        "runs_list": lambda again: again.asker.ask(RUNS, RunsRequest(), Call()),
    }
    ask: Callable[[Any], object] = verbs.get(verb, lambda again: getattr(again, verb)())
    with Corpus.open(corpus.path) as again, pytest.raises(StoreUnavailable) as failed:
        ask(again)
    assert failed.value.message == "The store team cannot be used: it does not answer (No such file or directory)."
    assert failed.value.exit_code == 6
    assert sorted(path for path in corpus.path.rglob("*") if path.is_file()) == kept


@pytest.mark.parametrize(
    ("dsn", "cause"),
    [
        ("host=127.0.0.1 port=1 user=ada", "it does not answer (Connection refused)"),
        ("host=nosuch.invalid user=ada sslmode=require", "it does not answer ("),
        ("user=nobody_there", 'role "nobody_there" does not exist'),
        ("dbname=nosuch", 'database "nosuch" does not exist'),
    ],
)
def test_a_message_tells_no_address(
    corpus: Corpus, database: Database, monkeypatch: pytest.MonkeyPatch, dsn: str, cause: str
) -> None:
    whole = dsn if "host" in dsn else f"{database.server.dsn} {dsn}"
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": "postgres", "dsn": whole}}))
    with pytest.raises(StoreUnavailable) as failed:
        corpus.reindex()
    assert failed.value.message.startswith(f"The store team cannot be used: {cause}")
    assert not [address for address in ("nosuch.invalid", "127.0.0.1", "\n") if address in failed.value.message]
    assert str(database.server.folder) not in failed.value.message
    assert ("dsn or password" in failed.value.hint) == cause.endswith("does not exist")


# --- what is in it ----------------------------------------------------------------------------------------------------


def test_a_run_that_is_not_what_its_manifest_says_is_refused(corpus: Corpus, database: Database) -> None:
    run_id = corpus.reindex().runs[0].manifest.run_id
    altered = "jsonb_set(body, '{sums,3}', '\"other\"')"
    database.rows(f"UPDATE {schema_of(corpus)}.runs SET body = {altered}")
    with pytest.raises(RunDamaged), Corpus.open(corpus.path) as again:
        again.query("tide")
    built = corpus.reindex().runs[0]
    assert (built.built, built.manifest.run_id) == ("rematerialised", run_id)
    assert corpus.query("tide").evidence


def test_files_that_were_changed_are_noticed_and_repaired(corpus: Corpus, database: Database) -> None:
    corpus.reindex()
    (table,) = [name for name in database.tables(schema_of(corpus)) if name.endswith("_files")]
    database.rows(f"UPDATE {schema_of(corpus)}.{table} SET body = '\\x00' WHERE name = 'tables.db'")
    for read_data in (False, True):
        (problem,) = corpus.check(read_data=read_data).problems
        assert problem["reason"].endswith("the store team has its files altered.")
    assert corpus.check(repair=True, read_data=True).problems == []


def test_who_may_only_read_asks(corpus: Corpus, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.reindex()
    schema, role = schema_of(corpus), f"reader_{os.getpid()}"
    database.rows(
        f"CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA {schema} TO {role};"
        f" GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role}"
    )
    dsn = database.server.dsn.replace("user=biblicus", f"user={role}")
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": "postgres", "dsn": dsn}}))
    with Corpus.open(corpus.path) as reader:
        assert reader.query("tide").evidence
        write(corpus.path, {"new.md": "Nets.\n"})
        with pytest.raises(StoreUnavailable, match="permission denied"):
            reader.reindex()


def test_a_graph_finds_what_comparing_all_finds(
    corpus: Corpus, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["tide", "gull", "boat", "rope", "net", "sail", "mast", "keel", "anchor", "crane", "ferry", "lamp"]
    write(corpus.path, {f"more/{a}-{b}.md": f"A {a} and the {b}.\n" for a in words for b in words})
    recipes = corpus.path / ".biblicus" / "recipes"
    recipes.mkdir()
    for name, engine in (("near", "hnsw, exact_below: 50"), ("exact", "exact")):
        leg = f"{{vector: {{engine: {engine}, embedder: minilm}}}}"
        (recipes / f"{name}.yml").write_text(
            f"name: {name}\nbuild:\n  chunking: {{default: {{by: paragraphs}}}}\n  legs: {leg}\n", "utf-8"
        )
    corpus.reindex("near", "exact")
    indexes = database.rows("SELECT indexdef FROM pg_indexes WHERE schemaname = %s", schema_of(corpus))
    assert sum("hnsw" in definition for (definition,) in indexes) == 1
    monkeypatch.setattr("biblicus.stores.nearest._FEW", 10)
    for asked in ({}, {"path": ("more/tide*",)}, {"path": ("notes/*",)}):
        near, exact = (corpus.query("ships at anchor", recipe=name, **asked) for name in ("near", "exact"))  # type: ignore[arg-type]  # filters
        found, expected = ([piece.path for piece in result.evidence] for result in (near, exact))
        assert len(set(found) & set(expected)) >= 0.9 * len(expected)
        assert near.evidence[0].score == pytest.approx(exact.evidence[0].score, rel=1e-3)


@pytest.mark.parametrize(
    ("version", "is_enough"), [("0.7.4", False), ("0.10.0", True), ("0.8.1", True), ("1.0", True), ("0.8dev", True)]
)
def test_an_older_pgvector_is_refused_by_its_version(
    corpus: Corpus, database: Database, version: str, is_enough: bool
) -> None:
    database.rows("CREATE EXTENSION IF NOT EXISTS vector")
    ((before,),) = database.rows("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    database.rows("UPDATE pg_extension SET extversion = %s WHERE extname = 'vector'", version)
    try:
        if is_enough:
            assert corpus.reindex("hybrid").runs[0].manifest.counts["chunks"]
        else:
            with pytest.raises(StoreUnavailable, match="its pgvector is 0\\.7\\.4, and 0\\.8 is the oldest") as failed:
                corpus.reindex("hybrid")
            assert failed.value.hint == "ALTER EXTENSION vector UPDATE, by who may"
    finally:
        database.rows("UPDATE pg_extension SET extversion = %s WHERE extname = 'vector'", before)


def test_many_ask_at_once(corpus: Corpus) -> None:
    corpus.reindex()
    results: list[Any] = []
    threads = [
        threading.Thread(target=lambda: results.append(corpus.query("the tide of the harbour"))) for _ in range(32)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({tuple(json.dumps(asdict(piece)) for piece in result.evidence) for result in results}) == 1
    assert len(results) == 32


# --- clones -----------------------------------------------------------------------------------------------------------


def test_a_clone_asks_what_another_built(
    corpus: Corpus, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound(monkeypatch, "shared_runs", corpus.path, tmp_path / "clone")
    run_id = corpus.reindex().runs[0].manifest.run_id
    with clone(corpus, tmp_path / "clone") as other:
        assert other.query("tide").run_id == run_id
        assert other.reindex().runs[0].built == "unchanged"
        write(other.path, {"new.md": "Nets.\n"})
        monkeypatch.setattr("biblicus.runs.reindex.CHURN_LIMIT", 100.0)
        assert other.reindex().runs[0].built == "incremental"
        for number in range(3):
            write(other.path, {"new.md": f"Nets {number}.\n"})
            other.reindex()
        assert run_id not in CorpusFolder(other.path).store.own()
    assert corpus.query("tide").run_id == run_id
    assert corpus.reindex().runs[0].built == "unchanged"


def test_a_clone_leaves_the_runs_of_others_until_nobody_has_used_them_for_long(
    corpus: Corpus, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound(monkeypatch, "left_runs", corpus.path, tmp_path / "clone")
    with clone(corpus, tmp_path / "clone") as other:
        theirs = other.reindex().runs[0].manifest.run_id
    mine = corpus.reindex().runs[0].manifest.run_id
    store = CorpusFolder(corpus.path).store
    assert (set(store.runs()), store.own()) == ({theirs, mine}, [mine])
    assert store.drop(theirs) == 0
    corpus.reindex()
    assert set(store.runs()) == {theirs, mine}
    assert corpus.check(read_data=True).notes == []
    database.rows("UPDATE left_runs.leases SET renewed = now() - interval '31 days' WHERE run_id = %s", theirs)
    corpus.reindex()
    assert store.runs() == [mine]
    assert {name.split("_")[1] for name in database.tables("left_runs")} == {"2"}


def test_asking_renews_what_a_clone_holds(corpus: Corpus, database: Database) -> None:
    corpus.reindex()
    schema = schema_of(corpus)
    database.rows(f"UPDATE {schema}.leases SET renewed = now() - interval '2 days'")
    with Corpus.open(corpus.path) as again:
        again.query("tide")
    ((is_new,),) = database.rows(f"SELECT renewed > now() - interval '1 hour' FROM {schema}.leases")
    assert is_new


def test_a_copied_corpus_reaches_nobody_elses_schema(
    corpus: Corpus, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.reindex()
    with clone(corpus, tmp_path / "copy") as copy, pytest.raises(NotMaterialized):
        copy.query("tide")
    bound(monkeypatch, "mine", corpus.path)
    corpus.reindex()
    assert corpus.query("tide").evidence
    with Corpus.open(tmp_path / "copy") as copy:
        assert CorpusFolder(copy.path).store.place("x") == ".biblicus/local/index/x"


def test_a_schema_of_another_corpus_is_refused(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bound(monkeypatch, "taken", corpus.path, tmp_path / "other")
    corpus.reindex()
    with filled(tmp_path / "other", TEXTS) as other:
        for ask in (other.reindex, lambda: CorpusFolder(other.path).store.runs()):
            with pytest.raises(StoreMismatch, match="holds another corpus"):
                ask()


def test_an_older_schema_is_begun_anew(corpus: Corpus, database: Database) -> None:
    run_id = corpus.reindex().runs[0].manifest.run_id
    name = schema_of(corpus)
    database.rows(f"UPDATE {name}.biblicus SET version = {schema.VERSION - 1}")
    with pytest.raises(NotMaterialized) as failed, Corpus.open(corpus.path) as again:
        again.query("tide")  # who only asks changes nothing
    assert failed.value.hint == "biblicus reindex --store team"
    assert corpus.reindex().runs[0].manifest.run_id == run_id
    assert corpus.query("tide").run_id == run_id
    assert database.rows(f"SELECT version FROM {name}.biblicus") == [(schema.VERSION,)]
    assert len({table.split("_")[1] for table in database.tables(name)}) == 1


def test_a_newer_schema_is_not_touched(corpus: Corpus, database: Database) -> None:
    corpus.reindex()
    database.rows(f"UPDATE {schema_of(corpus)}.biblicus SET version = 99")
    with pytest.raises(NewerSchema):
        corpus.reindex()


@pytest.mark.parametrize("schema", ["public", "pg_temp", "Drop", "a;b", "1a", "a" * 64])
def test_a_schema_has_a_plain_name_of_its_own(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, schema: str) -> None:
    bound(monkeypatch, schema, corpus.path)
    with pytest.raises(ConfigInvalid):
        corpus.reindex()


# --- secrets and addresses --------------------------------------------------------------------------------------------

SECRET = "hush-4711"


def reached(dsn: str | None = "", environment: Mapping[str, str] = {}, **more: Any) -> Target:
    return options.postgres_target(
        "team", options_of(PostgresOptions, {"dsn": dsn, **more}, "stores.team"), environment
    )


@pytest.mark.parametrize(
    "dsn",
    ["host=/run/pg", "host=localhost", "host=127.0.0.1", "host=::1", "", "postgresql:///corpora", "host=@abstract"],
)
def test_nearby_no_tls_is_asked_for(dsn: str) -> None:
    assert "sslmode" not in reached(dsn).parameters()


@pytest.mark.parametrize(
    "dsn",
    ["host=db.example.org", "host=10.0.0.7", "host=localhost,db.example.org", "host=localhost hostaddr=10.0.0.7",
     "service=team", "postgresql://ada@db.example.org/corpora"],
)  # fmt: skip
def test_elsewhere_tls_is_on_and_checked(dsn: str) -> None:
    assert reached(dsn).parameters()["sslmode"] == "verify-full"
    roots = reached(dsn).parameters()["sslrootcert"]
    assert roots == "system" or Path(roots).is_file()
    for mode in ("disable", "allow", "prefer"):
        with pytest.raises(StoreUnprotected):
            reached(f"{dsn}?sslmode={mode}" if "//" in dsn else f"{dsn} sslmode={mode}")


def test_elsewhere_is_what_the_environment_says_too() -> None:
    assert reached("user=ada", {"PGHOST": "db.example.org"}).parameters()["sslmode"] == "verify-full"
    assert reached("user=ada", {"PGSERVICE": "team"}).parameters()["sslmode"] == "verify-full"


def test_a_secret_is_said_once_and_found(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(f"{SECRET}\n", "utf-8")
    for more in ({"password_env": "PW"}, {"password_file": str(tmp_path / "secret")}):
        assert reached("host=db.example.org", {"PW": SECRET}, **more).parameters()["password"] == SECRET
    assert reached(environment={"DSN": "user=ada"}, dsn_env="DSN", dsn=None).parameters()["user"] == "ada"
    for wrong in ({"password_env": "NOT_SET"}, {"password_file": "/no/such"}, {"dsn_env": "PW"}):
        with pytest.raises(ConfigInvalid):
            reached("host=db.example.org", {}, **wrong)


def test_a_secret_is_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    dsn = f"host=/nowhere user=ada password={SECRET}"
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": "postgres", "dsn": dsn}}))
    monkeypatch.setenv("BIBLICUS_STORE", "team")
    with filled(tmp_path / "harbour", TEXTS) as corpus:
        folder = CorpusFolder(corpus.path)
        with pytest.raises(StoreUnavailable) as failed:
            corpus.reindex()
        shown = [repr(load_settings()), str(load_settings().stores), repr(failed.value), str(failed.value.as_object())]
        shown += [repr(folder.store), repr(vars(folder.store)), repr(folder), repr(reached(dsn))]
        assert SECRET.encode() not in dumps(folder.alone())
        assert not folder.alone().settings.stores
        with pytest.raises(TypeError):
            dumps(reached(dsn))
        written = [path.read_bytes() for path in corpus.path.rglob("*") if path.is_file()]
    for broken in (f"postgresql://ada:{SECRET}@[", f"password={SECRET} nonsense", f"passwort={SECRET}"):
        with pytest.raises(ConfigInvalid) as invalid:
            reached(broken)
        shown += [
            str(invalid.value),
            invalid.value.hint,
            repr(invalid.value.__cause__),
            repr(invalid.value.__context__),
        ]
    with pytest.raises(ConfigInvalid) as invalid:
        reached("", dns=dsn)
    shown += [str(invalid.value), str(invalid.value.__cause__)]
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": dsn}))
    with pytest.raises(ConfigInvalid) as invalid:
        load_settings()
    shown += [str(invalid.value), str(invalid.value.__cause__), *capfd.readouterr()]
    assert not [text for text in shown if SECRET in text]
    assert not [text for text in written if SECRET.encode() in text]


def test_only_the_user_says_where_runs_are_kept(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BIBLICUS_STORE")
    config = corpus.path / ".biblicus" / "config.yml"
    for line in ("store: team", "stores: {team: {by: postgres}}", "corpora: {}"):
        config.write_text(f"{config.read_text('utf-8').splitlines()[0]}\nname: harbour\n{line}\n", "utf-8")
        with pytest.raises(ConfigInvalid, match="unknown key"):
            corpus.reindex()


def test_an_unknown_store_or_engine_is_named(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_STORE", "nosuch")
    with pytest.raises(UnknownStore, match='named "nosuch" here; known: local, team'):
        corpus.reindex()
    monkeypatch.setenv("BIBLICUS_STORE", "team")
    monkeypatch.setenv("BIBLICUS_STORES", '{"team": {"by": "mysql"}}')
    with pytest.raises(ConfigInvalid, match="no engine is called mysql; known: milvus, postgres"):
        corpus.reindex()


def test_who_is_called_off_waits_for_no_connection(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.reindex()
    store = CorpusFolder(corpus.path).store
    assert isinstance(store, PostgresStore)
    database_server, call = store._server, Call()
    with ExitStack() as lent:
        for _ in range(database_server.target.connections):
            lent.enter_context(database_server.connection())
        monkeypatch.setattr("biblicus.stores.postgres.server._SOON", 0.01)
        monkeypatch.setattr("biblicus.stores.postgres.server._PATIENCE", 3600.0)
        monkeypatch.setattr(database_server, "_probe", call.cancel.set)
        with deadlines.during(call), pytest.raises(Cancelled):
            lent.enter_context(database_server.connection())
