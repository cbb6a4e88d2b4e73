Feature: Damage is found, and repaired from the raw files
  A check names what is not what it should be; a repair rebuilds it from raw files, sidecars, front matter and the newest
  item table. Raw files are never touched.

  Background:
    Given a corpus with the items
      | path      | text                               |
      | tides.txt | The moon pulls tides.              |
      | gulls.md  | ---\ntags: [sea]\n---\nGulls.      |
    And the item "tides.txt" was tagged "+moon"
    And "tides.txt" was since renamed to "sea.txt"
    And "tides.txt.biblicus.yml" was since renamed to "sea.txt.biblicus.yml"
    And a sealed run "first"
    And the evidence for "moon" is kept

  Scenario Outline: Whoever asks a corpus whose catalog is lost is told
    Given ".biblicus/catalog.json" was since deleted
    When <asked>
    Then it is refused as "catalog_gone"
    And the hint is "biblicus reindex"

    Examples: one after the other
      | asked                    |
      | "moon" is asked          |
      | the items are listed     |
      | the catalog is refreshed |

  Scenario Outline: What a person wrote is named with what to type, and left alone
    Given the file "<path>" holds "[oops"
    When the corpus is repaired
    Then the problems name "<path>"
    And the hint of the problem is "<hint>"
    And the file "<path>" still holds "[oops"

    Examples:
      | path                         | hint                              |
      | .biblicus/weights.yml        | edit .biblicus/weights.yml        |
      | .biblicus/sources.yml        | edit .biblicus/sources.yml        |
      | .biblicus/recipes/mine.yml   | edit .biblicus/recipes/mine.yml   |
      | .biblicus/personas/mine.yml  | biblicus personas check mine      |
      | sea.txt.biblicus.yml         | edit sea.txt.biblicus.yml         |

  Scenario: Everything derived is lost
    Given the folder ".biblicus/local" was since deleted
    When the corpus is repaired
    Then there are no problems
    And the repair gave the same catalog and the same evidence

  Scenario: A damaged manifest is put aside, and the corpus reindexed
    Given a byte of the run's manifest was flipped
    When the corpus is repaired
    Then there are no problems
    And a query for "moon" returns evidence from "sea.txt"

  Scenario: A damaged configuration is written anew with the corpus's own id
    Given the file ".biblicus/config.yml" holds "corpus_id: [oops"
    When the corpus is repaired
    Then there are no problems
    And the corpus is the one it was
    And the evidence kept verifies

  Scenario: A raw file that rotted is named
    Given "sea.txt" was since edited to "The moon pulls tidez." with the same size and times
    When the corpus is checked to the last byte
    Then the problems name "sea.txt"

  Scenario Outline: A repair says what it mended, and nothing else
    Given <damage>
    When the corpus is repaired
    Then there are no problems
    And it says of what it repaired "<repaired>"

    Examples:
      | damage                                              | repaired                                                    |
      | ".biblicus/catalog.json" was since deleted          | the catalog was rebuilt from the raw files                  |
      | ".biblicus/catalog.json" was cut short              | the catalog was rebuilt from the raw files                  |
      | the file ".biblicus/.gitignore" holds "lobal/"      | .biblicus/.gitignore was written anew                       |
      | a byte of the run's index was flipped               | the index of the run first was built anew                   |
      | the folder ".biblicus/local/index" was since deleted | the index of the run first was built anew                  |
      | the folder ".biblicus/local" was since deleted      | the index of the run first was built anew                   |
      | a byte of ".biblicus/local/stamps.json" was flipped | what was known of the files was damaged, and all were read again |
      | the manifest of "first" was lost                    | the index of the run first belonged to no run and is deleted |
      | a cached text was damaged                           | 1 damaged file of the cache was deleted                     |
      | the event log was damaged                           | the event log was damaged, and another was begun            |
      | a byte of the run's manifest was flipped            | the run first was damaged and is put aside                  |

  Scenario: A repair after an edit says nothing of the edit
    Given "sea.txt" was since edited to "The sun pulls tides."
    When the corpus is repaired
    Then it says that nothing was repaired

  Scenario: A repair of a sound corpus changes nothing
    When the corpus is repaired
    Then there are no problems
    And it says that nothing was repaired
    And the repair gave the same catalog and the same evidence
