Feature: Weights that packages carry
  Models for meaning come inside packages of the index, so that pip alone brings them, and nothing is fetched later.
  A command lists which are here, what each costs and its licence.

  Scenario: The list tells which models are here, their size and licence
    Given a corpus without items
    When I type "biblicus models list"
    Then standard output says "judge.onnx"
    And standard output says "Apache-2.0"
    And standard output says "34 MB"

  Scenario: A name that is no model's
    Given a corpus without items
    When I type "biblicus models get nope"
    Then the exit code is 2
    And standard error says "judge.onnx, meaning, minilm-int8.onnx, speech"
