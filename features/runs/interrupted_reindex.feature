Feature: An interrupted reindex leaves the previous run in charge
  A run exists when its manifest is written, and not before. What a dead writer left is a note, and the next one removes
  it.

  Background:
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"
    And "tides.txt" was since edited to "The sun pulls, too."

  Scenario: The disk is full while a run is built
    When the corpus is reindexed while the disk is full
    Then it is refused as "storage_failed"
    And the latest run is still "first"
    And a query for "moon" returns evidence from "tides.txt"
    And no leftovers are in the folder

  Scenario: The work is done once there is room again
    Given a reindex failed for want of room
    When the corpus is reindexed
    Then the runs are | recipe: lexical | built: fresh |
    And a query for "sun" returns evidence from "tides.txt"

  Scenario: What a dead writer left is a note
    Given a writer died while it built a run
    When the corpus is checked
    Then there are no problems
    And the notes name | path: .biblicus/local/index/ | reason: left by a writer that died |

  Scenario: The next writer removes it
    Given a writer died while it built a run
    When the corpus is reindexed
    Then no leftovers are in the folder

  Scenario: A run without its manifest does not exist
    Given a sealed run "second"
    And the manifest of "second" was lost, as if the writer died just before
    When "moon" is asked
    Then the evidence comes from the run "first"
