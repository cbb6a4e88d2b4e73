Feature: Saved questions that tell
  Somebody saves a question, and is told each new passage that answers it: once, after the run that has it.

  Background:
    Given a corpus with the items
      | path      | text                                                   |
      | tariff.md | # Tariff\n\nA berth costs 20 crowns.\n\nWater is free. |
      | gulls.txt | Gulls follow boats.                                    |
    And a sealed run "first"
    And the alert "fees" on "What does a berth cost?"

  Scenario: A new sentence is told once, as an event and in the feed
    Given "tariff.md" was since edited to "# Tariff\n\nA berth costs 20 crowns.\n\nFrom June the berth costs 25 crowns."
    And the file "gulls.txt" holds "Gulls rest on the mole."
    And a sealed run "second"
    And a sealed run "third"
    When the events are read
    Then the alert "fees" told | path: tariff.md | place: line 5 | text: From June the berth costs 25 crowns. |
    And the feed of "fees" has them

  Scenario: An alert looks where its filters say
    Given the alert "birds" on "gulls boats" in "*.txt"
    And the file "notes.md" holds "Gulls left the boats."
    And the file "birds.txt" holds "The gulls left the boats & the mole."
    And a sealed run "second"
    When the events are read
    Then the alert "birds" told | path: birds.txt | text: The gulls left the boats & the mole. |

  Scenario Outline: An alert has a name of its own and a question with words
    When an alert "<name>" on "<question>" is added
    Then it is refused as "usage"
    And the message says "<message>"

    Examples: one after the other
      | name  | question    | message                          |
      | fees  | Which boat? | There is an alert fees already.  |
      | blank | ?!          | The question has no words.       |

  Scenario: A removed alert tells nothing
    Given the alert "fees" was removed
    And the file "more.md" holds "A berth costs nothing in winter."
    And a sealed run "second"
    When the events are read
    Then there is no event "alert.found"
