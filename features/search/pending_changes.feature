Feature: Results say how the corpus stands
  What was added, changed or removed since the run is counted beside the evidence, so that no answer is silently old.

  Background:
    Given a corpus with the items
      | path         | text                                |
      | tides.txt    | The moon pulls tides.               |
      | sea/gulls.md | Gulls follow boats to the moon.     |
      | sea/wind.md  | The wind turns.                     |
      | .biblicusignore | drafts/                          |
    And a sealed run "first"

  Scenario Outline: What changed since the run is counted
    Given <change>
    When "moon" is asked
    Then <new> new, <changed> changed and <removed> removed files are pending

    Examples:
      | change                                                        | new | changed | removed |
      | every file was since touched                                  | 0   | 0       | 0       |
      | the file "new.md" holds "The moon is new."                    | 1   | 0       | 0       |
      | the file "deep/er/new.md" holds "The moon is new."            | 1   | 0       | 0       |
      | the file "drafts/new.md" holds "The moon is new."             | 0   | 0       | 0       |
      | the file ".hidden" holds "The moon is new."                   | 0   | 0       | 0       |
      | "tides.txt" was since edited to "The noon pulls tides."       | 0   | 1       | 0       |
      | "tides.txt" was since edited to "The noon pulls tides." with the same size and times | 0 | 1 | 0 |
      | "tides.txt" was since edited to "The moon pulls tides."       | 0   | 0       | 0       |
      | "tides.txt" was since deleted                                 | 0   | 0       | 1       |
      | "tides.txt" was since renamed to "sea.txt"                    | 0   | 1       | 0       |
      | "tides.txt" is now a link to "sea/wind.md"                    | 0   | 0       | 1       |
      | "sea" was since renamed to "ocean"                 | 0   | 2       | 0       |
      | the file "tides.txt.biblicus.yml" holds "title: Ebb"          | 0   | 1       | 0       |
      | the file "nothing.txt.biblicus.yml" holds "title: Ebb"        | 0   | 0       | 0       |
      | the file ".biblicusignore" holds "drafts/\nsea/"              | 0   | 0       | 2       |
      | the file ".biblicus/weights.yml" holds "weights: []"          | 0   | 0       | 0       |

  Scenario: What the catalog knows and the run does not is pending, too
    Given the file "new.md" holds "The moon is new."
    And "tides.txt" was since deleted
    And the catalog was refreshed
    And the file "newer.md" holds "The moon is newer."
    When "moon" is asked
    Then 2 new, 0 changed and 1 removed files are pending

  Scenario: After a reindex nothing is pending
    Given the file "new.md" holds "The moon is new."
    And a sealed run "second"
    When "moon" is asked
    Then 0 new, 0 changed and 0 removed files are pending

  Scenario: An older run is held against the folder as it is now
    Given the file "new.md" holds "The moon is new."
    And a sealed run "second"
    When "moon" is asked of the run "first"
    Then 1 new, 0 changed and 0 removed files are pending

  Scenario: Answers and packs say so, too
    Given the file "new.md" holds "The moon is new."
    When the answerer "quote" is asked "What pulls tides?"
    Then 1 new, 0 changed and 0 removed files are pending
    When a context for "moon" is asked
    Then 1 new, 0 changed and 0 removed files are pending

  Scenario: What changed is indexed first where that is asked for
    Given the file "new.md" holds "Full moon and new moon."
    When "full moon" is asked after what changed
    Then evidence comes from "new.md"
    And 0 new, 0 changed and 0 removed files are pending

  Scenario: The user's settings may have what changed indexed before every question
    Given the setting "refresh" is "auto"
    And the file "new.md" holds "Full moon and new moon."
    When "full moon" is asked
    Then evidence comes from "new.md"
    And 0 new, 0 changed and 0 removed files are pending

  Scenario: What would take long is not indexed first
    Given 60 more items that say "Full moon"
    When "moon" is asked after what changed
    Then the result notes "60 files changed: more than are indexed before a question"
    And 60 new, 0 changed and 0 removed files are pending
