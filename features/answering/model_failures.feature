Feature: Every failure of a model is survived
  A model is a service that may be down, slow, wrong or hostile. Whoever asked learns what to do about it, in one line.

  Background:
    Given a corpus with the items | path: tides.txt | text: The moon pulls the tides. |
    And a sealed run "first"

  Scenario: No model is named
    When the answerer "llm" is asked "What pulls the tides?"
    Then it is refused as "no_llm"
    And the hint says "llms:"

  Scenario: The server is down
    Given a language model that the user calls "mine"
    And the language model's server is stopped
    When the answerer "llm" is asked "What pulls the tides?"
    Then it is refused as "llm"
    And the hint says "ollama serve"

  Scenario: The server does not have the model
    Given a language model that the user calls "mine" and the server does not have
    When the answerer "llm" is asked "What pulls the tides?"
    Then it is refused as "llm"
    And the hint says "ollama pull"

  Scenario Outline: A server that misbehaves for good
    Given a language model that the user calls "mine"
    And its server is <kind> for good
    When the answerer "llm" is asked "What pulls the tides?"
    Then it is refused as "llm"

    Examples:
      | kind      |
      | truncated |
      | endless   |
      | bomb      |
      | html      |
      | redirect  |
      | silent    |

  Scenario Outline: A server that misbehaves once
    Given a language model that the user calls "mine"
    And the model states | text: It is the moon that moves water. | evidence: tides.txt | quote: moon pulls the tides |
    And its server is <kind> once
    When the answerer "llm" is asked "What pulls the tides?"
    Then the answer is "It is the moon that moves water."

    Examples:
      | kind      |
      | 503       |
      | failing   |
      | truncated |

  Scenario: A reply that is no JSON is sent back
    Given a language model that the user calls "mine"
    And the model first says "Surely the moon."
    And the model states | text: It is the moon that moves water. | evidence: tides.txt | quote: moon pulls the tides |
    When the answerer "llm" is asked "What pulls the tides?"
    Then the answer is "It is the moon that moves water."
    And the model was shown "Surely the moon."

  Scenario: A model that never says JSON
    Given a language model that the user calls "mine"
    And the model always says "Surely the moon."
    When the answerer "llm" is asked "What pulls the tides?"
    Then it is refused as "llm"
    And the message does not repeat "Surely"

  Scenario: Without a model the corpus still answers
    When the answerer "quote" is asked "What pulls the tides?"
    Then the answer is "The moon pulls the tides."
