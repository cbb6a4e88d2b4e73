Feature: An answer in the documents' own words
  Without a language model an answer is made of sentences, quoted exactly, each with the place where it stands. Where
  nothing answers, the nearest is shown as such; where nothing is near, the answer is empty and says what was searched.

  Background:
    Given a corpus with the items
      | path            | text |
      | rules/boats.md  | # Boats\n\nVisitors are welcome.\n\n## Fees\n\nA visiting boat pays 12 pounds a night. Members pay nothing.\n |
      | rules/lamp.txt  | The lamp of the harbour was lit in 1842. It burns oil, and the keeper trims its wick at dusk. |
      | rules/copy.txt  | As said before, the lamp of the harbour was lit in 1842. |
      | rules/mole.txt  | The north mole is 84 metres long. |
      | old/mole.txt    | The north mole is 96 metres long, and ends in a beacon. |
      | rules/storm.txt | When the barometer falls, which in this bay it does mostly in autumn, and the gulls come in from the open sea to sit on the roofs of the town, and the swell turns round the northern head without any wind that a visitor would notice, the harbour master hoists two black cones, and from then on no boat leaves the harbour until the cones are lowered again by the master himself or by his deputy. |
      | de/hafen.txt    | Der Leuchtturm wurde 1842 gebaut. Die Gebühren zahlt der Hafenmeister. |
      | zh/dengta.txt   | 灯塔建于一八四二年。潮汐每天涨落两次。港口的船长住在山上。 |
    And a sealed run "first"

  Scenario: The sentence that answers is quoted and cited
    When the answerer "quote" is asked "What does a visiting boat pay a night?"
    Then the answer is "A visiting boat pays 12 pounds a night."
    And its citations are | path: rules/boats.md | line_start: 7 | line_end: 7 |
    And every citation verifies

  Scenario: Places that contradict each other are both quoted and named
    When the answerer "quote" is asked "How long is the north mole?"
    Then "84 metres" is quoted once
    And "96 metres" is quoted once
    And the summary says "rules/mole.txt and old/mole.txt differ in numbers"
    And every citation verifies

  Scenario: A sentence that leads to a list brings its items
    Given the file "rules/chest.md" holds "# Chest\n\nThe signal chest contains:\n\n- two black cones\n- a red lantern\n- a horn of brass\n\nOle has its key.\n"
    And a sealed run "second"
    When the answerer "quote" is asked "What does the signal chest contain?"
    Then "The signal chest contains:" is quoted once
    And "- two black cones" is quoted once
    And "- a horn of brass" is quoted once
    And every citation verifies

  Scenario: A row of a workbook answers, cited by its cells
    Given the workbook "q2.xlsx" with
      | sheet | from | cells                  |
      | Q2    | A1   | Boat / Berth / Fee     |
      | Q2    | A2   | Seagull / North 4 / 35 |
      | Q2    | A3   | Cormorant / South / 41 |
    And a sealed run "first"
    When the answerer "quote" is asked "Which berth has the Cormorant?"
    Then the answer is "Boat: Cormorant — Berth: South — Fee: 41"
    And its citations are | path: q2.xlsx | locator: {"from": "A3", "kind": "sheet", "label": "Q2!A3:C3", "to": "C3"} |
    And every citation verifies

  Scenario Outline: What shares no word with the question is no answer, whatever letters look alike
    Given the file "tw/fie.txt" holds "Wɔn nyinaa kɔɔ fie."
    And a sealed run "second"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"

    Examples: one after the other
      | question                              | answer              |
      | Who won the chess tournament?         |                     |
      | Who won?                              |                     |
      | Wɔn nyinaa kɔɔ he?                    | Wɔn nyinaa kɔɔ fie. |

  Scenario: An example answers, too
    Given the file "rules/trim.txt" holds "Much is done by families. For example, the lamp of Storr is trimmed by the smith's daughter."
    And a sealed run "second"
    When the answerer "quote" is asked "Who trims the lamp of Storr?"
    Then it cites "For example, the lamp of Storr is trimmed by the smith's daughter." of "rules/trim.txt"
    And every citation verifies

  Scenario Outline: Questions in other languages
    When the answerer "quote" is asked "<question>"
    Then it cites "<text>" of "<path>"
    And every citation verifies

    Examples: one after the other
      | question                          | text                              | path          |
      | Wann wurde der Leuchtturm gebaut? | Der Leuchtturm wurde 1842 gebaut. | de/hafen.txt  |
      | 灯塔是哪一年建的？                | 灯塔建于一八四二年。              | zh/dengta.txt |

  Scenario: Of a long sentence the clauses that answer are quoted
    When the answerer "quote" is asked "What cones does the harbour master hoist?" with | max_words: 30 |
    Then the answer has at most 30 words
    And the answer holds "the harbour master hoists two black cones"
    And every citation verifies

  Scenario: Nothing answers
    When the answerer "quote" is asked "Which composer wrote the opera about the elephant?"
    Then it is an empty answer
    And it says what was searched

  Scenario: What the corpus holds less of is answered with less confidence
    Given the answerer "quote" was asked "When was the lamp of the harbour lit?"
    When the answerer "quote" is asked "When was the lamp of the harbour lit by the bishop?"
    Then the confidence is lower
