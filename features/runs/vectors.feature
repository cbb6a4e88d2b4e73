Feature: A text is embedded once
  Vectors are kept by text and model, and shared by all runs. A run never mixes the vectors of two models.

  Background:
    Given a model that knows what words mean
    And a corpus with the items
      | path       | text                                           |
      | harbour.md | Vessels wait for the flood.                    |
      | gulls.txt  | Gulls follow the boats at the ebb of the day.  |
      | ropes.txt  | Cords are coiled on deck by the bosun.         |
    And a sealed run "first" of the recipe "vector"
    And what the model was asked so far is forgotten

  Scenario: After an edit only the edited text is embedded
    Given "gulls.txt" was since edited to "Gulls sleep."
    When the corpus is reindexed with | recipe: vector |
    Then the model was asked for 1 texts

  Scenario: Another recipe with the same chunks embeds nothing
    When the corpus is reindexed with | recipe: hybrid |
    Then the model was asked for 0 texts

  Scenario: Another model is another run
    Given the model was since replaced by another
    When "ship tide" is asked with | recipe: vector |
    Then it is refused as "run_outdated"

  Scenario: A reindex with another model embeds everything again
    Given the model was since replaced by another
    When the corpus is reindexed with | recipe: vector |
    Then the model was asked for 3 texts
    And a query of "vector" for "ship tide" returns evidence from "harbour.md"

  Scenario: Vectors that were deleted are made again
    Given the vectors are deleted
    When the corpus is reindexed with | recipe: vector |
    Then the runs are | recipe: vector | built: rematerialised |
    And a query of "vector" for "ship tide" returns evidence from "harbour.md"

  Scenario: A query whose vectors were deleted says what to type
    Given the vectors are deleted
    When "ship tide" is asked with | recipe: vector |
    Then it is refused as "vectors_gone"

  Scenario: A text that cannot be embedded costs that chunk only
    Given the model cannot embed what says "pirates"
    And the file "pirates.txt" holds "The pirates take the ship."
    When the corpus is reindexed with | recipe: vector |
    Then the run counts 1 chunks as "vector.unembedded"
    And a query of "vector" for "ship tide" returns evidence from "harbour.md"

  Scenario: It is tried again by the next reindex
    Given the model cannot embed what says "pirates"
    And the file "pirates.txt" holds "The pirates take the ship."
    And a sealed run "second" of the recipe "vector"
    And the model is mended
    When the corpus is reindexed with | recipe: vector |
    Then the run counts 0 chunks as "vector.unembedded"

  Scenario: Strict reindexing does not put up with it
    Given the model cannot embed what says "pirates"
    And the file "pirates.txt" holds "The pirates take the ship."
    When the corpus is reindexed with | recipe: vector | strict: yes |
    Then it is refused as "check_failed"

  Scenario: Text beyond the model's limit is counted
    Given the file "long.txt" holds 60 words
    When the corpus is reindexed with | recipe: vector |
    Then the run counts 1 chunks as "vector.truncated"

  Scenario: A model that does not answer at all is an error
    Given the file "new.txt" holds "Something new."
    And the model is away
    When the corpus is reindexed with | recipe: vector |
    Then it is refused as "unavailable"

  Scenario: Vectors that no run refers to are dropped when the caches are bounded
    Given "gulls.txt" was since edited to "Gulls sleep."
    And a sealed run "second" of the recipe "vector"
    And the run "first" was pruned
    And the setting "cache_bytes" is "0"
    When the cache is pruned
    Then it says that 1 entry went
    And a query of "vector" for "ship tide" returns evidence from "harbour.md"
    And the corpus is sound to the last byte

  Scenario: Vectors that runs refer to stay
    Given the setting "cache_bytes" is "0"
    When the cache is pruned
    Then it says that 0 entries went
    And a query of "vector" for "ship tide" returns evidence from "harbour.md"

  Scenario: And repaired from the raw files
    Given a byte of the vectors was flipped
    When the corpus is repaired
    Then there are no problems
    And it says of what it repaired "the vectors in X were damaged and are deleted"
    And a query of "vector" for "ship tide" returns evidence from "harbour.md"

  Scenario: Trust takes them with the run
    Given we are in a copy of the whole folder, on another machine
    When the corpus is trusted
    Then a query of "vector" for "ship tide" returns evidence from "harbour.md"

  Scenario: Trust refuses vectors that are not what their seal says
    Given we are in a copy of the whole folder, on another machine
    And a byte of the vectors was flipped
    When the corpus is trusted
    Then a query of "vector" for "ship tide" is refused as "vectors_gone"
