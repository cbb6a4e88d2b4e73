Feature: Runs of single documents are folded
  A document that is sent can be found when the answer comes, so that each one makes a run. Of such runs in a row the
  newest stays, with the one before it, which a reader may have open; it names those that it stands for.

  Background:
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"

  Scenario: A run that a person asked for stays
    Given the documents "Alfa, Bravo" were sent one by one
    And "tides.txt" was since edited to "The sun pulls, too."
    And a sealed run "second"
    And the documents "Charlie, Delta, Echo" were sent one by one
    When "echo" is asked
    Then the runs left are "first, Bravo, second, Delta, Echo"

  Scenario: A run that a person keeps stays
    Given the document "Alfa" was sent
    And the run "Alfa" was kept
    And the documents "Bravo, Charlie, Delta" were sent one by one
    When the runs are pruned with | keep: 1 |
    Then the runs left are "Alfa, Delta"

  Scenario: A run that is kept no longer goes with the others
    Given the document "Alfa" was sent
    And the run "Alfa" was kept
    And the documents "Bravo, Charlie" were sent one by one
    And the run "Alfa" was kept no longer
    When the documents "Delta" are sent one by one
    Then the runs left are "first, Charlie, Delta"
    And the run "Delta" stands for "Alfa, Bravo"

  Scenario: The latest run of another recipe stays
    Given the document "Alfa" was sent
    And the recipe "twin" is "lexical" with
      """
      query: {budget: {items: 3}}
      """
    And a sealed run "twin" of the recipe "twin"
    When the documents "Bravo, Charlie, Delta" are sent one by one
    Then the runs left are "first, Alfa, Charlie, Delta"

  Scenario Outline: A folded run says what became of it
    Given the documents "Alfa, Bravo, Charlie" were sent one by one
    When <act>
    Then it is refused as "run_folded"
    And the message names the run "Charlie"

    Examples:
      | act                                         |
      | "moon" is asked of the run "Alfa"           |
      | the runs "Alfa" and "Charlie" are compared  |
      | the run "Alfa" is verified                  |
      | the run "Alfa" is pruned                    |

  Scenario: Evidence of a folded run is proved like any other
    Given the document "Alfa" was sent
    And the evidence for "alfa" is kept
    And the documents "Bravo, Charlie" were sent one by one
    When the evidence is verified
    Then it is "ok", because "the text stands at its span"
