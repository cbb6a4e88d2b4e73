Feature: Messages that are pasted
  Who meets an error pastes its message. It asks nothing, and the page that says it word for word is wanted.

  Scenario: A message of one name is not drowned by the word before it
    Given a corpus with the items
      | path     | text |
      | notes.md | # Notes\n\nOf 1.2: said what the hand-turned-winch is, and how it is oiled. Whoever hauls with it breaks the pawl. |
      | error.md | # Rules\n\nThe winch of a hand makes an error, if it is turned. An error is told. |
      | crew.md  | # Crew\n\nWho makes an error is told so. |
      | tide.md  | # Tide\n\nNo error is made twice. |
    And a sealed run "first"
    When these questions are asked
      | question                 | path     |
      | error: hand-turned-winch | notes.md |
      | error of a hand          | error.md |
    Then each finds its best evidence

  Scenario Outline: Of what a log and a manual hold, the log comes first for a line that asks nothing
    Given a corpus with the items
      | path          | text |
      | logs/tide.log | 2024-05-05 06:12:07 INFO tide: 5 gauges read at the quay\n2024-05-05 06:14:02 ERROR tide: gauge 7 at the mole says: connection refused\n2024-05-05 06:20:00 INFO tide: 6 gauges read at the quay\n |
      | gauge.md      | # Tide house\n\nThe gauge opens a connection to the tide house. What is refused is tried again by the gauge. |
    And a sealed run "first"
    When "<question>" is asked
    Then the evidence starts with | path: <path> |

    Examples:
      | question                              | path          |
      | Why is a gauge connection refused?    | gauge.md      |

  Scenario: A log does not tell how something is done
    Given a corpus with the items
      | path          | text |
      | logs/rope.log | 06:12 PASS: splice rope by hand\n06:14 PASS: splice rope by hand\n06:20 PASS: splice rope by winch\n |
      | ropes.md      | # Ropes\n\nBefore a rope is used it is looked at. To splice one, unlay three strands and tuck each of them in turn, against the lay. |
    And a sealed run "first"
    When these questions are asked
      | question               | path          |
      | how to splice a rope   | ropes.md      |
      | PASS: splice rope      | logs/rope.log |
    Then each finds its best evidence
