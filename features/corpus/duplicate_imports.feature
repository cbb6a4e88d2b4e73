Feature: The same content from another source
  A text that the corpus already holds is told as a duplicate of the first item, and by default not kept twice. White
  space, forms of quotes and what shows nothing do not count; with `--same bytes` every byte does.

  Background:
    Given a corpus with the items | path: tides.txt | text: The "moon" pulls tides. |
    And a folder outside with the files
      | path      | text                            |
      | copy.txt  | The "moon" pulls tides.         |
      | dress.txt | The “moon”  pulls\n\n tides.\n |
      | loud.txt  | THE "MOON" PULLS TIDES.         |
      | dress.md  | The "moon"\r\npulls tides.     |

  Scenario: Skipping is the default
    When "copy.txt" outside is ingested
    Then the duplicates are | outside: copy.txt | of: tides.txt |
    And the catalog holds | path: tides.txt |

  Scenario: Keeping both
    When "copy.txt" outside is ingested with | on_duplicate: keep |
    Then the report says | change: added | path: imports/copy.txt |

  Scenario: Treating it as an error
    When "copy.txt" outside is ingested with | on_duplicate: error |
    Then it is refused as "duplicate"
    And the message says "is a duplicate of tides.txt"
    And the folder holds no "imports"

  Scenario: Copies in the folder itself are the user's own affair
    Given "tides.txt" was since copied to "again.txt"
    When the catalog is refreshed
    Then the report says | change: added | path: again.txt |
