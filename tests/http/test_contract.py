"""The OpenAPI document, in both versions, and the service held against it: what it allows is taken, what it does not
is refused, and every answer is one that it describes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from biblicus.connectors.http import openapi
from biblicus.connectors.http.openapi import as_3_0
from tests.http.conftest import Running, Serve, corpus

DOCUMENTS = {"3.1.0": "/openapi.json", "3.0.3": "/openapi-3.0.json"}
_IS_FULL = os.environ.get("BIBLICUS_CONTRACT") == "full"
PHASES = "coverage,fuzzing,stateful" if _IS_FULL else "fuzzing,stateful"
EXAMPLES = "10" if _IS_FULL else "1"
"""All phases take two minutes, so that only `make test-contract` has them, with more examples of each operation."""
CONFIG = """
[checks.negative_data_rejection]  # what is too long is refused as that, before anybody looks what it is
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "431", "5xx"]

# Which cursors there are is nothing that a schema can say; nor that a run and a recipe exclude each other, that `eval`
# and `gold` belong together, which tokenizers and answerers are installed, of which run a word is a part, and which
# layers a corpus has.
[[operations]]
include-operation-id-regex = "^(list_items|tree|events(_page)?|query|context|search|(get|post|stream)_answer|get_run|\
get_item|facets|context_of|get_page_image|page_image|file_part|retrieve|editorial_[a-z]+)$"
[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", "400", "401", "403", "404", "409", "429", "503"]

[[operations]]  # a stream that is followed has no end
include-operation-id = "events"
[operations.parameters]
"query.follow" = "false"

[[operations]]  # nor whether bytes are a document
include-operation-id-regex = "^ingest"
[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", "422", "401", "403", "404", "409", "429", "503"]
"""


@pytest.fixture(scope="module")
def served(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> Running:
    """A service whose corpus may be changed by whatever is sent to it."""
    return serve({"notes": corpus(tmp_path_factory.mktemp("contract") / "notes")})


def read(running: Running, version: str) -> dict[str, Any]:
    found = running.ask("GET", DOCUMENTS[version]).json
    assert found["openapi"] == version
    return dict(found)


@pytest.mark.parametrize("version", DOCUMENTS)
def test_the_document_is_valid(served: Running, version: str):
    import schemathesis  # lazy: half a second for each process that shares out tests

    schemathesis.openapi.from_dict(read(served, version)).validate()


@pytest.mark.parametrize("public_url", [None, "https://notes.example/kb"])
def test_the_document_names_where_the_service_is_reached(serve: Serve, tmp_path: Path, public_url: str | None):
    running = serve({"notes": corpus(tmp_path / "notes")}, public_url=public_url)
    for version in DOCUMENTS:
        (server,) = read(running, version)["servers"]
        assert server["url"] == (public_url or "/")
        assert ("--public-url" in server.get("description", "")) == (public_url is None)


def test_the_older_document_says_nothing_that_it_has_no_words_for(served: Running):
    text = json.dumps(read(served, "3.0.3"))
    for word in ('"type": "null"', '"const":', '"prefixItems":', '"propertyNames":', '"$defs":', '"examples":'):
        assert word not in text


def test_the_description_is_made_when_it_is_asked_for_and_once(serve: Serve, folder: Path):
    def made() -> int:
        return openapi.document.cache_info().misses

    before = made()
    running = serve({"notes": folder}, public_url="https://quay.example")
    assert made() == before, "few who start a service ask for it"
    for path in (*DOCUMENTS.values(), *DOCUMENTS.values()):
        assert running.ask("GET", path).json["servers"] == [{"url": "https://quay.example"}]
    assert made() == before + 1


def test_both_documents_have_the_same_operations_each_with_an_id_of_its_own(served: Running):
    names = []
    for version in DOCUMENTS:
        paths = read(served, version)["paths"]
        names.append([(path, method, op["operationId"]) for path, ops in paths.items() for method, op in ops.items()])
    assert names[0] == names[1]
    ids = [entry[2] for entry in names[0]]
    assert sorted(ids) == sorted(set(ids))


def test_every_operation_says_which_scope_it_needs(served: Running):
    paths = read(served, "3.1.0")["paths"]
    writing = {op["operationId"] for ops in paths.values() for op in ops.values() if op.get("x-scope") == "ingest"}
    notes = {"add_note", "remove_note", "add_alert", "remove_alert"}
    assert writing == {"ingest", "ingest_upload", "weight", "reindex", "cancel_job"} | notes
    free = {path for path, ops in paths.items() for op in ops.values() if not op["security"]}
    assert free == {"/livez", "/readyz", "/health"}


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "string", "nullable": True}),
        ({"type": ["integer", "null"]}, {"type": "integer", "nullable": True}),
        ({"const": "a", "type": "string"}, {"enum": ["a"], "type": "string"}),
        ({"type": "number", "exclusiveMinimum": 0}, {"type": "number", "minimum": 0, "exclusiveMinimum": True}),
        (
            {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}], "minItems": 2},
            {"type": "array", "items": {"type": "integer"}, "minItems": 2},
        ),
        ({"anyOf": [{"$ref": "#/a"}, {"type": "null"}]}, {"anyOf": [{"$ref": "#/a"}], "nullable": True}),
    ],
)
def test_newer_words_have_older_ones(newer: dict[str, Any], older: dict[str, Any]):
    assert as_3_0({"schema": newer})["schema"] == older


def test_the_service_keeps_its_contract(served: Running, tmp_path: Path):
    (tmp_path / "schemathesis.toml").write_text(CONFIG)
    command = [
        *(sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()"),
        *("--config-file", "schemathesis.toml", "run", f"http://127.0.0.1:{served.port}/openapi.json"),
        *("--header", f"Authorization: Bearer {served.token}", "--checks", "all", "--phases", PHASES),
        *("--max-examples", EXAMPLES, "--seed", "1", "--request-timeout", "20", "--no-color"),
        *("--generation-database", "none"),  # nothing is asked twice: to remember it costs a quarter of the time
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=540)
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr
    (generated, passed), *_ = re.findall(r"(\d+) generated, (\d+) passed", done.stdout)
    assert int(generated) == int(passed) > 100
