Feature: An agent that uses a corpus
  An agent gets the evidence that everybody gets, reads on from it, and pays for no more than it asked for. It changes
  nothing unless it was allowed to.

  Background:
    Given a corpus with the items
      | path           | text                                                |
      | tides.txt      | The moon pulls tides.\nThe sun does too, a little.  |
      | notes/gulls.md | ---\ntags: [birds]\n---\n# Gulls\n\nGulls eat fish. |
    And a sealed run "first"

  Scenario: A question
    When "moon tides" is asked with | limit: 5 |
    Then evidence comes only from "tides.txt"
    And the answer is what this process gives

  Scenario: A question with filters
    When "gulls fish moon" is asked with | tag: birds | path: notes/** | limit: 3 |
    Then evidence comes only from "notes/gulls.md"
    And the answer is what this process gives

  Scenario: A weight for a leg that the recipe does not have
    When "moon tides" is asked with | weight: lexcial=0.7 |
    Then it is refused as "usage"
    And the message says "its legs: lexical"

  Scenario: A blank question
    When " " is asked
    Then it is refused as "blank_question"

  Scenario: The items
    When the items are listed
    Then the answer is what this process gives

  Scenario: Exact text
    When the item "notes/gulls.md" is read with | lines: 4:6 |
    Then the answer is what this process gives

  Scenario: Lines that an item does not have
    When the item "tides.txt" is read with | lines: 2:9 |
    Then it is refused as "out_of_bounds"

  Scenario: An answer
    When the agent asks for an answer to "What pulls tides?"
    Then it is told "The moon pulls tides." of "tides.txt"

  Scenario: A question that nothing answers
    When the agent asks for an answer to "Who sang in Reykjavik?"
    Then it is told that nothing answers

  Scenario: An agent reads on from a passage
    When the agent reads the best passage for "little sun" from one line before it
    Then it reads "The moon pulls tides."

  Scenario: More than was asked to be paid for
    Given the file "log.txt" holds 900 lines of "The moon rose."
    When the agent reads "log.txt" for 300 tokens
    Then the answer is cut, and its pages together are "log.txt"

  Scenario: An agent that may only read
    When the agent adds "Kelp grows in cold seas."
    Then it is refused as "scope_missing"
    And the corpus has 2 items

  Scenario: What holds no text is not taken from an agent either
    Given the agent may ingest
    When the agent adds "<!doctype html><script>kelp()</script>"
    Then it is refused as "unfit_input"
    And the corpus has 2 items

  Scenario: An agent that may add
    Given the agent may ingest
    When the agent adds "Kelp grows in cold seas."
    Then the agent finds it by "kelp"
