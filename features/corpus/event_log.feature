Feature: What happened to a corpus
  Every change of the catalog and every new run is told once, in order. Whoever keeps the cursor of the last event that
  they read goes on from there, and misses none.

  Background:
    Given a corpus with the items
      | path      | text                  |
      | gulls.txt | Gulls follow boats.   |
      | tides.txt | The moon pulls tides. |

  Scenario: Items and runs
    Given the corpus was reindexed
    When the events are read
    Then the events are
      | event         | path      |
      | item.ingested | gulls.txt |
      | item.ingested | tides.txt |
      | run.sealed    | -         |

  Scenario: What changed, moved and went
    Given the events were read
    And "gulls.txt" was since edited to "Gulls follow ships."
    And "tides.txt" was since renamed to "moon.txt"
    And the catalog was refreshed
    When the events after those are read
    Then the events are
      | event        | path      | from      |
      | item.changed | gulls.txt | -         |
      | item.changed | moon.txt  | tides.txt |

  Scenario: A run that failed is no event
    Given "gulls.txt" was since edited to "Gulls follow ships."
    And the catalog was refreshed
    And the events were read
    And a reindex failed for want of room
    When the events after those are read
    Then there are no events

  Scenario: Something else changed the catalog
    Given the catalog was remembered
    And "tides.txt" was since edited to "The sun pulls, too."
    And the catalog was refreshed
    And the events were read
    And the catalog was put back
    And the catalog was refreshed
    When the events after those are read
    Then it is refused as "events_gone"
