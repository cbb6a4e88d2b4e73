Feature: The same answer wherever it is asked
  Python, the command line, the daemon and a service answer the same question of the same corpus with the same evidence,
  and refuse it in the same words.

  Background:
    Given a corpus with the items
      | path           | text                                                |
      | tides.txt      | The moon pulls tides.\nThe sun does too, a little.  |
      | notes/gulls.md | ---\ntags: [birds]\n---\n# Gulls\n\nGulls eat fish. |
    And a sealed run "first"

  Scenario: A question
    When "moon tides" is asked
    Then evidence comes only from "tides.txt"
    And the answer is what this process gives

  Scenario: A question with filters and budgets
    When "gulls fish moon" is asked with | tag: birds | path: notes/** | max_tokens: 4 |
    Then evidence comes only from "notes/gulls.md"
    And the answer is what this process gives

  Scenario: A question of a layer
    Given the layers
      """
      - {name: raw}
      - {name: published, path: "published/**", from: raw}
      """
    And "tides.txt" was promoted to "published"
    And the corpus was reindexed
    When "moon gulls" is asked with | layer: published |
    Then evidence comes only from "published/tides.txt"
    And the answer is what this process gives

  Scenario: A question of a run
    When "moon" is asked of the run "first"
    Then the answer is what this process gives

  Scenario: A context for a prompt
    When a context for "gulls moon" is asked with | format: xml | tag: birds | max_tokens: 500 | share: 0.9 | order: document |
    Then the entries come from "notes/gulls.md:4"
    And the answer is what this process gives

  Scenario: A blank question
    When " " is asked
    Then it is refused as "blank_question"
    And the answer is what this process gives

  Scenario: A recipe that nobody knows
    When "moon" is asked with | recipe: nosuch |
    Then it is refused as "recipe_not_found"
    And the answer is what this process gives

  Scenario: The items
    When the items are listed
    Then the answer is what this process gives

  Scenario: The tree
    When the tree is shown
    Then the answer is what this process gives

  Scenario: An item
    When the item "notes/gulls.md" is shown
    Then the answer is what this process gives

  Scenario: An item that is not there
    When the item "nosuch.txt" is shown
    Then it is refused as "item_not_found"
    And the answer is what this process gives

  Scenario: Exact text
    When the item "notes/gulls.md" is read with | lines: 4:6 |
    Then the answer is what this process gives

  Scenario: Lines that an item does not have
    When the item "tides.txt" is read with | lines: 2:9 |
    Then it is refused as "out_of_bounds"
    And the answer is what this process gives
