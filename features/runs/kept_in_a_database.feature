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

  Scenario Outline: After an edit only the difference is brought in, and filters hold
    Given <kept>
    And the corpus was reindexed
    And "tides.txt" was since edited to "The moon alone pulls gulls."
    And "sea/boats.md" was since deleted
    And the corpus was reindexed
    When "gulls moon boats" is asked with | tag: birds |
    Then evidence comes only from "sea/gulls.md"
    And a query for "moon" returns evidence from "tides.txt"
    And nothing is found for "logs"

    Examples:
      | kept                                                           |
      | the user keeps runs on the disk                                |
      | the user keeps the runs of this folder in the database "team" |

  Scenario: What is kept in a database takes no room in the folder
    Given the user keeps the runs of this folder in the database "team"
    And the corpus was reindexed
    Then no index lies in the folder

  Scenario: Another machine asks what this one has built
    Given the user keeps the runs of this folder in the database "team"
    And the corpus was reindexed
    And we are in a clone of the corpus, on another machine whose user names the same database
    When "gulls at ebb" is asked
    Then evidence comes from "sea/gulls.md"
    And no index lies in the folder

  Scenario: Another machine builds nothing that is there
    Given the user keeps the runs of this folder in the database "team"
    And the corpus was reindexed
    And we are in a clone of the corpus, on another machine whose user names the same database
    And the corpus was reindexed
    When "gulls at ebb" is asked
    Then the evidence is that of the original

  Scenario: A copy of the folder reaches no database
    Given the user keeps the runs of this folder in the database "team"
    And the corpus was reindexed
    And we are in a copy of the whole folder, of which the user's settings say nothing
    When "gulls at ebb" is asked
    Then it is refused as "not_materialized"

  Scenario Outline: Where the database is away, one line says what to type
    Given the user keeps the runs of this folder in the database "team"
    And the corpus was reindexed
    And the database is away
    When <attempt>
    Then it is refused as "store_unavailable"
    And the message says "The store team cannot be used"
    And the hint is "the same command when it is running, or with BIBLICUS_STORE=local"

    Examples:
      | attempt                  |
      | "gulls at ebb" is asked  |
      | the corpus is reindexed  |

  Scenario: A database that lost what it had
    Given the user keeps the runs of this folder in the database "team"
    And the corpus was reindexed
    And the database has lost what it had of this folder
    When "gulls at ebb" is asked
    Then it is refused as "not_materialized"
    And the message says "is not in the store team: it was never built there, or is lost."
    And the hint is "biblicus reindex"

  Scenario: What was built in the database is asked of the disk
    Given the user keeps the runs of this folder in the database "team"
    And the corpus was reindexed
    And the store "local" is named this time
    When "gulls at ebb" is asked
    Then it is refused as "not_materialized"
    And the hint is "biblicus reindex --store local"
