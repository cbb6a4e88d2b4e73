Feature: Recipes are compared question by question
  Every further recipe is held against the first: by how much it differs, how sure that is, and on which questions. A
  report tells the same to a person, a pull request and a CI server.

  Background:
    Given a corpus with the items
      | path    | text                                                                     |
      | a.md | Trim the wick of the lamp every evening. <script>alert(1)</script>       |
      | b.md | The horn sounds in fog, and \u202eevening comes.                         |
      | c.md | The boats are launched at high tide.                                     |
    And the recipe "bare" is "lexical" with
      """
      build:
        legs: {lexical: {engine: tantivy, stemming: none}}
      """
    And a sealed run "first"
    And a sealed run "second" of the recipe "bare"
    And the questions "keeper"
      | query                            | relevant |
      | <script>wick</script> evening    | a.md  |
      | launching of a boat              | c.md  |
      | sounds in fog                    | b.md  |

  Scenario: The differences to the first recipe
    When the recipes "lexical, bare" are compared on "keeper"
    Then the comparisons are | base: lexical | other: bare | metric: ndcg@10 | wins: 0 | losses: 1 | ties: 2 |

  Scenario: A report is refused before anything is measured
    When the recipes "bare" are compared on "keeper" with the report "out.pdf"
    Then it is refused as "usage"
    And the message says ".html"
