Feature: A conversation on the terminal
  Questions are asked one after the other; one that refers back is asked with words of the turn before, which is said.

  Background:
    Given a corpus with the items
      | path        | text                                                                                             |
      | licences.md | # Licences\n\nA fishing licence for a week costs 40 crowns.\n\nA fishing licence for a month costs 120 crowns. |
      | pilots.md   | # Pilots\n\nThe pilot of the harbour is Ada Berg.\n\nThe harbour has two winches.                   |
    And a sealed run "first"

  Scenario Outline: A question that refers back
    Given the file "asked.txt" holds "<first>\n<second>\n"
    When I type "biblicus chat < asked.txt"
    Then standard output says "<answer>"
    And standard output says "Asked as: <asked>"

    Examples:
      | first                                      | second               | asked                                             | answer                                          |
      | What does a fishing licence for a week cost? | and for a month?   | What does a fishing licence for a month cost?     | A fishing licence for a month                   |
      | What does a fishing licence cost for a week? | What about a month? | What does a fishing licence cost for a week? a month? | A fishing licence for a month                   |
      | How many winches does the harbour have?    | And who is its pilot? | And who is its pilot? (winches, harbour)        | The pilot of the harbour is Ada Berg.           |

  Scenario: A question that stands by itself is asked by itself
    Given the file "asked.txt" holds "What does a fishing licence for a week cost?\nWho is the pilot of the harbour?\n"
    When I type "biblicus chat < asked.txt"
    Then standard output says "The pilot of the harbour is Ada Berg."
    And standard output says no "Asked as"

  Scenario: A history that goes on another day
    Given the file "asked.txt" holds "What does a fishing licence for a week cost?\n"
    And the file "more.txt" holds "and for a month?\n"
    And I typed "biblicus chat --history talk.jsonl < asked.txt"
    When I type "biblicus chat --history talk.jsonl < more.txt"
    Then standard output says "Asked as: What does a fishing licence for a month cost?"
    And the file "talk.jsonl" holds 2 lines

  Scenario: A conversation as a note, whose passages can be proved and which answers nothing itself
    Given the file "asked.txt" holds "What does a fishing licence for a week cost?\nand for a month?\n"
    When I type "biblicus chat --save talk.md < asked.txt"
    Then the file "talk.md" still holds "---\ntitle: "What does a fishing licence for a week cost?"\ndoctype: conversation\n---\n# What does a fishing licence for a week cost?\n\n## What does a fishing licence for a week cost?\n\n> A fishing licence for a week costs 40 crowns.\n>\n> [licences.md:3]\n\n## and for a month?\n\nAsked as: What does a fishing licence for a month cost?\n\n> A fishing licence for a week costs 40 crowns.\n>\n> A fishing licence for a month costs 120 crowns.\n>\n> [licences.md:3-5]\n"
    When I type "biblicus verify --citations talk.md"
    Then standard error says "Quoted passages that stand: 2 of 2."
    When I type "biblicus reindex"
    And I type "biblicus query 'What does a fishing licence for a week cost?'"
    Then standard output says "talk.md"
    When I type "biblicus answer 'What does a fishing licence for a week cost?'"
    Then standard output says "licences.md"
    And standard output says no "talk.md"
    When I type "biblicus context 'What does a fishing licence for a week cost?'"
    Then standard output says "licences.md"
    And standard output says no "talk.md"
    When I type "biblicus context --doctype conversation 'What does a fishing licence for a week cost?'"
    Then standard output says "talk.md"
    When I type "biblicus chat --save talk.md < asked.txt"
    Then the exit code is 2
    And standard error says "talk.md is there already"

  Scenario: A file that is no history is left alone
    Given the file "asked.txt" holds "Who is the pilot?\n"
    When I type "biblicus chat --history pilots.md < asked.txt"
    Then the exit code is 2
    And standard error says "pilots.md is no history of a conversation"

  Scenario: What is not indexed yet is told, and an answer that is none does not end the conversation
    Given the file "asked.txt" holds "What do submarines eat?\n\nWho is the pilot of the harbour?\n"
    When I type "biblicus chat < asked.txt"
    Then the exit code is 0
    And standard output says "No answer"
    And standard output says "The pilot of the harbour is Ada Berg."
    And standard output says "1 file is not indexed yet: biblicus reindex"
