"""Real `--json` outputs and committed files hold what the published schemas say, and nothing that they do not say."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.front_door import biblicus
from tools import schemas

SCHEMAS: dict[str, Any] = {name: json.loads(text) for name, text in schemas.documents().items()}
Command = Callable[..., Any]


def closed(schema: Any) -> Any:
    """The schema with no room for fields that it does not name."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(value) for key, value in schema.items()}
    if isinstance(found.get("properties"), dict) and "type" in found:
        found.setdefault("additionalProperties", False)
    return found


def check(name: str, document: Any) -> Any:
    jsonschema.Draft202012Validator(closed(SCHEMAS[name])).validate(document)
    return document


@pytest.fixture
def command(harbour: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command in the harbour and returns its JSON document."""
    assert biblicus(["init"]) == 0
    capsys.readouterr()

    def call(*words: str, code: int = 0) -> Any:
        assert biblicus([*words, "--json"]) == code, capsys.readouterr().err
        shown = capsys.readouterr()
        return json.loads(shown.out if not code or code == 4 else shown.err.splitlines()[-1])

    return call


def test_the_schemas_are_schemas():
    for schema in SCHEMAS.values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_context_says_what_its_schema_says(command: Command):
    command("reindex")
    pack = check("context", command("context", "seals", "--max-tokens", "400"))
    assert pack["entries"]
    assert pack["dropped"]


def test_an_answer_says_what_its_schema_says(command: Command):
    command("reindex")
    assert command("personas", "new", "keeper")
    question = "How long may a visiting boat stay in winter?"
    (cited,) = check("answer", command("answer", question))["statements"][0]["citations"]
    assert cited["preview"]
    check("answer", command("answer", question, "--persona", "keeper"))
    assert check("answer", command("answer", "Who won the chess tournament in Reykjavik?"))["insufficient"]


def test_ingest_says_what_its_schema_says(command: Command, harbour: Path):
    first = check("ingest", command("ingest"))
    assert len(first["added"]) == 13
    assert first["skipped"]
    (harbour / "notes" / "lamp.md").rename(harbour / "notes" / "light.md")
    (harbour / "notes" / "seals.md").unlink()
    (harbour / "notes" / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing")
    (harbour / "notes" / "gaeste.md").write_text("---\ntitle: [\n---\nGäste\n", encoding="utf-8")
    again = check("ingest", command("ingest"))
    assert [again[kind] != [] for kind in ("added", "changed", "renamed", "removed", "failed", "warnings")] == [
        True
    ] * 6
    outside = harbour.parent / "copy.md"
    outside.write_bytes((harbour / "README.md").read_bytes())
    assert check("ingest", command("ingest", str(outside)))["duplicates"]


def test_reindex_and_its_manifest_say_what_their_schemas_say(command: Command, harbour: Path):
    (harbour / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing")
    report = check("reindex", command("reindex", "--recipe", "lexical", "--recipe", "scan"))
    assert [run["built"] for run in report["runs"]] == ["fresh", "fresh"]
    assert check("reindex", command("reindex"))["runs"][0]["built"] == "unchanged"
    (harbour / "new.txt").write_text("A new note.")
    assert check("reindex", command("reindex"))["runs"][0]["differs"] == ["items"]
    manifests = sorted((harbour / ".biblicus" / "runs").glob("*.json"))
    assert len(manifests) == 4
    for path in manifests:
        check("manifest", json.loads(path.read_bytes()))
        check("recipe", json.loads(path.read_bytes())["recipe"])


def test_events_say_what_their_schema_says(command: Command, harbour: Path):
    command("reindex")
    (harbour / "notes" / "lamp.md").rename(harbour / "notes" / "light.md")
    command("ingest")
    found = command("events")["events"]
    assert {event["event"] for event in found} == {"item.ingested", "item.changed", "run.sealed"}
    for event in found:
        check("event", event)


def test_query_says_what_its_schema_says(command: Command, harbour: Path):
    command("reindex")
    result = check("query", command("query", "How long may a visiting boat stay in winter?", "--max-tokens", "60"))
    assert result["budget"]["dropped"]
    assert {"page", "title", "language", "doctype"} <= result["evidence"][0].keys()
    for piece in result["evidence"]:
        check("evidence", piece)
    assert check("query", command("query", "chess tournament in Reykjavik"))["insufficient"]
    (harbour / "notes" / "lamp.md").write_text("Dark.")
    stale = check("query", command("query", "paraffin lantern"))["evidence"][0]
    assert stale["stale"] is True
    assert {"heading", "tags"} <= stale.keys()


def test_list_and_the_catalog_say_what_their_schemas_say(command: Command, harbour: Path):
    outside = harbour.parent / "tides.html"
    outside.write_text("<h1>Tides</h1>")
    command("ingest", str(outside), "--title", "Tide tables", "--meta", "author=Ada")
    command("reindex")
    listed = check("list", command("list"))["items"]
    catalog = check("catalog", json.loads((harbour / ".biblicus" / "catalog.json").read_bytes()))
    assert len(listed) == len(catalog["items"]) == 14
    for item in (*listed, *catalog["items"]):
        check("item", item)


def test_verify_says_what_its_schema_says(command: Command, harbour: Path):
    command("reindex")
    (harbour.parent / "evidence.json").write_text(json.dumps(command("query", "paraffin lantern", "-n", "3")))
    assert check("verify", command("verify", "../evidence.json"))["ok"]
    (harbour / "notes" / "lamp.md").unlink()
    assert check("verify", command("verify", "../evidence.json", code=4))["counts"]["missing"] == 1


def test_recipes_show_what_their_schema_says(command: Command):
    for name in ("lexical", "scan"):
        shown = command("recipes", "show", name)
        assert shown.pop("recipe_id").startswith(name)
        assert shown.pop("build_id")
        check("recipe", shown)


@pytest.mark.parametrize(("words", "code"), [(("query", " "), 2), (("show", "nothing"), 3), (("query", "boat"), 3)])
def test_an_error_is_the_object_that_its_schema_says(command: Command, words: tuple[str, ...], code: int):
    check("error", command(*words, code=code))


def test_a_document_that_says_less_more_or_other_is_refused(command: Command):
    command("reindex")
    result = command("query", "boat", "-n", "1")
    for spoil in (
        lambda piece: piece.pop("hash"),
        lambda piece: piece.update(mood="good"),
        lambda piece: piece.update(span_start="12"),
    ):
        spoilt = deepcopy(result)
        spoil(spoilt["evidence"][0])
        with pytest.raises(jsonschema.ValidationError):
            check("query", spoilt)


def test_an_evaluation_says_what_its_schema_says(command: Command, harbour: Path):
    command("reindex", "--recipe", "lexical", "--recipe", "scan")
    asked = ("eval", "../questions.jsonl", "--baseline", "lexical", "--fail-if", "mrr@10 < baseline", "--per-query")
    found = check("evaluation", command(*asked))
    assert [system["name"] for system in found["systems"]] == ["lexical", "scan"]
    assert (found["questions"], found["unjudged"], len(found["systems"][0]["rows"])) == (6, 1, 6)
    (kept,) = (harbour / ".biblicus" / "local" / "evaluations").glob("*.json")
    assert check("evaluation", json.loads(kept.read_text(encoding="utf-8"))) == found
    assert "rows" not in check("evaluation", command(*asked[:-1]))["systems"][0]
