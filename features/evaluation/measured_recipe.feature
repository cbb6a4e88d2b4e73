Feature: A recipe is measured on questions whose answers are known
  Rankings are scored by item, each by its best chunk. What cannot be scored is counted and said, never taken for a
  failure or a success in silence.

  Background:
    Given a corpus with the items
      | path     | text                                             |
      | lamp.md  | Trim the wick of the lamp every evening at dusk. |
      | horn.md  | The horn sounds in fog. The lamp is no use then. |
      | oil.md   | Oil for the lamp is kept in the cellar.          |
      | seals.md | Grey seals were counted in June.                 |
    And the corpus was reindexed
    And the questions "keeper"
      | query                | relevant            |
      | wick trimmed evening | lamp.md             |
      | lamp oil cellar      | oil.md=2, lamp.md=1 |
      | horn fog             | horn.md, seals.md=0 |

  Scenario: Quality and cost of the default recipe
    When the dataset "keeper" is evaluated
    Then "lexical" reaches
      | metric       | value  |
      | mrr@10       | 1.0    |
      | recall@100   | 1.0    |
      | success@10   | 1.0    |
      | precision@10 | 0.1333 |
    And its figures name latencies, throughput, index size, build time and memory
    And the evaluation is of 3 questions

  Scenario Outline: What cannot be measured is refused in one line
    When the dataset "<dataset>" is evaluated with | <option>: <value> |
    Then it is refused as "<code>"
    And the message says "<says>"

    Examples: one after the other
      | dataset | option  | value           | code              | says                |
      | keeper  | metric  | ndgc@10         | usage             | did you mean "ndcg" |
      | keeper  | metric  | span_success@10 | usage             | judges no spans     |
      | keeper  | recipe  | scan            | no_run            | "scan" has no run   |
      | keeper  | recipe  | nosuch          | recipe_not_found  | nosuch              |
      | keeper  | run     | nosuch          | run_not_found     | nosuch              |
      | keeper  | split   | dev             | usage             | no splits           |
      | keepers | metric  | map             | dataset_not_found | known: keeper       |
      | keeper  | fail-if | ndcg@10 is bad  | usage             | is no condition     |
      | keeper  | fail-if | mrr < baseline  | usage             | needs a baseline    |
      | keeper  | report  | page.docx       | usage             | .docx               |
