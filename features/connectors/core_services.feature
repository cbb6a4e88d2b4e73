Feature: Services under the names that other programs use
  A program that was written for stores, indexes and services finds them by these names, over a corpus.

  Background:
    Given a corpus with the items
      | path      | text                                   |
      | tides.txt | The moon pulls the tides of the sea.   |
      | lamp.txt  | The lamp of the harbour burns oil.     |
      | boat.txt  | A boat waits for the tides with a lamp. |
    And a sealed run "first"

  Scenario: A store of documents
    Then the store lists "boat.txt, lamp.txt, tides.txt"
    And the store gives "tides.txt" the text "The moon pulls the tides of the sea."
    And the store finds "lamp.txt" by the hash of its text

  Scenario: A text goes in once
    When the ingestion service is given "Grey seals rest on the sandbank." twice
    Then the first document is new, and the second is the first

  Scenario Outline: Search in the modes of a hybrid service
    Given a sealed run "both" of the recipe "hybrid-int8"
    When the search service is asked for "moon and tides" in the mode "<mode>" with the recipe "<recipe>"
    Then its best hit is of "tides.txt" with the score 1.0
    And all its scores are between 0 and 1

    Examples: one after the other
      | mode    | recipe      |
      | hybrid  | hybrid-int8 |
      | vector  | hybrid-int8 |
      | lexical | hybrid-int8 |
      | hybrid  | lexical     |

  Scenario: A mode that the recipe cannot have
    When the search service is asked for "moon" in the mode "vector" with the recipe "lexical"
    Then it is refused with "no leg"

  Scenario: Vectors of texts
    Then the embedding provider gives 384 numbers for each text

  Scenario: The catalog names the newest run
    Then the catalog's header has the latest run id "first"
