Feature: An answer from a repository tells what its files declare
  Schemas, descriptions of APIs, makefiles, images, manifests and release notes are asked for by their parts: what is
  declared is quoted as it is written, and a version is the one that is asked for.

  Background:
    Given a corpus with the items
      | path               | text |
      | README.md          | # Bell\n\nRings when fog comes in. The table of tides says when boats move. |
      | CHANGELOG.md       | # Changelog\n\n## [2.0.8](https://example.org/2.0.8) - 2024-05-06\n\n### Fixed\n\n- The rope no longer slips in 2.0.\n\n## [2.0.0](https://example.org/2.0.0) - 2023-02-01\n\n### Changed\n\n- Bells are rung by wind alone.\n- The clapper is of bronze.\n\n## 1.10\n\n*Released on 3 May 2022*\n\n- Lamps are lit at dusk. |
      | schema.sql         | -- The harbour.\n\n--\n-- Table "boats"\n--\n\nCREATE TABLE boats (\n    boat_id integer PRIMARY KEY,\n    hull varchar(40) NOT NULL\n);\nCREATE INDEX boats_hull ON boats (hull);\n\nCREATE TABLE berths (\n    berth_id integer,\n    boat_id integer REFERENCES boats (boat_id)\n);\n |
      | migrations/2.sql   | ALTER TABLE boats ADD COLUMN draught integer;\nALTER TABLE boats DROP COLUMN flag;\n |
      | slip.proto         | syntax = "proto3";\n\n// Hauls what lies in the water.\nservice Slip {\n  // Brings one boat up at the flood.\n  rpc Haul(HaulRequest) returns (HaulReply);\n}\n\nmessage HaulRequest {\n  string boat = 1;\n  // How many hands pull.\n  int32 hands = 2;\n}\n |
      | port.graphql       | """\nA place where a boat lies.\n"""\ntype Berth {\n  """Metres of water at ebb."""\n  depth: Int!\n}\n\nenum Gate {\n  OPEN\n  SHUT\n}\n |
      | api.yaml           | openapi: 3.0.0\npaths:\n  /boats:\n    get:\n      operationId: listBoats\n      summary: Lists what lies here.\n      parameters:\n        - name: limit\n      responses:\n        '200':\n          description: A page of boats.\n        '404':\n          description: No such page.\n  /boats/{id}:\n    get:\n      summary: Tells of one boat.\n      responses:\n        '200':\n          description: The boat itself.\ncomponents:\n  schemas:\n    Boat:\n      properties:\n        keel:\n          type: string\n |
      | Makefile           | .PHONY: haul\n# All of them.\nhaul: boats ## Bring every boat up\n\t@echo up\n\n# Sweep the stones of the slip.\nsweep:\n\t@rm -rf weed\n |
      | Dockerfile         | # The bell in a box.\nFROM debian:12\nEXPOSE 7070\nENTRYPOINT ["bell"]\n |
      | pyproject.toml     | [project]\nname = "bell"\nrequires-python = ">=3.9"\nmaintainers = [{name = "Ada Stone"}]\n\n[project.scripts]\nring = "bell.cli:ring"\n |
      | OWNERS             | # Who looks after the bell.\nada@example.org\ntom@example.org\n |
      | port.ex            | defmodule Port do\n  @doc """\n  Moors a boat until the ebb.\n  """\n  def moor(boat) do\n    boat\n  end\nend\n |
      | main.tf            | # Where boats lie dry.\nresource "aws_slip" "north" {\n  stones = 40\n}\n |
    And a sealed run "first"

  Scenario Outline: What is asked for is told by what declares it
    When the answerer "quote" is asked "<question>"
    Then the answer begins with "<answer>"
    And every citation verifies

    Examples:
      | question                                      | answer |
      | Which columns has the table boats?            | CREATE TABLE boats ( |
      | What columns does berths have?                | CREATE TABLE berths ( |
      | What is the type of boats.hull?               | hull varchar(40) NOT NULL |
      | What fields does HaulRequest have?            | message HaulRequest { |
      | What does Slip.Haul do?                       | Brings one boat up at the flood. |
      | Which values has the enum Gate?               | enum Gate { |
      | What is a Berth?                              | A place where a boat lies. |
      | What does GET /boats return?                  | '200':\n          description: A page of boats. |
      | What does GET /boats/{id} do?                 | summary: Tells of one boat. |
      | Which parameters does listBoats take?         | parameters:\n        - name: limit |
      | Which properties has Boat?                    | properties:\n        keel: |
      | What does make haul do?                       | Bring every boat up |
      | What does the target sweep do?                | Sweep the stones of the slip. |
      | Which port does the container expose?         | EXPOSE 7070 |
      | Which base image does the Dockerfile use?     | FROM debian:12 |
      | Which Python versions are supported?          | requires-python = ">=3.9" |
      | What are the entry points?                    | [project.scripts]\nring = "bell.cli:ring" |
      | Who are the owners?                           | ada@example.org |
      | When was 2.0 released?                        | 2.0.0 - 2023-02-01 |
      | When was 2.0.8 released?                      | 2.0.8 - 2024-05-06 |
      | When was version 1.10 released?               | Released on 3 May 2022 |
      | What changed in 2.0?                          | - Bells are rung by wind alone.\n- The clapper |
      | What is new in 1.10?                          | Lamps are lit at dusk. |
      | What does Port.moor do?                       | Moors a boat until the ebb. |
      | What is aws_slip.north?                       | Where boats lie dry. |
