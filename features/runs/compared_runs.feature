Feature: Runs are compared, verified and pruned
  A diff says which settings, components and items differ. Verifying rebuilds the present state and compares digests.
  Pruning never takes the latest run of a recipe unless told to.

  Background:
    Given a corpus with the items
      | path      | text                  |
      | tides.txt | The moon pulls tides. |
      | gulls.txt | Gulls follow boats.   |
      | ropes.txt | Ropes are coiled.     |
    And a sealed run "first"

  Scenario: Items that differ
    Given "tides.txt" was since edited to "The sun pulls, too."
    And "gulls.txt" was since deleted
    And "ropes.txt" was since renamed to "lines.txt"
    And the file "winds.txt" holds "The wind turns west."
    And a sealed run "second"
    When the runs "first" and "second" are compared
    Then the items differ in
      | difference | items                  |
      | added      | winds.txt              |
      | removed    | gulls.txt              |
      | renamed    | ropes.txt -> lines.txt |
      | changed    | tides.txt              |
    And the settings are the same

  Scenario: Items of a run whose index was pruned, while another run or the catalog still has them
    Given "tides.txt" was since edited to "The sun pulls, too."
    And a sealed run "second"
    And the index of "second" is not there
    When the runs "first" and "second" are compared
    Then the items differ in
      | difference | items     |
      | added      |           |
      | removed    |           |
      | renamed    |           |
      | changed    | tides.txt |

  Scenario: Items of a run whose index was pruned, and that nobody knows any more
    Given "tides.txt" was since edited to "The sun pulls, too, and so does the moon."
    And "gulls.txt" was since deleted
    And a sealed run "second"
    And the index of "first" is not there
    When the runs "first" and "second" are compared
    Then the items of "first" are not known
    And the counts differ in | count: items | first: 3 | second: 2 |

  Scenario: Settings that differ
    Given the recipe "fine" is "lexical" with
      """
      build:
        chunking: {default: {by: paragraphs, tokens: 50}}
      """
    And a sealed run "second" of the recipe "fine"
    When the runs "first" and "second" are compared
    Then the settings differ in
      | setting                       | first   | second |
      | build.chunking.default.tokens | 320     | 50     |
      | name                          | lexical | fine   |

  Scenario: A run that is what the corpus gives
    When the run "first" is verified
    Then the run holds

  Scenario: A run that is not what the corpus gives any more
    Given "tides.txt" was since edited to "The sun pulls, too."
    And the catalog was refreshed
    When the run "first" is verified
    Then the run differs in "items, chunks"

  Scenario Outline: Keeping the newest
    Given "tides.txt" was since edited to "The sun pulls, too."
    And a sealed run "second"
    And "tides.txt" was since edited to "The stars do, too."
    And a sealed run "third"
    When the runs are pruned with | keep: <keep> |
    Then the runs left are "<left>"

    Examples:
      | keep | left                 |
      | 0    | third                |
      | 1    | third                |
      | 2    | second, third        |
      | 3    | first, second, third |
      | 4    | first, second, third |
      | 5    | first, second, third |

  Scenario: The latest run of a recipe stays
    When the run "first" is pruned
    Then it is refused as "usage"
    And the runs left are "first"

  Scenario: Unless told to
    When the run "first" is pruned with | latest: yes |
    Then there are no runs left
    And a query for "moon" is refused as "no_run"

  Scenario: Of one build, two materializations are kept
    Given "tides.txt" was since edited to "The sun pulls, too."
    And a sealed run "second"
    And "tides.txt" was since edited to "The stars do, too."
    And a sealed run "third"
    When "stars" is asked
    Then the runs that can be searched here are "second, third"
    And the manifest of "first" is there

  Scenario Outline: A run is named by a part of its id that no other has
    When the run called "<name>" is verified
    Then <outcome>

    Examples: one after the other
      | name     | outcome                          |
      | lexical- | the run holds                    |
      | nothing  | it is refused as "run_not_found" |
      | ../x     | it is refused as "run_not_found" |

  Scenario Outline: A run of a reranker that is no more
    Given the manifest of "first" reranks by "mmr"
    When <act>
    Then it is refused as "<code>"
    And the message says "There is no rerank plug-in "mmr""
    And the hint says "biblicus reindex, which builds a new run, or pip install"

    Examples: one after the other
      | act                                | code         |
      | "moon" is asked of the run "first" | unknown_name |
      | the run "first" is verified        | invalid_file |
