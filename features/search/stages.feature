Feature: Stages between retrieval and budget
  A recipe may put candidates in a better order and leave out what repeats. Each stage shows its score, and none needs a
  reindex.

  Background:
    Given a model that knows what words mean
    And a corpus with the items
      | path        | text                                                 |
      | one/n.txt   | The vessels wait for the tide at the old bridge.     |
      | two/n.txt   | The vessels wait for the tide at the old bridge far. |
      | three/n.txt | Ships and a flood of birds.                          |
      | four/n.txt  | White moves first.                                   |
    And a sealed run "both" of the recipe "hybrid"

  Scenario: What repeats a better piece is left out, and said
    Given the recipe "once" is "hybrid" with
      """
      query:
        filter: {near_duplicates: 0.8}
      """
    When "vessels tide bridge" is asked with | recipe: once | limit: 2 |
    Then the evidence is
      | path        |
      | one/n.txt   |
      | three/n.txt |
    And what was dropped names "near_duplicate, items"

  Scenario Outline: What is left out leaves a trace wherever it stands
    Given the recipe "once" is "hybrid" with
      """
      query:
        retrieve: {legs: <legs>}
        filter: {near_duplicates: 0.8}
      """
    When "vessels tide bridge" is asked with | recipe: once | limit: <limit> |
    Then what was dropped names "<dropped>"

    Examples:
      | legs              | limit | dropped               |
      | [lexical, vector] | 1     | near_duplicate, items |
      | [lexical, vector] | 10    | near_duplicate        |
      | [lexical]         | 1     | near_duplicate        |
      | [lexical]         | 10    | near_duplicate        |

  Scenario Outline: A question says what each leg counts
    When "ships bridge" is asked with | recipe: hybrid | limit: 1 | weight: <weight> |
    Then the result says that "lexical" counts <lexical> and "vector" <vector>
    And the evidence is | path: <path> |

    Examples: one after the other
      | weight      | lexical | vector | path        |
      | lexical=0.7 | 0.7     | 0.3    | three/n.txt |
      | vector=1    | 0.0     | 1.0    | one/n.txt   |
      | lexical=1   | 1.0     | 0.0    | three/n.txt |

  Scenario Outline: Weights that cannot be meant
    Given a sealed run "worded" of the recipe "lexical"
    When "birds" is asked with | recipe: <recipe> | weight: <weight> |
    Then it is refused as "usage"
    And the message says "<named>"

    Examples: one after the other
      | recipe  | weight      | named                    |
      | hybrid  | lexcial=0.7 | its legs: lexical, vector |
      | hybrid  | lexical=2   | between 0 and 1          |
      | lexical | lexical=0.7 | one leg                  |

  Scenario Outline: What a recipe cannot mean is refused
    Given the recipe "odd" is "hybrid" with
      """
      query:
        <section>
      """
    When "birds" is asked with | recipe: odd |
    Then it is refused as "invalid_file"
    And the message says "<named>"

    Examples:
      | section                                       | named            |
      | rerank: {by: magic}                           | magic            |
      | rerank: {by: judge, candidats: 1}             | candidates       |
      | retrieve: {legs: [vektor]}                    | vector           |
      | retrieve: {fusion: {weights: {lexicon: 1}}}   | lexical          |
      | retrieve: {fusion: {by: magic}}               | weighted         |
      | filter: {near_duplicates: 2}                  | near_duplicates  |
