"""Steps about sources: repositories that live on, the list of sources, and what a sync came to."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pytest_bdd import given, then, when

from features.phrase import phrase, raw
from features.steps.folder import write
from features.steps.imports import options
from features.world import Table, World, rows

TOLD = ("removed", "kept", "added", "changed", "renamed", "restored", "conflicts", "skipped", "failed")


def git(folder: Path, *words: str) -> str:
    """git as a developer upstream would use it."""
    who = {f"GIT_{role}_{what}": "ada@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    environment = {**kept, **who, "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", "-C", str(folder), *words], env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(world: World, name: str) -> str:
    """Commit all that was changed in a repository's work tree, and push it to the bare one beside it."""
    work = world.outside / f"{name}.work"
    git(work, "add", "-A")
    git(work, "commit", "-q", "-m", "more")
    git(work, "push", "-q", "origin", "HEAD:trunk")
    world.names.setdefault(f"commits of {name}", []).append(git(work, "rev-parse", "HEAD"))
    return git(work, "rev-parse", "HEAD")


def bare(world: World, name: str) -> str:
    return str(world.outside / f"{name}.git")


def one(world: World, name: str) -> dict[str, Any]:
    """What the last sync said of a source."""
    return next(source for source in world.value["sources"] if source["name"] == name)


@given(phrase('a repository "{name}" with the files'))
def a_repository(world: World, name: str, datatable: Table) -> None:
    work = world.outside / f"{name}.work"
    for row in rows(datatable):
        write(work / row["path"], raw(row["text"]))
    git(world.outside, "init", "-q", "--bare", "--initial-branch=trunk", f"{name}.git")
    git(work, "init", "-q", "--initial-branch=trunk")
    git(work, "remote", "add", "origin", bare(world, name))
    commit(world, name)


@given(phrase('in "{name}" since then'))
def since_then(world: World, name: str, datatable: Table) -> None:
    work = world.outside / f"{name}.work"
    for row in rows(datatable):
        path, more = work / row["path"], row["text or new path"]
        if row["change"] == "renamed":
            (work / more).parent.mkdir(parents=True, exist_ok=True)
            path.rename(work / more)
        elif row["change"] == "deleted":
            path.unlink()
        else:
            write(path, raw(more))
    commit(world, name)


@given(phrase('in "{name}" since then, and synced'))
def since_then_synced(world: World, name: str, datatable: Table) -> None:
    since_then(world, name, datatable)
    world.do("sources sync")


@given(phrase('the id of "{path}" is known after "{name}" added it'))
def added_long(world: World, path: str, name: str) -> None:
    text = "".join(f"Line {number} of a long text.\n" for number in range(40))
    write(world.outside / f"{name}.work" / path.removeprefix(f"imports/{name}/"), text.encode())
    commit(world, name)
    world.do("sources sync")
    world.names[f"id of {path}"] = world.items()[path]["item_id"]


@given(phrase('"{name}" since renamed "{path}" to "{new}" and edited it'))
def renamed_and_edited(world: World, name: str, path: str, new: str) -> None:
    work = world.outside / f"{name}.work"
    text = (work / path).read_bytes() + b"One line more.\n"
    (work / path).unlink()
    write(work / new, text)
    commit(world, name)


@given(phrase('the repository "{name}" was since deleted'))
def repository_deleted(world: World, name: str) -> None:
    shutil.rmtree(bare(world, name))


