Feature: Strange files are skipped or shown, never followed
  Links are not followed and special files not opened; each is skipped with its reason.
  Any name that the system allows can be an item.

  Scenario: Links and special files
    Given a corpus with the items | path: a.txt | text: words |
    And "link.txt" is a link to "a.txt"
    And "gone.txt" is a link to "nowhere.txt"
    And "loop" is a link to "."
    And "pipe.txt" is a named pipe
    When the catalog is refreshed
    Then the report says
      | change  | path     | detail             |
      | skipped | gone.txt | symbolic link      |
      | skipped | link.txt | symbolic link      |
      | skipped | loop     | symbolic link      |
      | skipped | pipe.txt | not a regular file |

  Scenario: Names of every kind
    Given a corpus with the items | path: a.txt | text: words |
    And files that say "Seagulls follow boats." are named by the bytes
      | bytes               |
      | caf\xe9.txt         |
      | caf\xc3\xa9.txt     |
      | two\x0alines.txt    |
      | a\x1b[31mred.txt    |
      | \xee\xbe\x80.txt    |
      | 50% of #1?.txt      |
    And a sealed run "first"
    When "seagulls" is asked
    Then the evidence comes from the addresses
      | source_uri               |
      | caf%E9.txt               |
      | caf%C3%A9.txt            |
      | two%0Alines.txt          |
      | a%1B%5B31mred.txt        |
      | %EE%BE%80.txt            |
      | 50%25%20of%20%231%3F.txt |
    And the evidence verifies

  Scenario: Names that some systems cannot hold side by side
    Given a corpus with the items
      | path      | text |
      | Tides.txt | one  |
      | tides.txt | two  |
    When the catalog is refreshed
    Then the report warns of "tides.txt" that "differs from Tides.txt only in case or Unicode form"

  Scenario: A file above the limit is skipped unread
    Given the setting "max_file_bytes" is "10"
    And a corpus with the items
      | path      | text                  |
      | short.txt | tides                 |
      | long.txt  | The moon pulls tides. |
    When the catalog is refreshed
    Then the report says | change: skipped | path: long.txt | detail: larger than 10 bytes |
