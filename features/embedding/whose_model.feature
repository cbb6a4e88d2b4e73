Feature: Which model a recipe means is the user's to say
  A recipe may come from a stranger. It names a model; what that name stands for, where it lies and whom it asks is
  defined by the user of this machine, or built in.

  Background:
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |

  Scenario: A model of the user's own, behind a server
    Given a server of models
    And the user defines the model "mine" at that server
    And the recipe "own" is "vector" with
      """
      build:
        legs: {vector: {engine: exact, embedder: mine}}
      """
    When the corpus is reindexed with | recipe: own |
    Then the server was asked for the vector of "The moon pulls tides."

  Scenario: A server that is not there
    Given a server of models
    And the user defines the model "mine" at that server
    And the server of models is stopped
    And the recipe "own" is "vector" with
      """
      build:
        legs: {vector: {engine: exact, embedder: mine}}
      """
    When the corpus is reindexed with | recipe: own |
    Then it is refused as "embedder_unavailable"
    And the hint says "ollama serve"
