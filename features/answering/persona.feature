Feature: A persona plans by its manual and answers from the corpus
  The manual corpus says how to approach a question, the research corpus holds the answer. The plan, the snippets of the
  manual, the queries and the evidence all stand beside the answer; what is stated cites research evidence alone.

  Background:
    Given a corpus with the items
      | path         | text                                                                     |
      | rules.txt    | A visitor may stay for 21 nights in winter.                              |
      | tariff.txt   | The winter berth costs two hundred crowns a month.                       |
      | minutes.txt  | The society thanked the baker for the rolls.                             |
    And a sealed run "first"
    And a manual in "../manual" with the items
      | path     | text                                                                                              |
      | costs.md | # Questions about costs\n\n1. Look for the price in the **tariff** first.\n2. Name the unit.\n       |
      | stays.md | # How long somebody stays\n\n* Look for the rule.\n* Tell summer from winter.\n                      |
    And the persona "keeper" is
      """
      name: The keeper
      manual_corpus: ../manual
      focus: {entities: [visitor, berth], relations: [costs]}
      """

  Scenario: The plan is made of the question and the manual
    When "What are the costs of a berth?" is answered by "keeper"
    Then the plan's steps are
      | text                                          | manual |
      | Look for the price in the **tariff** first.   | 1      |
      | Name the unit.                                | 1      |
    And the plan names the entities "berth" and the relations "costs"
    And the plan was made by "manual"
    And the queries are
      | text                           | origin   |
      | What are the costs of a berth? | question |
      | costs berth tariff             | plan     |

  Scenario: Statements cite the research corpus, never the manual
    When "What are the costs of a berth?" is answered by "keeper"
    Then the persona cites "tariff.txt"
    And every citation is of the corpus, and verifies
    And every manual snippet is of the manual

  Scenario: A persona without a manual plans from the question alone
    Given the persona "plain" is
      """
      name: Plain
      """
    When "How long may a visitor stay in winter?" is answered by "plain"
    Then the persona cites "rules.txt"
    And the queries are | text: How long may a visitor stay in winter? | origin: question |

  Scenario: The manual is a name of the user's own
    Given the manual is "keepers" among my places
    And the persona "keeper" is
      """
      name: The keeper
      manual_corpus: corpus://keepers
      """
    When "What are the costs of a berth?" is answered by "keeper"
    Then every manual snippet is of the manual

  Scenario: What of the persona has no effect without a model
    Given the persona "keeper" is
      """
      name: The keeper
      style: Like a sailor.
      """
    When "How long may a visitor stay in winter?" is answered by "keeper"
    Then it says that "style" was not used

  Scenario: Nothing that answers
    When "Who won the chess tournament in Reykjavik?" is answered by "keeper"
    Then the persona states nothing
    And the assessment is "none"
