Feature: Questions are made from the items themselves
  Where nobody wrote questions, titles and headings give some, without a model. They are marked synthetic, and
  each points to the item and the exact span that answers it.

  Background:
    Given a corpus with the items
      | path       | text                                                                                                                                                                                     |
      | lamp.md    | # Care of the lamp\n\n## Filling the tank\n\nFill the tank with paraffin before the sun goes down every single evening.\n\n## See also\n\nThe page on boats and the page on the tower, both.   |
      | horn.md    | # Sounding the horn\n\n## Compressed air\n\nThe horn will need air from the compressor whenever thick fog comes in.\n\n## See also\n\nThe page on boats and the page on the tower, both.      |

  Scenario: Synthetic questions are marked, and can be measured
    Given a sealed run "first"
    When questions are synthesized
    Then the datasets are | name: synthetic | questions: 4 | synthetic: 4 | missing: 0 |
    And the dataset "synthetic" can be evaluated

  Scenario: A dataset is never overwritten
    Given questions were synthesized as "one"
    When questions are synthesized with | name: one |
    Then it is refused as "usage"
    And the message says "exists"

  Scenario: A kind that does not exist
    When questions are synthesized with | by: titles |
    Then it is refused as "usage"
    And the message says "did you mean "title""
