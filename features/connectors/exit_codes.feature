Feature: Exit codes tell what happened
  0 ok, 2 usage, 3 not found, 4 a check failed, 5 bad data, 6 unavailable, 7 refused; 1 is a bug.
  Failed files are reported and exit 0, or 4 with --strict; thin evidence is an answer.

  Background:
    Given a corpus with the items
      | path      | text                          |
      | tides.txt | The moon pulls tides.         |
      | blank.txt |                               |
      | one.md    | ---\nid: same\n---\nOne text. |
      | two.md    | ---\nid: same\n---\nTwo texts. |
    And a sealed run "first"

  Scenario: Commands and their codes
    When I type these commands
      | command                                   | code |
      | biblicus --help                           | 0    |
      | biblicus --version                        | 0    |
      | biblicus                                  | 0    |
      | biblicus runs                             | 2    |
      | biblicus query --help                     | 0    |
      | biblicus ingest                           | 0    |
      | biblicus ingest --strict                  | 4    |
      | biblicus reindex                          | 0    |
      | biblicus reindex --strict                 | 4    |
      | biblicus query moon                       | 0    |
      | biblicus query submarines                 | 0    |
      | biblicus query " "                        | 2    |
      | biblicus query                            | 2    |
      | biblicus query moon --nosuch              | 2    |
      | biblicus query moon -n 0                  | 2    |
      | biblicus query moon -n many               | 2    |
      | biblicus query moon --doctype pamphlet    | 2    |
      | biblicus query moon --where author        | 2    |
      | biblicus query moon --recipe nosuch       | 3    |
      | biblicus query moon --recipe scan         | 3    |
      | biblicus query moon --run nosuch          | 3    |
      | biblicus query moon --recipe a --run b    | 2    |
      | biblicus nosuch                           | 2    |
      | biblicus show nosuch.txt                  | 3    |
      | biblicus get blank.txt                    | 3    |
      | biblicus get tides.txt --lines 5:9        | 2    |
      | biblicus get tides.txt --lines x          | 2    |
      | biblicus list --tag nosuch                | 0    |
      | biblicus ingest nosuch.txt                | 3    |
      | biblicus ingest --on-duplicate maybe      | 2    |
      | biblicus init .                           | 2    |
      | biblicus remove tides.txt                 | 7    |
      | biblicus runs prune                       | 2    |
      | biblicus runs show nosuch                 | 3    |
      | biblicus check                            | 0    |
      | biblicus verify nosuch.json               | 3    |
      | biblicus verify tides.txt                 | 5    |
      | biblicus -C /nonexistent list             | 3    |
      | biblicus -C / list                        | 3    |
    Then each leaves with its code

  Scenario: Evidence that holds, and evidence that does not
    Given I typed "biblicus query moon --json > result.json"
    And "tides.txt" was since edited to "Another text."
    When I type "biblicus verify result.json"
    Then the exit code is 4
    And standard output says "stale"

  Scenario: Damage that a check finds
    Given a byte of the run's index was flipped
    When I type "biblicus check --read-data"
    Then the exit code is 4

  Scenario: A newer corpus
    Given ".biblicus/catalog.json" says "schema_version": 99
    When I type "biblicus list"
    Then the exit code is 5

  Scenario: Another writer
    Given another writer is at work
    When I type "biblicus ingest"
    Then the exit code is 6
    And standard error says "Another biblicus is writing to this corpus"

  Scenario: Readers do not wait for a writer
    Given another writer is at work
    When I type these commands
      | command                    | code |
      | biblicus query moon        | 0    |
      | biblicus list              | 0    |
      | biblicus get tides.txt     | 0    |
      | biblicus stats             | 0    |
      | biblicus runs list         | 0    |
      | biblicus check --read-data | 0    |
    Then each leaves with its code

  Scenario: A foreign index
    Given we are in a copy of the whole folder, on another machine
    When I type "biblicus query moon"
    Then the exit code is 7
