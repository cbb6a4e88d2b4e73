Feature: What could not be read is work, not noise
  A file that gives no text is told once by the reindex that met it. `check --failed` lists all of them by class, each
  with what would help; counts stand wherever a corpus is counted.

  Background:
    Given a corpus with the real documents
      | file               |
      | skew.pdf           |
      | no_contents.pdf    |
      | 2206.01062_pg3.pdf |
      | invalid.pdf        |
    And the file "talk.webm" holds the bytes "\x1aE\xdf\xa3\x00\x00"
    And the file "tides.txt" holds "The moon pulls tides."
    And "link.txt" is a link to "tides.txt"

  Scenario: By class, with what would help
    Given a sealed run "first"
    When it is checked what could not be read
    Then the unread are
      | path               | class          | reason                      | hint         |
      | 2206.01062_pg3.pdf | needs password | asks for a password         | --password   |
      | skew.pdf           | needs ocr      | images and no text          | ocr          |
      | invalid.pdf        | damaged        |                             | save it anew |
      | talk.webm          | unsupported    | no extractor for video/webm | formats      |
    And there are no problems

  Scenario: Before there is a run
    Given the catalog was refreshed
    When it is checked what could not be read
    Then the unread are
      | path               | class          |
      | 2206.01062_pg3.pdf | needs password |
      | skew.pdf           | needs ocr      |
      | invalid.pdf        | damaged        |
      | talk.webm          | unsupported    |

  Scenario: What is too large for a limit, and what is put right
    Given the setting "max_text_bytes" is "10"
    And "invalid.pdf" was since deleted
    And "skew.pdf" was since deleted
    And "2206.01062_pg3.pdf" was since deleted
    And "no_contents.pdf" was since deleted
    And "talk.webm" was since deleted
    And a sealed run "first"
    When it is checked what could not be read
    Then the unread are | path: tides.txt | class: too large | hint: max_text_bytes |

  Scenario: Counted
    Given a sealed run "first"
    When the corpus is counted
    Then it counts as unread
      | class          | files |
      | damaged        | 1     |
      | needs ocr      | 1     |
      | needs password | 1     |
      | unsupported    | 1     |
