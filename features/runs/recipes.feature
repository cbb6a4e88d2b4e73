Feature: A recipe is named, validated, and in two sections
  What `build` says decides a run; what `query` says decides only results, and changing it never needs a reindex.
  Recipes with equal builds share one materialization.

  Background:
    Given a corpus with the items
      | path      | text                                                        |
      | tides.txt | The moon pulls tides. It is far.\n\nThe sun pulls tides too. |
      | more.txt  | Tides are pulled by the moon.                               |

  Scenario: The recipes that come with Biblicus
    When the recipes are listed
    Then they are
      | name              |
      | hybrid            |
      | hybrid-alpha      |
      | hybrid-int8       |
      | hybrid-sum        |
      | judged            |
      | lexical           |
      | meaning           |
      | memos             |
      | multilingual      |
      | multilingual-int8 |
      | scan              |
      | vector            |

  Scenario: A recipe of one's own
    When a new recipe "mine" is written
    Then the folder holds ".biblicus/recipes/mine.yml"
    And the recipe "mine" has the build of "lexical"

  Scenario: An existing recipe is never overwritten
    Given the recipe "mine" is "lexical" with
      """
      query:
        budget: {items: 3}
      """
    When a new recipe "mine" is written
    Then it is refused as "usage"

  Scenario Outline: A mistake names the nearest known word
    Given the recipe "mine" is "lexical" with
      """
      <section>: <value>
      """
    When the corpus is reindexed with | recipe: mine |
    Then it is refused as "<code>"
    And the message says "<says>"
    And the hint says "edit .biblicus/recipes/mine.yml"

    Examples:
      | section | value                                             | code         | says                                    |
      | biuld   | {}                                                | invalid_file | did you mean "build"                    |
      | query   | {budgte: {items: 3}}                              | invalid_file | did you mean "budget"                   |
      | query   | {budget: {itmes: 3}}                              | invalid_file | did you mean "items"                    |
      | query   | {budget: {items: 0}}                              | invalid_file | query.budget.items                      |
      | build   | {chunking: {default: {by: paragraphs, tokns: 9}}} | invalid_file | did you mean "tokens"                   |
      | build   | {chunking: {default: {by: paragrafs}}}            | invalid_file | paragraphs                              |
      | build   | {chunking: {defualt: {by: whole}}}                | invalid_file | did you mean "default"                  |
      | build   | {legs: {lexical: {engine: lucene}}}               | invalid_file | tantivy                                 |
      | query   | {rerank: {by: mmr}}                               | invalid_file | judge, cross-encoder                    |
      | query   | {threshold: {lexcial: 0.5}}                       | invalid_file | did you mean "lexical"                  |

  Scenario: A recipe that does not exist
    When the corpus is reindexed with | recipe: nosuch |
    Then it is refused as "recipe_not_found"
    And the message says "judged, lexical, meaning, memos, multilingual, multilingual-int8, scan"

  Scenario: Changing the query section needs no reindex
    Given the recipe "mine" is "lexical" with
      """
      query:
        budget: {items: 10}
      """
    And a sealed run "first" of the recipe "mine"
    And the recipe "mine" was asked for "moon"
    And the recipe "mine" is "lexical" with
      """
      query:
        budget: {items: 1}
      """
    When "moon" is asked with | recipe: mine |
    Then 1 piece is returned
    And the evidence comes from the run "first"

  Scenario: Changing the build section does
    Given the recipe "mine" is "lexical" with
      """
      query:
        budget: {items: 1}
      """
    And a sealed run "first" of the recipe "mine"
    And the recipe "mine" is "lexical" with
      """
      build:
        chunking: {default: {by: whole}}
      """
    When "moon" is asked with | recipe: mine |
    Then it is refused as "no_run"
    And the hint is "biblicus reindex --recipe mine"

  Scenario: A recipe in a file outside the corpus
    Given a recipe file "own.yml" outside is "lexical" with
      """
      name: own
      build:
        chunking: {default: {by: whole}}
      """
    When the corpus is reindexed with the recipe file "own.yml" outside
    Then the runs are | recipe: own | built: fresh | chunks: 2 |
