Feature: Some items count more than others
  A weight multiplies the scores of an item, or of the paths that fit a pattern. It is a stage of its own, seen in the
  evidence beside the score that it changed; it needs no reindex, and may expire.

  Background:
    Given a corpus with the items
      | path           | text                                                                     |
      | guide/moor.md  | ---\ntoolkit: ferry\n---\nHow to moor: throw the rope.                    |
      | old/moor.md    | ---\ntoolkit: ferry\n---\nMoor and moor again; to moor, moor the rope.    |
      | old/anchor.md  | An anchor holds where no one can moor.                                   |
    And a sealed run "first"

  Scenario: An item that weighs more comes first
    Given the weight of "guide/moor.md" is 5
    When "moor" is asked
    Then the evidence starts with | path: guide/moor.md | stage: weights |
    And its score is 5 times that of "lexical"
    And the result names the weights

  Scenario: A weighed item rises from below hundreds of better ones
    Given 300 more items that say "moor moor moor"
    And a sealed run "second"
    And the weight of "guide/moor.md" is 10
    When "moor" is asked
    Then the evidence starts with | path: guide/moor.md |

  Scenario: A toolkit's weight counts where the toolkit is asked
    Given the weight of "guide/moor.md" is 5 for "ferry"
    When "moor" is asked with each of
      | filter  | value    | path                                      |
      | toolkit | ferry    | guide/moor.md, old/moor.md                |
      | path    | **       | guide/moor.md, old/moor.md, old/anchor.md |
    Then their best evidence comes from
      | path          |
      | guide/moor.md |
      | old/moor.md   |

  Scenario: A cleared weight counts no more
    Given the weight of "guide/moor.md" is 5
    When the weight of "guide/moor.md" is cleared
    Then the weights are
      | multiplier | path |
    And a query for "moor" starts with "old/moor.md"

  Scenario: A recipe weighs by kind
    Given the recipe "guided" is "lexical" with
      """
      query: {weights: {paths: {"guide/**": 4}, doctypes: {doc: 2}, extensions: {md: 0.5}}}
      """
    And a sealed run "guided" of the recipe "guided"
    When "moor" is asked of the recipe "guided"
    Then the evidence starts with | path: guide/moor.md | stage: weights |
    And its score is 4 times that of "lexical"
