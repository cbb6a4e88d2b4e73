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

  Scenario Outline: A report is written in the format of its suffix
    When the recipes "lexical, bare" are compared on "keeper" with the report "out.<format>"
    Then the report "out.<format>" says "<says>"
    And the report "out.<format>" holds no markup or control character of the corpus

    Examples:
      | format | says                          |
      | html   | launching of a boat           |
      | md     | `launching of a boat`         |
      | xml    | measured bare                 |

  Scenario: Rankings are written as TREC runs
    When the recipes "bare" are compared on "keeper" with the report "out.trec"
    Then the report "out.trec" says "sounds%20in%20fog Q0"

  Scenario: A report is refused before anything is measured
    When the recipes "bare" are compared on "keeper" with the report "out.pdf"
    Then it is refused as "usage"
    And the message says ".html"

  Scenario: The run of another tool is scored like our own
    Given the file "other.trec" outside is
      """
      launching%20of%20a%20boat Q0 c.md 1 0.9 other
      launching%20of%20a%20boat Q0 never-seen.md 2 0.8 other
      sounds%20in%20fog Q0 a.md 1 2.5 other
      sounds%20in%20fog Q0 b.md 2 1.5 other
      """
    When the run file "other.trec" outside is evaluated on "keeper"
    Then "other" reaches | metric: mrr | value: 0.5 |

  Scenario: Our own rankings keep their figures on the way out and in
    Given the rankings of "lexical" on "keeper" were written to "own.trec" outside
    When the run file "own.trec" outside is evaluated on "keeper" with the recipe "lexical"
    Then "own" reaches what "lexical" does

  Scenario: A run file that is none names its line
    Given the file "other.trec" outside is
      """
      q1 Q0 a.md 1 high other
      """
    When the run file "other.trec" outside is evaluated on "keeper"
    Then it is refused as "invalid_file"
    And the message says "line 1"
