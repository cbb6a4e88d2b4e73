Feature: Quoted words must stand together
  A phrase in quotes, of any style, is required, in order; words beside it rank. What stands nowhere is looked for by its
  words, and the result says so: a pasted error message has other numbers in it than the page about it.

  Background:
    Given a corpus with the items
      | path   | text                                          |
      | a.txt  | The full moon rises over the harbour.         |
      | b.txt  | The moon was full of light over the harbour.  |
      | c.txt  | The harbour is full and the moon is away.     |
      | de.txt | Der volle Mond steht über dem Hafen.          |
    And a sealed run "first"

  Scenario: A phrase that stands nowhere is looked for by its words
    When "moon full" is asked in quotes
    Then evidence comes from "a.txt"
    And the result notes "What is in quotes stands nowhere; this is by its words."

  Scenario: Words that stand nowhere find nothing, in quotes, too
    When "walrus tusk" is asked in quotes
    Then nothing is found
