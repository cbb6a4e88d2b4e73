"""Headings of documents of keys: APIs, objects of Kubernetes, compositions, workflows, settings."""

import pytest

from biblicus.contracts import Given, MediaHint
from biblicus.extraction import json, text
from biblicus.models.extraction import Extraction
from biblicus.models.records import NoOptions as Options
from biblicus.text import media

_API = """\
# The harbour's.
openapi: 3.0.0
paths:
  # Boats that lie here.
  /boats:
    parameters: []
    get:
      operationId: listBoats
      description: |
        Lists.
        post: not a key
      responses:
        '200':
          description: the boats
    post:
      summary: Adds one.
  '/boats/{id}':
    delete: {}
components:
  schemas:
    Boat:
      properties:
        name: {type: string}
"""
CASES = {
    "an API": (
        _API,
        [(4, "GET /boats – listBoats"), (15, "POST /boats"), (17, "DELETE /boats/{id}"), (21, "Boat")],
    ),
    "an older API": (
        'swagger: "2.0"\npaths:\n  /boats:\n    get: {}\ndefinitions:\n  Boat: {}\n',
        [(3, "GET /boats"), (6, "Boat")],
    ),
    "objects of Kubernetes": (
        "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: bell\n  labels: {}\n---\napiVersion: v1\nkind: Pod\n",
        [(2, "Service bell"), (8, "Pod")],
    ),
    "a composition": (
        "services:\n  # Rings.\n  bell:\n    image: bell:3\n    ports:\n      - 80:80\n  lamp:\n    image: lamp\n",
        [(2, "bell"), (7, "lamp")],
    ),
    "a workflow": (
        "on: push\njobs:\n  test:\n    steps:\n      - run: make test\n  ship: {}\n",
        [(3, "test"), (6, "ship")],
    ),
    "settings": (
        (
            "# How many boats there are.\nboats: 3\nslip:\n  # The stones on which they lie.\n  stones: 4\n"
            "  # How deep it is there.\n"
            "  depth: 2\nname: x\n"
        ),
        [(1, "boats"), (4, "slip.stones"), (6, "slip.depth")],
    ),
    "settings with a name on each line": (
        (
            "# Where the log is kept, in letters.\nlogfile /var/log/winch\n\n[haul]\n; Boats that are hauled at once.\n"
            "boats = 3\n; Seconds between two of them.\npause: 5\n"
            "[slip] ; the first\n; Whether it is lit at night.\n;lit = yes\n# How often a rope is looked at.\n#\n"
            "#rope-checks 3\nother = 4\n"
        ),
        [(1, "logfile"), (5, "haul.boats"), (7, "haul.pause"), (10, "slip.lit"), (12, "slip.rope-checks")],
    ),
    "two settings": ("# How many boats there are.\nboats: 3\n# How deep it is there.\ndepth: 2\n", []),
    "a list": ("- a: 1\n- b: 2\n", []),
}


def _read(content: str, name: str, media_type: str) -> Extraction:
    reader = json if media_type == "application/json" else text
    extractor = reader.build(Options(), Given())
    extraction = extractor.extract(content.encode(), MediaHint(name, media_type))
    assert isinstance(extraction, Extraction)
    return extraction


def _headings(content: str, extraction: Extraction) -> list[tuple[int, str]]:
    return [(content.count("\n", 0, heading.offset) + 1, heading.title) for heading in extraction.headings]


@pytest.mark.parametrize("name", CASES)
def test_yaml_has_the_headings_of_what_it_describes(name: str) -> None:
    content, wanted = CASES[name]
    path, media_type = ("a.conf", media.INI) if "[haul]" in content else ("a.yaml", media.YAML)
    assert _headings(content, _read(content, path, media_type)) == wanted


def test_the_first_of_several_documents_is_no_front_matter() -> None:
    content = CASES["objects of Kubernetes"][0]
    assert not _read(content, "a.yaml", "application/yaml").masked


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (
            (
                '{\n  "openapi": "3.0.0",\n  "paths": {\n    "/boats": {\n      "get": {\n'
                '        "operationId": "listBoats"\n      }\n'
                '    }\n  },\n  "components": {\n    "schemas": {\n      "Boat": {\n      }\n    }\n  }\n}\n'
            ),
            [(4, "GET /boats – listBoats"), (12, "Boat")],
        ),
        ('{\n  "name": "bell",\n  "boats": {\n    "version": 1\n  }\n}\n', []),
        ('{"a": [1, 2]}\n', []),
    ],
)
def test_json_has_the_headings_of_what_it_describes(content: str, wanted: list[tuple[int, str]]) -> None:
    assert _headings(content, _read(content, "a.json", "application/json")) == wanted
