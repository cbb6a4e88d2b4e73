Feature: A clone gives the same evidence
  A clone brings manifests and no indexes. A reindex brings the committed run back where the files and components are the
  same, and says what differs where they are not.

  Background:
    Given a corpus with the items
      | path         | text                                    |
      | tides.txt    | The moon pulls tides.                   |
      | sea/gulls.md | # Gulls\n\nGulls follow boats at ebb.   |
    And a sealed run "first"

  Scenario: Before the first reindex
    Given a clone of the corpus, on another machine
    When "moon" is asked of the clone
    Then it is refused as "not_materialized"
    And the hint is "biblicus reindex"

  Scenario: The committed run is brought back
    Given a clone of the corpus, on another machine
    When the clone is reindexed
    Then the runs are
      | recipe  | built          |
      | lexical | rematerialised |
    And the latest run of the clone is "first"
    And the clone's work tree is as it was committed

  Scenario: Its evidence is the same to the last digit
    Given a clone of the corpus, on another machine
    And the clone was reindexed
    When "gulls at ebb" is asked of the clone
    Then the evidence is that of the corpus

  Scenario: Where the files differ, a new run is made
    Given a clone of the corpus, on another machine
    And "tides.txt" in the clone was since edited to "The sun pulls, too."
    When the clone is reindexed
    Then the runs are
      | recipe  | built | differs |
      | lexical | fresh | items   |

  Scenario: Two folders, two days, one index version
    Given another corpus with the same files, made in another order
    When both are reindexed
    Then both runs have the same index version and chunks
    And both give the same evidence for "gulls"
