Feature: An answer from a repository tells what its files declare
  Schemas, descriptions of APIs, makefiles, images, manifests and release notes are asked for by their parts: what is
  declared is quoted as it is written, and a version is the one that is asked for.

  Background:
    Given a corpus with the items
      | path               | text |
      | README.md          | # Bell\n\nRings when fog comes in. The table of tides says when boats move. |
      | CHANGELOG.md       | # Changelog\n\n## [2.0.8](https://example.org/2.0.8) - 2024-05-06\n\n### Fixed\n\n- The rope no longer slips in 2.0.\n\n## [2.0.0](https://example.org/2.0.0) - 2023-02-01\n\n### Changed\n\n- Bells are rung by wind alone.\n- The clapper is of bronze.\n\n## 1.10\n\n*Released on 3 May 2022*\n\n- Lamps are lit at dusk.\n\n## 1.9\n\n- The cork clapper is deprecated; the horn stays.\n- Adds a horn that ships hear.\n\n## 1.8\n\n- Fixes how the horn of ships is polished. |
      | docs/release/5.2.md | # Harbour 5.2 Release Notes\n\nThis came after 5.1.\n\n## Gear\n\n- Grapnels are forged.\n\n## Deprecated features\n\n- Thole pins of iron go with the next one. |
      | docs/migrate.md    | # Migrating to 5.2\n\nWhoever moves to 5.2 takes all pins out first. |
      | capstan/CHANGELOG.md | # Changelog\n\n## [1.3.0] - 2024-05-01\n\n### Fixed\n\n- Add a guard so the capstan cannot jam.\n- Support for tests of the sextant.\n\n### Removed\n\n- Whale oil\n\n## [1.2.0] - 2023-05-01\n\n### Changed\n\n- Capstan speed is now 3.\n\n## [1.0.0] - 2022-01-01\n\n### Added\n\n- Capstan\n- Sextant with two mirrors.\n- Whale oil |
      | docs/brass.md      | # Brass\n\nWhoever polishes a horn takes chalk. |
      | docs/reeving.md    | # Tackles\n\n## With a gin\n\nYou can also reeve your halyards with [tackles](https://example.org/tackles):\n```go\nvar block string\n\nfunc init() {\n  Reeve("block", &block)\n}\n```\n\nIn this way, the halyard is rove with a tackle.\n**Note**: the halyard will not be greased by tackles, when the `--dry` option is given by the user. |
      | docs/sheets.md     | # Sheets\n\n## Running sheets\n\nA sheet can be made to run, which hauls every sail that stands behind it.\n\nIt is of hemp.\n\n## Standing sheets\n\nA sheet can also be made fast to one cleat, where it stays.\n\n## Groups\n\nIn both of these cases:\n\n- both standing and running sheets can be used |
      | docs/lockers.md    | # Lockers\n\n## Locker files\n\nHarbour reads locker files that change what it does by itself.\n\nA line of it says what a man has in his chest, and what he gives to others, and who may open it by day or by night, on the quay and at sea, in fog and in snow, with the mate beside him or without, as the crew of each of the ships has said since the first of them sailed from here in spring with salt, oil and bread for all the winter.\n\nHarbour will look for a single locker file if HARBOUR_LOCKER is set. |
      | tests/ratlines.md  | # Ratlines\n\nTo rattle down ratlines, tie them with clove hitches. |
      | tests/test_oakum.py | def test_oakum():\n    """A caulker has to caulk a wet seam with oakum and pitch by night."""\n |
      | docs/oakum.md      | # Seams\n\nWith a mallet you caulk a seam. |
      | docs/statutes.md   | # Statutes\n\n## 2.2 Dogs\n\nDogs are allowed on the jetty. |
      | docs/sculls.md     | # Sculls\n\n## 1.4\n\nNew: sculls of ash. |
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
      | db/1_buoys.rb      | class MakeBuoys < ActiveRecord::Migration[4.2]\n  def self.up\n    create_table "ropes", :force => true do \|t\|\n      t.column "strands", :integer\n    end\n    create_table :buoys do \|t\|\n      t.column :colour, :string\n    end\n    add_index :buoys, :colour\n  end\nend\n |
      | lib/buoys.rb       | module Buoys\n  # Paints what lies ashore.\n  def buoys(table)\n    table.columns.each { \|column\| column.buoys }\n  end\nend\n |
      | modules/fender.py  | #!/usr/bin/python\nfrom ropes import tie\n\nDOCUMENTATION = r'''\n---\nmodule: fender\nshort_description: Hang fenders over the side\ndescription:\n  - Hangs cork between a hull and the quay.\noptions:\n  slack:\n    description:\n      - How far the fender may sink,\n        in fathoms.\n    type: int\n    default: 2\n  exclusive:\n    description:\n      - Whether all others are taken in.\n    type: bool\n    version_added: 1.4.0\n'''\n\nRETURN = r'''\nhung:\n  description: Which ones hang.\n  returned: always\n'''\n\n\ndef main():\n    tie(slack=2, exclusive=True)\n |
      | docs/functions.md  | # Query functions\n\n## `haul_rate()`\n\n`haul_rate(boats vector)` calculates how many boats come up\nin an hour.\n\n## `ebb()`\n\n`ebb(tide scalar)` is the water that falls.\n |
      | docs/gong.rst      | ====\ngong\n====\n\nSounds low.\n\n.. versionadded:: 1.4\n |
      | docs/bollard.md    | # bollard\n\nHolds a rope of any boat that comes alongside the quay by day or night.\n\n## Version History\n\n\| Version \| Changes \|\n\| --- \| --- \|\n\| `v15.2.0` \| `bollard` became stable. \|\n\| `v15.1.0` \| `unstable_bollard` introduced. \| |
      | docs/hawsers.md    | # Hawsers\n\nHawsers may be laid by hand. Support for hawsers was added with Harbour version 3.4.0 (2020-01-22). |
      | docs/fenders.md    | # SOFT fenders\n\nThe SOFT word at the end is known by Harbour version 3.7 (2021) and later. |
      | docs/NEWS.md       | # News\n\n## 2.9\n\n- Add softly lit ladders.\n- Ladder: climbs by itself.\n\n## 2.7\n\n- Support for ladders that are SOFT. |
      | docs/ladders.md    | # Climbing\n\nA ladder has rungs of ash. |
      | lib/tides.rb       | module Tides\n  # Counts them.\n  def spring_tides\n    2\n  end\n\n  def neap_tides\n    2\n  end\n\n  def king_tides\n    1\n  end\nend\n |
      | docs/tides.md      | # Water\n\nThe tides are two: those of spring, and those of neap. |
      | config/locales/de.yml | de:\n  lantern_oil: Which oil burns in a lantern\n |
      | y9.csv             | keel,oars\nSloop,2\n |
      | docs/lantern.md    | # Lantern\n\nIn a lantern burns the oil of whales. |
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
      | How do I polish the horn of ships?            | Whoever polishes a horn takes chalk. |
      | How do I reeve halyards with tackles?         | var block string\n\nfunc init() { |
      | What is the difference between running and standing sheets? | A sheet can be made to run, which hauls every sail that stands behind it. A sheet can also be made fast to one cleat, where it stays. |
      | Where is the locker file?                     | Harbour reads locker files that change what it does by itself. Harbour will look for a single locker file if HARBOUR_LOCKER is set. |
      | How do I rattle down ratlines?                | To rattle down ratlines, tie them with clove hitches. |
      | How do I caulk a wet seam with oakum and pitch? | With a mallet you caulk a seam. |
      | What does the target sweep do?                | Sweep the stones of the slip. |
      | Which port does the container expose?         | EXPOSE 7070 |
      | Which base image does the Dockerfile use?     | FROM debian:12 |
      | Which Python versions are supported?          | requires-python = ">=3.9" |
      | Which Python versions does bell need?         | requires-python = ">=3.9" |
      | What is the minimum Python version?           | requires-python = ">=3.9" |
      | What are the entry points?                    | [project.scripts]\nring = "bell.cli:ring" |
      | Who are the owners?                           | ada@example.org |
      | When was 2.0 released?                        | 2.0.0 - 2023-02-01 |
      | When was 2.0.8 released?                      | 2.0.8 - 2024-05-06 |
      | When was version 1.10 released?               | Released on 3 May 2022 |
      | What changed in 2.0?                          | - Bells are rung by wind alone.\n- The clapper |
      | What was removed in 1.3.0?                    | Whale oil |
      | What changed in 5.2?                          | This came after 5.1. Grapnels are forged. |
      | What is deprecated in 5.2?                    | Thole pins of iron go with the next one. |
      | What is new in 1.10?                          | Lamps are lit at dusk. |
      | What does Port.moor do?                       | Moors a boat until the ebb. |
      | What is aws_slip.north?                       | Where boats lie dry. |
      | What is y9.csv?                               | keel: Sloop; oars: 2 |
      | Which columns has the table buoys?            | create_table :buoys do \|t\|\n      t.column :colour, :string |
      | Which columns does ropes have?                | create_table "ropes", :force => true do \|t\| |
      | What does slack do in fender?                 | How far the fender may sink, in fathoms. |
      | What does the exclusive option of fender do?  | Whether all others are taken in. |
      | What does haul_rate do?                       | haul_rate(boats vector) calculates how many boats come up in an hour. |
      | Which version added the horn?                 | 1.9 Adds a horn that ships hear. |
      | In which version was the cork clapper deprecated? | 1.9 The cork clapper is deprecated; the horn stays. |
      | Since which version is the gong option available? | versionadded 1.4 |
      | Which version added the capstan?              | [1.0.0] - 2022-01-01 Capstan |
      | In which version was the sextant added?       | [1.0.0] - 2022-01-01 Sextant with two mirrors. |
      | Which version removed whale oil?              | [1.3.0] - 2024-05-01 Whale oil |
      | Since when are dogs allowed on the jetty?     | Dogs are allowed on the jetty. |
      | Which version added sculls of ash?            | 1.4 New: sculls of ash. |
      | When was whale oil removed?                   | [1.3.0] - 2024-05-01 Whale oil |
      | Which version added exclusive?                | version_added: 1.4.0 |
      | Which version added bollard?                  | Version: v15.1.0; Changes: unstable_bollard introduced. |
      | When were hawsers added?                      | Support for hawsers was added with Harbour version 3.4.0 |
      | In which version was SOFT added?              | The SOFT word at the end is known by Harbour version 3.7 |
      | In which version were SOFT ladders added?     | 2.7 Support for ladders that are SOFT. |
      | What is a ladder?                             | A ladder has rungs of ash. |
      | Which oil burns in a lantern?                 | In a lantern burns the oil of whales. |
      | Which tides are there?                        | The tides are two: those of spring, and those of neap. |
