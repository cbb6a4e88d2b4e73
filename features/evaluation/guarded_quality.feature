Feature: Quality is guarded against a baseline
  A condition compares a recipe or run with a baseline: another recipe, an older run, or an evaluation kept in a file.
  Where it comes true, the command leaves with 4 and names the questions that got worse.

  Background:
    Given a corpus with the items
      | path    | text                                     |
      | lamp.md | Trim the wick of the lamp every evening. |
      | horn.md | The horn sounds in fog.                  |
    And a sealed run "first"
    And the questions "keeper"
      | query        | relevant |
      | wick evening | lamp.md  |
      | sounds fog   | horn.md  |

  Scenario: A change that makes questions worse is caught
    Given "horn.md" was since edited to "Nothing to be read here."
    And a sealed run "second"
    When the dataset "keeper" is evaluated against "first" with | recipe: lexical | fail-if: ndcg@10 < baseline - 0.01 |
    Then the conditions are | system: lexical | holds: false | worse: sounds fog |

  Scenario: An evaluation kept in a file is a baseline
    Given the evaluation of "keeper" was kept as "before.json" outside
    And "horn.md" was since edited to "Nothing to be read here."
    And a sealed run "second"
    When the dataset "keeper" is evaluated against the file "before.json" outside with | fail-if: ndcg@10 < baseline - 0.01 |
    Then the conditions are | system: lexical | holds: false | worse: sounds fog |

  Scenario: A baseline of other questions is refused
    Given the evaluation of "keeper" was kept as "before.json" outside
    And the questions "keeper" | query: sounds fog | relevant: horn.md |
    When the dataset "keeper" is evaluated against the file "before.json" outside with | fail-if: ndcg@10 < baseline - 0.01 |
    Then it is refused as "invalid_file"
    And the message says "another version of keeper"

  Scenario: A baseline with nothing beside it guards nothing, which is told before anything is measured
    When the dataset "keeper" is evaluated with | baseline: lexical | fail-if: recall@5 < 0.9 |
    Then it is refused as "usage"
    And the message says "Nothing stands beside the baseline lexical"
