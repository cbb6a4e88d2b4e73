"""Steps that ask the doctor, and look at its findings."""

from typing import Any

from pytest_bdd import given, then

from features.phrase import phrase
from features.steps.folder import write
from features.world import Table, World, rows
from tests.sources.server import Page, Web

TALE = [f"word{number * 7919 % 1009}" for number in range(200)]
SECRETS = ("ghp_" + "aB3dE6gH9jK2mN5pQ8sT" + "1vW4yZ7bC0eF3hI6", "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq")
PLACEHOLDER = "ghp_" + "x" * 36


@given(phrase('the file "{path}" holds {count#} words of a tale'))
def a_tale(world: World, path: str, count: str) -> None:
    write(world.path(path), " ".join(TALE[: int(count)]).encode())


@given(phrase('the file "{path}" holds the same words but one'))
def an_edited_tale(world: World, path: str) -> None:
    write(world.path(path), " ".join([*TALE[:20], "changed", *TALE[21:60]]).encode())


@given(phrase('the file "{path}" holds {count#} other words of it'))
def another_tale(world: World, path: str, count: str) -> None:
    write(world.path(path), " ".join(TALE[-int(count) :]).encode())


@given(phrase('the file "{path}" holds secrets, and a placeholder'))
def holds_secrets(world: World, path: str) -> None:
    write(world.path(path), "\n".join(["Keys of ours:", *SECRETS, PLACEHOLDER]).encode())


@given(phrase('the file "{path}" links to pages of a site'))
def links_to_a_site(world: World, web: Web, path: str, datatable: Table) -> None:
    for row in rows(datatable):
        web.pages[row["path"]] = Page(b"Here.", status=int(row["status"]))
    write(world.path(path), "".join(f"[x]({web.url}{row['path']})\n" for row in rows(datatable)).encode())


@then(phrase('the findings[ of "{kind}"] are'))
def findings_are(world: World, kind: str | None, datatable: Table) -> None:
    _are([finding for finding in world.value["findings"] if kind in (None, finding["kind"])], datatable)


@then("no secret is told")
def no_secret(world: World) -> None:
    assert [secret for secret in SECRETS if secret[:8] in str(world.value)] == []


def _are(findings: list[dict[str, Any]], datatable: Table) -> None:
    """By place, in order; `reason` and `hint` hold the words of the table."""
    wanted = rows(datatable, "path", "kind", "line", "reason", "hint")
    assert [finding["path"] for finding in findings] == [row["path"] for row in wanted], findings
    for finding, row in zip(findings, wanted, strict=True):
        assert [str(finding[key]) for key in ("kind", "line") if key in row] == [
            row[key] for key in ("kind", "line") if key in row
        ], finding
        assert row.get("reason", "") in finding["reason"], finding
        assert row.get("hint", "") in finding["hint"], finding
