Feature: An incremental run equals a fresh one
  In a large corpus a reindex adds and removes what changed. Its evidence and digests are those of a fresh build.
  A removed chunk still counts in the average length of a field: as much as one of all chunks, so there are many here.

  Background:
    Given corpora of any size are built incrementally
    And a corpus with the items
      | path        | text                                          |
      | tides.md    | # Tides\n\nThe moon pulls the tides.          |
      | gulls.txt   | Gulls follow the boats over the tide.         |
      | b/ropes.txt | Ropes are coiled by the moon's light.         |
      | c/sun.txt   | The sun pulls the tides a little.             |
      | c/empty.txt |                                               |
    And 600 more items that say "Nothing of note was seen by the watch"
    And a sealed run "first"

  Scenario Outline: After each kind of change
    Given <change>
    When the corpus is reindexed
    Then the runs are | recipe: lexical | built: incremental |
    And a fresh build has the same digests, and the same evidence for
      | question        |
      | moon            |
      | the tides       |
      | "follow the boats" |
      | wind            |

    Examples:
      | change                                                   |
      | the file "winds.txt" holds "The wind turns with the tide." |
      | "gulls.txt" was since edited to "Gulls sleep by moonlight." |
      | "tides.md" was since deleted                             |
      | "tides.md" was since renamed to "a/first.md"             |
      | "b/ropes.txt" was since copied to "b/lines.txt"          |
      | the item "c/sun.txt" was tagged "+star"                  |
      | "c/empty.txt" was since edited to "No longer: the wind." |

  Scenario: One incremental run upon another
    Given the file "winds.txt" holds "The wind turns with the tide."
    And a sealed run "second"
    And "winds.txt" was since deleted
    And "gulls.txt" was since edited to "Gulls sleep by moonlight."
    When the corpus is reindexed
    Then the runs are | recipe: lexical | built: incremental |
    And a fresh build has the same digests, and the same evidence for
      | question  |
      | moon      |
      | wind      |
      | the tides |

  Scenario: The run before it stays as it was
    Given "gulls.txt" was since edited to "Gulls sleep by moonlight."
    And a sealed run "second"
    When "boats" is asked of the run "first"
    Then the evidence is | path: gulls.txt | stale: true |

  Scenario: A changed build is built fresh
    Given the recipe "lexical" is "lexical" with
      """
      build:
        chunking: {default: {by: sentences, sentences: 1, overlap: 0}}
      """
    When the corpus is reindexed
    Then the runs are | recipe: lexical | built: fresh |
