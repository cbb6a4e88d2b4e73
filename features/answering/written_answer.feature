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
