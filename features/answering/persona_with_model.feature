Feature: With a language model, a persona's plan and prose are the model's
  The model reads the manual and plans; it reads the evidence and writes. Where it makes no plan, the manual's stands.
  What it states is held against the evidence as always.

  Background:
    Given a corpus with the items
      | path       | text                                                     |
      | tariff.txt | In winter the quay costs two hundred crowns a month.     |
      | lamp.txt   | The lamp of the quay burns oil, and costs a barrel.      |
    And a sealed run "first"
    And a manual in "../manual" with the items | path: costs.md | text: # What a quay costs\n\n1. Look for the price in the **tariff**.\n |
    And the persona "keeper" is
      """
      name: The keeper
      manual_corpus: ../manual
      style: Like a sailor.
      """
    And a language model that the user calls "mine"

  Scenario: The model plans, then answers
    Given the model plans with the hint "crowns a month"
    And the model states | text: Two hundred crowns, every moon. | evidence: tariff.txt | quote: two hundred crowns a month |
    When "What does the quay cost?" is answered by "keeper" with | answerer: llm |
    Then the plan was made by "llm"
    And the queries are
      | text                     | origin   |
      | What does the quay cost? | question |
      | crowns a month           | plan     |
    And it cites "two hundred crowns a month" of "tariff.txt"

  Scenario: No more requests are made than the persona allows, and one is kept for the answer
    Given the persona "thrifty" is
      """
      name: The thrifty one
      manual_corpus: ../manual
      limits: {requests: 3}
      """
    And the model states | text: Two hundred crowns, every moon. | evidence: tariff.txt | quote: two hundred crowns a month |
    When "What does the quay cost?" is answered by "thrifty" with | answerer: llm |
    Then the model was asked 3 times
    And the plan's note says "allows 3 requests"
    And it cites "two hundred crowns a month" of "tariff.txt"
    And the usage counts every request that the model got, with its tokens
