Feature: An answer in a language model's own words
  A model that the user names writes; every claim cites exact words of evidence that it was shown, or it is left out.

  Background:
    Given a corpus with the items
      | path      | text                                                     |
      | tides.txt | The moon pulls the tides. High water comes twice a day.  |
      | lamp.txt  | The lamp of the harbour was lit in 1842. It burns oil.   |
    And a sealed run "first"
    And a language model that the user calls "mine"

  Scenario: Prose with citations that verify
    Given the model states | text: It is the moon that moves water. | evidence: tides.txt | quote: moon pulls the tides |
    When the answerer "llm" is asked "What pulls the tides?"
    Then the answer is "It is the moon that moves water."
    And it cites "moon pulls the tides" of "tides.txt"
    And every citation verifies

  Scenario: The model sees evidence and question, and no tools
    Given the model states | text: It is the moon that moves water. | evidence: tides.txt | quote: moon pulls the tides |
    When the answerer "llm" is asked "What pulls the tides?"
    Then the model was shown "High water comes twice a day."
    And the model was given no tools

  Scenario: A citation of what was not supplied is asked for once more, then left out
    Given the model states
      | text                             | evidence  | quote                |
      | The tides are pulled by whales.  | 99        | pulled by whales     |
      | It is the moon that moves water. | tides.txt | moon pulls the tides |
    When the answerer "llm" is asked "What pulls the tides?"
    Then the answer is "It is the moon that moves water."
    And "The tides are pulled by whales." was left out
    And the model was asked 2 times

  Scenario: Words that do not stand in the evidence
    Given the model states | text: The tides are pulled by the sun. | evidence: tides.txt | quote: sun pulls the tides |
    When the answerer "llm" is asked "What pulls the tides?"
    Then it is an empty answer
    And "The tides are pulled by the sun." was left out

  Scenario: A number that the evidence does not hold lowers the confidence
    Given the model states | text: The lamp was lit in 1842. | evidence: lamp.txt | quote: was lit in 1842 |
    And the answerer "llm" was asked "When was the harbour's lamp lit?"
    And the model states | text: The lamp was lit in 1942. | evidence: lamp.txt | quote: was lit |
    When the answerer "llm" is asked "When was the lamp of the harbour lit?"
    Then the confidence is lower

  Scenario: A model that finds nothing in the evidence
    Given the model states nothing
    When the answerer "llm" is asked "What pulls the tides?"
    Then it is an empty answer

  Scenario: Nothing found, nobody asked
    Given the model states nothing
    When the answerer "llm" is asked "Zebra xylophone quux?"
    Then it is an empty answer
    And the model was asked 0 times

  Scenario: The user's own prompt
    Given the model states nothing
    And the user's prompt "answer" says "Answer as the harbour master would."
    When the answerer "llm" is asked "What pulls the tides?"
    Then the model was told "Answer as the harbour master would."
