Feature: A hostile file costs itself
  Parsers of binary formats run in guarded processes; a broken or hostile file is one reported failure.
  Everything else is indexed.

  Scenario: With --strict a failure is an exit code, after everything was built
    Given a corpus with the items
      | path      | text                       |
      | tides.txt | The moon pulls tides.      |
      | bad.pdf   | %PDF-1.7\n1 0 obj <</Broken |
    When the corpus is reindexed with | strict: yes |
    Then it is refused as "check_failed"
    And a query for "moon" returns evidence from "tides.txt"

  Scenario: What failed is told how to be tried again
    Given a corpus with the items
      | path      | text                       |
      | tides.txt | The moon pulls tides.      |
      | bad.pdf   | %PDF-1.7\n1 0 obj <</Broken |
    When I type "biblicus check --failed"
    Then the exit code is 0
    And standard output says "biblicus reindex --retry-failed"

  Scenario: What keeps parsers in is told
    Given a corpus without items
    When I type "biblicus check --sandbox"
    Then the exit code is 0
    And standard output says "opening a connection"
    And standard output says "starting a process"
    And standard output says "1024 MiB"
