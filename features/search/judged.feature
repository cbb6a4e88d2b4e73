Feature: A judge reads the best candidates
  A small model reads the question with each of the best candidates, on this machine. It never leaves any out, and never
  decides alone.

  Background:
    Given the judge is installed
    And a corpus with the items
      | path         | text                                                                              |
      | mooring.md   | # Mooring\nThe fee for a night at the guest pier is nine euros, in summer and winter. |
      | benches.md   | # Benches\nA guest without sleep sits at night on the pier.                            |
      | fee.md       | # Fees\nA fee is what the harbour asks of a guest. The guest signs the fee book.  |
      | unrelated.md | # Birds\nTerns nest in May.                                                       |
    And the recipe "read" is "lexical" with
      """
      query:
        rerank: {by: judge}
      """
    And a sealed run "words" of the recipe "lexical"

  Scenario: What answers the question comes first
    When "How much does a guest pay for a night at the pier?" is asked with | recipe: read |
    Then the evidence is
      | path       | stage  |
      | mooring.md | rerank |
      | benches.md | rerank |
      | fee.md     | rerank |
    And the scores of the first piece are of "lexical, vector, judge, rerank"
    And the result says that reranking is "done"
    And the evidence verifies

  Scenario: A question about something else is insufficient, though its words stand there
    When "Is the book of a guest in the summer library?" is asked with | recipe: read |
    Then the evidence is "insufficient"
