Feature: A corpus is reindexed
  Reindexing refreshes the catalog and seals a run: a manifest that says what was built, from what and with what.
  Nothing is overwritten, and nothing is built where nothing changed.

  Scenario: The first run
    Given a corpus with the items
      | path      | text                  |
      | tides.txt | The moon pulls tides. |
      | gulls.txt | Gulls follow boats.   |
    When the corpus is reindexed
    Then the runs are | recipe: lexical | built: fresh | items: 2 | chunks: 2 |
    And its manifest names what it was built from and with

  Scenario: Bytes that are written in letters are no chunks
    Given a corpus with the items | path: tide.txt | text: The moon pulls tides. |
    And the file "ferry.txt" holds 400 lines of base64 between "The timetable of the ferry:" and "Best, Bo"
    When the corpus is reindexed
    Then the runs are | recipe: lexical | built: fresh | items: 2 | chunks: 3 |
    When "timetable of the ferry" is asked
    Then the evidence starts with | path: ferry.txt |

  Scenario: A reindex refreshes first
    Given a corpus without items
    And the file "tides.txt" holds "The moon pulls tides."
    When the corpus is reindexed
    Then the report says | change: added | path: tides.txt |
    And a query for "moon" returns evidence from "tides.txt"

  Scenario: Where nothing changed, the run stands
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"
    When the corpus is reindexed
    Then the runs are | recipe: lexical | built: unchanged | items: 1 | chunks: 1 |
    And the latest run is still "first"

  Scenario Outline: After any change the next run knows it
    Given a corpus with the items
      | path      | text                  |
      | tides.txt | The moon pulls tides. |
      | gulls.txt | Gulls follow boats.   |
    And a sealed run "first"
    And <change>
    And a sealed run "second"
    When "<question>" is asked
    Then <outcome>

    Examples:
      | change                                                  | question | outcome                        |
      | "tides.txt" was since edited to "The sun pulls, too."   | sun      | evidence comes from "tides.txt" |
      | "tides.txt" was since edited to "The sun pulls, too."   | moon     | nothing is found               |
      | "tides.txt" was since renamed to "sea/moon.txt"         | moon     | evidence comes from "sea/moon.txt" |
      | "tides.txt" was since deleted                           | moon     | nothing is found               |
      | "tides.txt" was since copied to "copy.txt"              | moon     | evidence comes from "copy.txt" |
      | the file "winds.txt" holds "The wind turns west."       | wind     | evidence comes from "winds.txt" |

  Scenario: A run is never overwritten
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"
    And the manifest of "first" is remembered
    And "tides.txt" was since edited to "The sun pulls, too."
    When the corpus is reindexed
    Then the manifest of "first" is the very same
    And the manifest of the new run names "first" as its parent

  Scenario: An old run still answers from its own snapshot
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"
    And "tides.txt" was since edited to "The sun pulls, too."
    And a sealed run "second"
    When "moon" is asked of the run "first"
    Then the evidence is | path: tides.txt | text: The moon pulls tides. | stale: true |

  Scenario: Built anew because that was asked
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"
    When the corpus is reindexed with | fresh: yes |
    Then the runs are | recipe: lexical | built: fresh |
    And the new run has the index version and chunks of "first"

  Scenario: A bare reindex builds the default recipe and every one that has a run
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "scanned" of the recipe "scan"
    When the corpus is reindexed
    Then the runs are
      | recipe  | built     |
      | lexical | fresh     |
      | scan    | unchanged |

  Scenario: Another default recipe
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And the corpus's configuration adds
      """
      default_recipe: scan
      """
    When the corpus is reindexed
    Then the runs are | recipe: scan | built: fresh |

  Scenario: Before the first run, the way to one is named
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    When "moon" is asked
    Then it is refused as "no_run"
    And the hint is "biblicus reindex"
