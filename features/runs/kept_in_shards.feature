Feature: Runs are spread over several databases
  A corpus that is too large for one database has a share of its rows in each of several. A question asks all of them,
  and says so when one does not answer.

  Background:
    Given a corpus with the items
      | path         | text                                                          |
      | sea/boats.md | # Boats\n\nBoats wait for the flood, read-only logs aboard.   |
      | sea/gulls.md | ---\ntags: [birds]\n---\n# Gulls\n\nGulls follow boats at ebb. |
      | tides.txt    | The moon pulls tides.                                         |
    And the user keeps the runs of this folder in 3 databases, as "wide"
    And the corpus was reindexed

  Scenario: The rest is searched while a database does not answer
    Given database 3 is away
    When "moon boats gulls" is asked
    Then evidence comes from "sea/gulls.md"
    And evidence comes from "sea/boats.md"
    And the result notes "Only part of the corpus was searched, because a store does not answer: wide_3"

  Scenario: All is searched again when it is back
    Given database 3 is away
    And database 3 is back
    When "moon boats gulls" is asked
    Then evidence comes from "tides.txt"
    And the result notes nothing

  Scenario: Nothing is built while a database does not answer
    Given database 2 is away
    And "tides.txt" was since edited to "The sun pulls tides."
    When the corpus is reindexed
    Then it is refused as "store_unavailable"
    And the message says "The store wide_2 cannot be used"

  Scenario Outline: A run is spread over the databases that are configured when it is built
    Given the user keeps the runs of this folder in <count> databases, as "wide"
    And the corpus was reindexed
    When "moon boats gulls" is asked
    Then evidence comes from "sea/gulls.md"
    And evidence comes from "tides.txt"
    And each of the <count> databases has rows

    Examples:
      | count |
      | 1     |
      | 2     |
