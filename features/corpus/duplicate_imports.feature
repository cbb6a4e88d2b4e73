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

  Scenario Outline: The same text in another dress
    When "<outside>" outside is ingested
    Then the duplicates are | outside: <outside> | of: tides.txt |

    Examples:
      | outside   |
      | dress.txt |
      | dress.md  |

  Scenario: Two that come at once
    Given "tides.txt" was since deleted
    When "." outside is ingested
    Then the duplicates are
      | outside   | of                       |
      | dress.md  | imports/outside/copy.txt |
      | dress.txt | imports/outside/copy.txt |

  Scenario: Other letters are another text
    When "loud.txt" outside is ingested
    Then the report says | change: added | path: imports/loud.txt |

  Scenario: By bytes they are two
    When "dress.txt" outside is ingested with | same: bytes |
    Then the report says | change: added | path: imports/dress.txt |

  Scenario Outline: An item is found by its digest
    Given "loud.txt" outside was ingested
    When the items are listed with | hash: <digest> |
    Then they are | path: tides.txt |

    Examples:
      | digest                                                                  |
      | sha256:65548d05bb14487129642f5e06faaa617c84d8f848b9aa03c8d8f70666f27a84 |
      | 65548D05BB14487129642F5E06FAAA617C84D8F848B9AA03C8D8F70666F27A84 |

  Scenario: A digest that is none
    When the items are listed with | hash: abc |
    Then it is refused as "usage"

  Scenario: Copies in the folder itself are the user's own affair
    Given "tides.txt" was since copied to "again.txt"
    When the catalog is refreshed
    Then the report says | change: added | path: again.txt |
