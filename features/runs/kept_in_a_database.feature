Feature: Runs are kept where the user says
  A team keeps its runs in a database; the user's own settings bind a folder to it, and nothing that a corpus holds does.
  What a question brings does not depend on it.

  Background:
    Given a corpus with the items
      | path         | text                                                        |
      | tides.txt    | The moon pulls tides.                                       |
      | sea/gulls.md | ---\ntags: [birds]\n---\n# Gulls\n\nGulls follow boats at ebb. |
      | sea/boats.md | # Boats\n\nBoats wait for the flood, read-only logs aboard. |

  Scenario Outline: A question brings the same evidence from each
    Given <kept>
    And the corpus was reindexed
    When "gulls and boats at ebb" is asked
    Then the evidence is
      | path         | line_start |
      | sea/gulls.md | 4          |
      | sea/boats.md | 1          |
    And a query for "read-only" returns evidence from "sea/boats.md"
    And every piece of evidence is its span

    Examples:
      | kept                                                           |
      | the user keeps runs on the disk                                |
      | the user keeps the runs of this folder in the database "team" |

  Scenario: What is kept in a database takes no room in the folder
    Given the user keeps the runs of this folder in the database "team"
    And the corpus was reindexed
    Then no index lies in the folder
