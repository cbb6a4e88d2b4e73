Feature: Evidence becomes a pack for a prompt
  What was found, numbered and quoted exactly, within a budget of tokens, behind a mark that no document can hold.
  The pack says what it left out, and is proved like the evidence it was made of.

  Background:
    Given a corpus with the items
      | path          | text |
      | notes/moon.md | # The moon\n\nThe moon pulls the sea.\n\n# Tides\n\nTwice a day the moon lifts the tides. Gulls know it.\n\nNobody minds.\n |
      | notes/sun.txt | The sun warms the sea.\n\nThe moon does not.\n\nNor do the stars. |
      | boats.txt     | Boats wait for the tides that the moon makes. |
    And the recipe "fine" is "lexical" with
      """
      build:
        chunking: {default: {by: sentences, sentences: 1, overlap: 0}}
      """
    And a sealed run "first"
    And a sealed run "fine" of the recipe "fine"

  Scenario Outline: The order is the one asked for
    When a context for "tides sea stars gulls" is asked with | recipe: fine | order: <order> | neighbours: 0 |
    Then the entries come from "<places>"

    Examples: By rank, then item by item in its own order, then by path
      | order    | places |
      | rank     | notes/moon.md:7, notes/sun.txt:5, notes/sun.txt:1, notes/moon.md:3, boats.txt:1 |
      | source   | notes/moon.md:3, notes/moon.md:7, notes/sun.txt:1, notes/sun.txt:5, boats.txt:1 |
      | document | boats.txt:1, notes/moon.md:3, notes/moon.md:7, notes/sun.txt:1, notes/sun.txt:5 |

  Scenario: Where nothing fits the text says so
    When a context for "moon tides" is asked with | max_tokens: 20 |
    Then the text says "No evidence was found that fits."
    And what was left out is
      | path          | reason       |
      | boats.txt     | query:tokens |
      | notes/moon.md | tokens       |

  Scenario: Nothing found is said
    When a context for "xylophone" is asked
    Then the text says "No evidence was found."
    And the pack has the entries
      | number |

  Scenario: An unknown tokenizer
    When a context for "moon" is asked with | tokenizer: nosuch |
    Then it is refused as "unknown_name"

  Scenario: One item takes no more than its share
    When a context for "tides sea stars gulls" is asked with | recipe: fine | share: 0.1 | max_tokens: 400 | neighbours: 0 |
    Then the entries come from "notes/moon.md:7, notes/sun.txt:5, boats.txt:1"
    And what was left out is
      | path          | reason           |
      | notes/moon.md | query:per_source |
      | notes/moon.md | query:per_source |
      | notes/sun.txt | share            |
      | notes/moon.md | share            |
      | notes/moon.md | share            |

  Scenario: A budget holds, and what it leaves out is told
    When a context for "moon tides" is asked with | max_tokens: 130 |
    Then the entries come from "notes/moon.md:1"
    And the text counts at most 130 tokens
    And what was left out is
      | path          | reason |
      | boats.txt     | tokens |
      | notes/sun.txt | tokens |
