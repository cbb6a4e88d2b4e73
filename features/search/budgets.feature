Feature: A result keeps to its budget
  Pieces, tokens (estimate), characters and pieces per source are bounded; a long piece is cut at the end of a sentence,
  and what was left out is said. A first piece that is too long is shortened, never dropped.

  Background:
    Given a corpus with the items
      | path      | text |
      | long.txt  | The moon pulls the tides of the sea. It does so twice each day. Nobody has ever been able to stop the moon from doing it, though one king is said to have tried it on a chair by the shore. His courtiers watched him. They were wet when the tide came in. |
      | short.txt | The moon is far. |
      | third.txt | A moon of cheese. |
      | parts.md  | # Moon\n\nThe moon one.\n\n# Moon again\n\nThe moon two.\n\n# Moon still\n\nThe moon three.\n |
    And the recipe "fine" is "lexical" with
      """
      build:
        chunking: {default: {by: sentences, sentences: 1, overlap: 0}}
      """
    And a sealed run "first"
    And a sealed run "fine" of the recipe "fine"

  Scenario Outline: A bound that is none is refused
    When "moon" is asked with | <bound>: <number> |
    Then it is refused as "usage"

    Examples: one after the other
      | bound          | number |
      | limit          | 0      |
      | max_tokens     | 0      |
      | max_characters | -5     |
      | max_per_source | 0      |