@given(phrase('the share "{name}" is the folder "{path}" outside'))
def a_share(world: World, name: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_SHARES", json.dumps({name: {"by": "file", "path": str(world.outside / path)}}))


@given(phrase('a corpus that is synced with "{name}"'))
def a_synced_corpus(world: World, name: str) -> None:
    world.do("init")
    world.do("sources add", bare(world, name), allow_local=True)
    world.do("sources sync")
    world.names |= {f"id of {path}": item["item_id"] for path, item in world.items().items()}


@given(phrase('the repository "{name}" since calls its branch "{branch}"'))
def branch_renamed(world: World, name: str, branch: str) -> None:
    repository = world.outside / f"{name}.git"
    git(repository, "branch", "-m", "trunk", branch)
    (repository / "HEAD").write_text(f"ref: refs/heads/{branch}\n")


@given(phrase('a corpus\'s entry of "{name}" says the ref "{ref}"'))
def entry_says_ref(world: World, name: str, ref: str) -> None:
    world.do("sources remove", name, keep_documents=True)
    world.do("sources add", bare(world, name), name=name, ref=ref, allow_local=True)


@given("another user has the corpus now")
def another_user(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(world.outside.parent / "another"))


@given(phrase('in "{path}" "{old}" became "{new}"'))
def became(world: World, path: str, old: str, new: str) -> None:
    text = world.path(path).read_bytes()
    assert raw(old) in text
    world.path(path).write_bytes(text.replace(raw(old), raw(new)))


@when(phrase("the sources are synced[ with]"))
def sync(world: World, datatable: Table | None = None) -> None:
    world.attempt("sources sync", **options(datatable))


@when(phrase('the repository "{name}" is ingested at "{ref}"'))
def ingested_at(world: World, name: str, ref: str) -> None:
    world.attempt("ingest", f"git+{bare(world, name)}@{ref}", allow_local=True)


@then(phrase('the sync of "{name}" says'))
def sync_says(world: World, name: str, datatable: Table) -> None:
    """Everything it names, deletions first; `detail` stands in the reason."""
    wanted = rows(datatable, "change", "path", "detail")
    found = [(change, entry) for change in TOLD for entry in one(world, name)[change]]
    assert [(change, entry["path"]) for change, entry in found] == [(row["change"], row["path"]) for row in wanted]
    for (_, entry), row in zip(found, wanted, strict=True):
        assert row.get("detail", "") in entry.get("reason", row.get("detail", ""))


@then(phrase('the sync of "{name}" says of "{path}" that "{reason}"'))
def sync_says_of(world: World, name: str, path: str, reason: str) -> None:
    entries = [entry for change in TOLD for entry in one(world, name)[change] if entry["path"] == path]
    assert any(reason in entry.get("reason", "") for entry in entries), one(world, name)


@then(phrase('the sync of "{name}" is "{outcome}"'))
def sync_is(world: World, name: str, outcome: str) -> None:
    found = one(world, name)
    assert found["outcome"] == outcome, found


@then(phrase('the sync of "{name}" says nothing but its new branch "{branch}"'))
def says_only_branch(world: World, name: str, branch: str) -> None:
    found = one(world, name)
    assert (found["ref"], found["unchanged"]) == (branch, 1)
    assert not any(found[change] for change in TOLD)


@then(phrase('the check has among its {kind!} "{path}", since "{reason}"'))
def check_has(world: World, kind: str, path: str, reason: str) -> None:
    found = [note["reason"] for note in world.value[kind] if note["path"] == path]
    assert [reason in one for one in found] == [True], world.value


@then(phrase('it counts {count#} unchanged in "{name}"'))
def counts_unchanged(world: World, count: str, name: str) -> None:
    assert one(world, name)["unchanged"] == int(count)


@then("the refresh says")
def refresh_says(world: World, datatable: Table) -> None:
    found = world.value["refresh"]
    told = [(change, entry["path"]) for change in ("added", "changed", "renamed", "removed") for entry in found[change]]
    assert told == [(row["change"], row["path"]) for row in rows(datatable)]


@then(phrase('every item is of the commit of "{name}"[, with]'))
def every_item(world: World, name: str, datatable: Table = ((), ())) -> None:
    items = world.items()
    assert items
    for item in items.values():
        assert (item["source"]["kind"], item["source"]["ref"]) == ("git", world.names[f"commits of {name}"][-1])
        assert item["source"]["retrieved_at"].endswith("Z")
        assert item["metadata"] == rows(datatable)[0]


@then(phrase('"{path}" is of the commit of "{name}"'))
def is_of_the_commit(world: World, path: str, name: str) -> None:
    assert world.items()[path]["source"]["ref"] == world.names[f"commits of {name}"][-1]


@then(phrase('"{path}" is of the commit before'))
def is_of_the_commit_before(world: World, path: str) -> None:
    assert world.items()[path]["source"]["ref"] == world.names[f"commits of {path.split('/')[1]}"][-2]


@then(phrase('the source of the item "{path}" is "{kind}"'))
def source_of_the_item(world: World, path: str, kind: str) -> None:
    assert world.items()[path]["source"]["kind"] == kind


@then("the items have different ids")
def different_ids(world: World) -> None:
    found = [item["item_id"] for item in world.items().values()]
    assert len(found) == len(set(found)) == 4


@then(phrase('the best evidence is cited as "{url}"'))
def cited_as(world: World, url: str) -> None:
    (latest,) = (value[-1] for key, value in world.names.items() if key.startswith("commits of "))
    assert world.value["evidence"][0]["citation_url"] == url.replace("COMMIT", latest)
