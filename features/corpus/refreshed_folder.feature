Feature: The catalog follows the folder
  A refresh says what was added, changed and removed since the last one, and why a file was left out.
  An item keeps its id for as long as its file keeps its path; a copy is an item of its own.

  Scenario: New, edited and deleted files are reported
    Given a corpus with the items
      | path      | text                  |
      | tides.txt | The moon pulls tides. |
      | gulls.txt | Gulls follow boats.   |
      | ropes.txt | Ropes are coiled.     |
    And the file "winds.txt" holds "The wind turns west."
    And "gulls.txt" was since edited to "Gulls follow every boat."
    And "ropes.txt" was since deleted
    When the catalog is refreshed
    Then the report says
      | change  | path      |
      | added   | winds.txt |
      | changed | gulls.txt |
      | removed | ropes.txt |
    And it counts 1 unchanged

  Scenario: A refresh that finds nothing new says so
    Given a corpus with the items
      | path      | text                  |
      | tides.txt | The moon pulls tides. |
      | gulls.txt | Gulls follow boats.   |
    When the catalog is refreshed
    Then the report says nothing new
    And it counts 2 unchanged

  Scenario: An edit keeps the id
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" was since edited to "The sun pulls tides, too."
    When the catalog is refreshed
    Then the item "tides.txt" keeps the id of "tides.txt"
    And the item "tides.txt" is | bytes: 25 |

  Scenario: A copy is an item of its own
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" was since copied to "copy.txt"
    When the catalog is refreshed
    Then the report says | change: added | path: copy.txt |
    And the item "copy.txt" has an id of its own
    And the item "tides.txt" keeps the id of "tides.txt"

  Scenario: A file that comes back to its path is a new item with the same id
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" was since deleted
    And the catalog was refreshed
    And the file "tides.txt" holds "The moon pulls tides."
    When the catalog is refreshed
    Then the report says | change: added | path: tides.txt |
    And the item "tides.txt" keeps the id of "tides.txt"

  Scenario: The same trouble is told at every refresh
    Given a corpus with the items
      | path     | text   |
      | blank.md |        |
      | data.bin | \x00\x01 |
    When the catalog is refreshed
    Then the report says
      | change  | path     | detail                                       |
      | skipped | blank.md | empty                                        |
      | skipped | data.bin | no extractor for application/octet-stream    |

  Scenario: An empty folder is an empty corpus
    Given a corpus without items
    When the catalog is refreshed
    Then the report says nothing new
    And the catalog is empty
