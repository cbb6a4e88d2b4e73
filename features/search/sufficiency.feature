Feature: Thin evidence is told as such
  A result is insufficient where the best of it holds too little of what was asked, by weight of the words. One word of
  several is no evidence: something always holds one. That is an answer, not an error.

  Background:
    Given a corpus with the items
      | path      | text                                             |
      | tides.txt | The moon pulls the tides twice a day.            |
      | gulls.txt | Gulls follow the boats at the ebb of the day.    |
      | ropes.txt | Ropes are coiled on every boat.                  |
      | mole.txt  | After the storm the parapet was rebuilt by Kolm. |
    And a sealed run "first"

  Scenario Outline: Enough or not
    When "<question>" is asked
    Then the evidence is "<judgement>"

    Examples: one after the other
      | question                                             | judgement    |
      | moon and tides                                       | sufficient   |
      | Which boats do gulls follow?                         | sufficient   |
      | chess tournament in Reykjavik one day                | insufficient |
      | submarine warfare                                    | insufficient |
      | What do gulls eat?                                   | insufficient |
      | The capital of the boats                             | insufficient |
      | Who rebuilds the parapet?                            | sufficient   |
      | Who coils ropes?                                     | sufficient   |
      | parapet                                              | sufficient   |

  Scenario Outline: The threshold is the recipe's, and needs no reindex
    Given the recipe "mine" is "lexical" with
      """
      query:
        threshold: {lexical: <threshold>}
      """
    When "moon over Reykjavik" is asked with | recipe: mine |
    Then the evidence is "<judgement>"

    Examples:
      | threshold | judgement    |
      | 0.0       | sufficient   |
      | 1.0       | insufficient |

  Scenario Outline: A question has a threshold of its own
    When "moon over Reykjavik" is asked with | threshold: <threshold> |
    Then the evidence is "<judgement>"

    Examples: one after the other
      | threshold | judgement    |
      | 0         | sufficient   |
      | 1         | insufficient |
