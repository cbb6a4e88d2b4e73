Feature: Every failure of a model is survived
  A model is a service that may be down, slow, wrong or hostile. Whoever asked learns what to do about it, in one line.

  Background:
    Given a corpus with the items | path: tides.txt | text: The moon pulls the tides. |
    And a sealed run "first"

  Scenario: The server is down
    Given a language model that the user calls "mine"
    And the language model's server is stopped
    When the answerer "llm" is asked "What pulls the tides?"
    Then it is refused as "llm"
    And the hint says "ollama serve"

  Scenario: Without a model the corpus still answers
    When the answerer "quote" is asked "What pulls the tides?"
    Then the answer is "The moon pulls the tides."
