Feature: Evidence that the folder has left behind is marked
  A run answers from its own snapshot; where the item's file changed or vanished since, the evidence says stale.

  Background:
    Given a corpus with the items
      | path      | text                  |
      | tides.txt | The moon pulls tides. |
      | other.txt | The moon is far away. |
    And a sealed run "first"

  Scenario Outline: Files change after the run
    Given <change>
    When "pulls tides" is asked
    Then the evidence starts with | path: tides.txt | text: The moon pulls tides. | stale: <stale> |

    Examples:
      | change                                                | stale |
      | the catalog was refreshed                             | -     |
      | every file was since touched                          | -     |
      | "other.txt" was since deleted                         | -     |
      | "tides.txt" was since edited to "Another text."       | true  |
      | "tides.txt" was since edited to "The noon pulls tides." with the same size and times | true |
      | "tides.txt" was since deleted                         | true  |
      | "tides.txt" was since renamed to "sea.txt"            | true  |
      | "tides.txt" is now a link to "other.txt"              | true  |
