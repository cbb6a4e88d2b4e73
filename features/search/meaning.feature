Feature: Questions are answered by meaning
  `vector` compares what is meant, not the words; `hybrid` counts both. Every score is shown beside the one that decides.

  Background:
    Given a model that knows what words mean
    And a corpus with the items
      | path       | text                                           |
      | harbour.md | # Harbour\n\nVessels wait for the flood.       |
      | gulls.txt  | Gulls follow the boats at the ebb of the day.  |
      | ropes.txt  | Cords are coiled on deck by the bosun.         |
      | chess.txt  | White moves first.                             |

  Scenario: What no word of the question says is found
    Given a sealed run "meant" of the recipe "vector"
    When "ship tide" is asked with | recipe: vector | limit: 1 |
    Then the evidence is | path: harbour.md | stage: retrieve |
    And the evidence verifies

  Scenario Outline: A rare word is not drowned by what the model takes for its meaning
    Given the file "maps.md" holds "Each point has as many neighbours as the perplexity says, however far it is."
    And the file "loops.md" holds "Loops and branches."
    And 8 more items that say "a cord, a bird, loops and branches"
    And a sealed run "both" of the recipe "hybrid"
    And the recipe "fused" is "hybrid" with
      """
      query:
        retrieve: {fusion: <fusion>}
      """
    When "<question>" is asked with | recipe: fused | limit: 1 |
    Then evidence comes only from "<path>"

    Examples:
      | question                        | fusion                                             | path      |
      | perplexity                      | {by: weighted}                                     | maps.md   |
      | the perplexity of points        | {by: weighted}                                     | maps.md   |
      | perplexity                      | {by: weighted, weights: {lexical: 0.3, vector: 1}} | maps.md   |
      | perplexity                      | {by: min-max, weights: {lexical: 0.3, vector: 1}}  | loops.md  |

  Scenario: A leg may be left out without a reindex
    Given a sealed run "both" of the recipe "hybrid"
    And the recipe "words" is "hybrid" with
      """
      query:
        retrieve: {legs: [lexical]}
        threshold: {lexical: 0.3}
      """
    When "ship tide" is asked with | recipe: words |
    Then nothing is found

  Scenario Outline: Enough or not
    Given a sealed run "meant" of the recipe "<recipe>"
    When "<question>" is asked with | recipe: <recipe> |
    Then the evidence is "<judgement>"

    Examples:
      | recipe | question             | judgement    |
      | vector | ship tide            | sufficient   |
      | vector | zeppelin parade      | insufficient |
      | hybrid | harbour ship flood   | sufficient   |
      | hybrid | zeppelin parade      | insufficient |

  Scenario: A model that is away
    Given a sealed run "meant" of the recipe "vector"
    And the model is away
    When "ship tide" is asked with | recipe: vector |
    Then it is refused as "unavailable"
