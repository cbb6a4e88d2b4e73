Feature: The same content from another source
  Bytes that the corpus already holds are told as a duplicate of the first item, and by default not kept twice.
  With `--same text` the words count, whatever the file looks like.

  Background:
    Given a corpus with the items
      | path      | text                  |
      | tides.txt | The moon pulls tides. |
    And a folder outside with the files
      | path     | text                       |
      | copy.txt | The moon pulls tides.      |
      | loud.txt | THE MOON  pulls\n\n tides. |

  Scenario: Skipping is the default
    When "copy.txt" outside is ingested
    Then the duplicates are
      | outside  | of        |
      | copy.txt | tides.txt |
    And the catalog holds
      | path      |
      | tides.txt |

  Scenario: Keeping both
    When "copy.txt" outside is ingested with
      | on_duplicate |
      | keep         |
    Then the report says
      | change | path             |
      | added  | imports/copy.txt |

  Scenario: Treating it as an error
    When "copy.txt" outside is ingested with
      | on_duplicate |
      | error        |
    Then it is refused as "duplicate"
    And the message says "is a duplicate of tides.txt"
    And the folder holds no "imports"

  Scenario: The same words in another dress
    When "loud.txt" outside is ingested with
      | same |
      | text |
    Then the duplicates are
      | outside  | of        |
      | loud.txt | tides.txt |

  Scenario: By bytes they are two
    When "loud.txt" outside is ingested
    Then the report says
      | change | path             |
      | added  | imports/loud.txt |

  Scenario: Copies in the folder itself are the user's own affair
    Given "tides.txt" was since copied to "again.txt"
    When the catalog is refreshed
    Then the report says
      | change | path      |
      | added  | again.txt |
