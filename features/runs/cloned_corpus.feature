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
    Given we are in a clone of the corpus, on another machine
    When "moon" is asked
    Then it is refused as "not_materialized"
    And the hint is "biblicus reindex"

  Scenario: The committed run is brought back
    Given we are in a clone of the corpus, on another machine
    When the corpus is reindexed
    Then the runs are | recipe: lexical | built: rematerialised |
    And the latest run is still "first"
    And every committed file is as it was

  Scenario: Its evidence is the same to the last digit
    Given we are in a clone of the corpus, on another machine
    And the corpus was reindexed
    When "gulls at ebb" is asked
    Then the evidence is that of the original

  Scenario: Where the files differ, a new run is made
    Given we are in a clone of the corpus, on another machine
    And "tides.txt" was since edited to "The sun pulls, too."
    When the corpus is reindexed
    Then the runs are | recipe: lexical | built: fresh | differs: items |
