Feature: A daemon that keeps corpora warm
  What a cold question spends on opening an index, the daemon spends once. Nobody has to know that it is there: what it
  cannot answer, the command answers itself.

  Background:
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"

  Scenario: Started, it answers
    Given I typed "biblicus daemon start"
    When I type "biblicus query moon --at daemon"
    Then standard output says "tides.txt, line 1"
    And standard error is empty
    And the daemon keeps the corpus warm

  Scenario: Not started, the command answers and starts it
    Given no daemon runs
    When I type "biblicus query moon --at daemon"
    Then standard output says "tides.txt, line 1"
    And standard error says "The daemon does not answer: it is not running. It is being started."
    And a daemon runs soon

  Scenario: Chosen in the settings
    Given I typed "biblicus daemon start"
    And the setting "at" is "daemon"
    When I type "biblicus list"
    Then standard output says "tides.txt"
    And the daemon keeps the corpus warm

  Scenario: Stopped
    Given I typed "biblicus daemon start"
    When I type "biblicus daemon stop"
    Then standard output says "The daemon has stopped."
    And no daemon runs now

  Scenario: Its log tells what it did, not what was asked
    Given I typed "biblicus daemon start"
    And I typed "biblicus query moon --at daemon"
    When I type "biblicus daemon logs"
    Then standard output says "query ok"
    And standard output says no "moon"
