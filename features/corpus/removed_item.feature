Feature: Removing an item
  An import is forgotten and its copy deleted; a user's own file is deleted only where that was said.
  A refusal removes nothing.

  Background:
    Given a corpus with the items | path: own.txt | text: Gulls follow boats. |
    And a folder outside with the files | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" outside was ingested

  Scenario: An import goes with its sidecar
    When "imports/tides.txt" is removed
    Then the report says | change: removed | path: imports/tides.txt |
    And the folder holds no "imports/tides.txt"
    And the folder holds no "imports/tides.txt.biblicus.yml"

  Scenario: The next run forgets it
    Given a sealed run "first"
    And "imports/tides.txt" was removed
    And a sealed run "second"
    When "moon" is asked
    Then nothing is found

  Scenario: A user's own file is not deleted
    When "own.txt" is removed
    Then it is refused as "refused"
    And the hint is "biblicus remove own.txt --delete-file"
    And the folder holds "own.txt"

  Scenario: Unless that was said
    When "own.txt" is removed with | delete_file: yes |
    Then the report says | change: removed | path: own.txt |
    And the folder holds no "own.txt"

  Scenario: One refusal keeps all
    When "imports/tides.txt" and "own.txt" are removed
    Then it is refused as "refused"
    And the folder holds "imports/tides.txt"
