Feature: Folders that a program made are left out
  Packages, environments, caches and builds are no documents of anybody. What they are is proved by what lies in them or
  beside them; a folder is never left out for its name alone, and one line of the configuration takes them in.

  Background:
    Given a folder with the files
      | path                                | text                                              |
      | notes.md                            | The moon pulls tides.                             |
      | page/node_modules/left/package.json | {}                                                |
      | page/node_modules/left/README.md    | Left of the moon.                                 |
      | tool/env/pyvenv.cfg                 | home = /usr/bin                                   |
      | tool/env/lib/readme.txt             | Moon in the environment.                          |
      | tool/__pycache__/tides.cpython.pyc  | moon                                              |
      | .cachet/x.txt                       | moon                                              |
      | cached/CACHEDIR.TAG                 | Signature: 8a477f597d28d172789f06886806bc55\\n    |
      | cached/deep/moon.txt                | A cached moon.                                    |
      | rust/Cargo.toml                     | [package]                                         |
      | rust/target/doc/moon.txt            | A built moon.                                     |
      | plan/target/moon.txt                | The target is the moon.                           |
      | plan/build/moon.txt                 | Build a rocket.                                   |
      | plan/dist/moon.txt                  | Distances.                                        |
      | plan/vendor/moon.txt                | The vendor of lamps.                              |
      | plan/node_modules/moon.txt          | Modules of a node, drawn by hand.                 |
      | plan/CACHEDIR.TAG.md                | What a tag is.                                    |

  Scenario: By proof, not by name
    When the folder is made a corpus and refreshed
    Then the catalog holds
      | path                       |
      | notes.md                   |
      | plan/CACHEDIR.TAG.md       |
      | plan/build/moon.txt        |
      | plan/dist/moon.txt         |
      | plan/node_modules/moon.txt |
      | plan/target/moon.txt       |
      | plan/vendor/moon.txt       |
      | rust/Cargo.toml            |

  Scenario: They are told in one line, with what takes them in
    Given I typed "biblicus init"
    When I type "biblicus reindex"
    Then standard output says "Left out: 5 machine-made folders (cached/, page/node_modules/, rust/target/, …)"
    And standard output says "machine_made: true in .biblicus/config.yml takes them in"

  Scenario Outline: What proves it may come and go
    Given I typed "biblicus init"
    And the catalog was refreshed
    And <change>
    When the catalog is refreshed
    Then the report says of "<report>" also "<path>"

    Examples:
      | change                                                                | report  | path                     |
      | "tool/env/pyvenv.cfg" was since deleted                               | added   | tool/env/lib/readme.txt  |
      | "rust/Cargo.toml" was since deleted                                   | added   | rust/target/doc/moon.txt |
      | the file "plan/Cargo.toml" holds "[package]"                          | removed | plan/target/moon.txt     |
      | the file "plan/dist/pyvenv.cfg" holds "home = /usr"                   | removed | plan/dist/moon.txt       |
