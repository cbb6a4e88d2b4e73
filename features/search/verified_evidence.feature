Feature: Evidence is proved against the corpus
  Each piece is ok, moved, stale, missing or forged; a result is proved as a whole, by anyone who has the files.

  Background:
    Given a corpus with the items
      | path      | text                                                    |
      | tides.txt | Some words first.\n\nThe moon pulls tides.\n\nAnd last. |
      | other.txt | Gulls follow boats.                                     |
    And a sealed run "first"
    And the evidence for "moon" is kept

  Scenario Outline: What became of the item
    Given <change>
    When the evidence is verified
    Then it is "<status>", because "<reason>"

    Examples:
      | change                                                              | status  | reason                      |
      | the catalog was refreshed                                           | ok      | the text stands at its span |
      | every file was since touched                                        | ok      | the text stands at its span |
      | "tides.txt" was since moved to "sea.txt" in the catalog             | ok      | the item is now sea.txt     |
      | "tides.txt" was since edited to "New.\n\nSome words first.\n\nThe moon pulls tides.\n\nAnd last." | moved | the text now starts at 6 |
      | "tides.txt" was since edited to "Quite another text."               | stale   | the item changed and the text is gone |
      | "tides.txt" was since deleted                                       | missing | the item's file is gone     |
      | "tides.txt" was since removed from the catalog                      | missing | the item is not in the corpus |

  Scenario Outline: What was done to the evidence
    Given its "<field>" was changed to "<value>"
    When the evidence is verified
    Then it is "forged", because "<reason>"

    Examples:
      | field        | value                    | reason                         |
      | text         | The moon pulls nothing.  | its hash is not that of its text |
      | hash         | 00                       | its hash is not that of its text |
      | span_start   | 1                        | other text at this span        |
      | span_end     | 5                        | other text at this span        |
      | line_start   | 3                        | these words stand on lines     |
      | line_end     | 99                       | these words stand on lines     |
      | page         | 3                        | the item has no pages          |

  Scenario: A text that was forged with its hash
    Given its text was forged, and its hash fitted
    When the evidence is verified
    Then it is "forged", because "other text at this span"

  Scenario: An item of another corpus is missing
    Given its "item_id" was changed to "nosuch"
    When the evidence is verified
    Then it is "missing", because "the item is not in the corpus"

  Scenario Outline: What is no evidence
    Given the evidence kept is instead
      """
      <document>
      """
    When the evidence is verified
    Then it is refused as "<code>"

    Examples:
      | document                         | code         |
      | {"evidence": [{"text": "x"}]}    | bad_data     |
      | {"evidence": 3}                  | bad_data     |
      | [1]                              | bad_data     |
      | {"entries": [{"text": "x"}]}     | bad_data     |
      | {"statements": 3}                | bad_data     |
      | {"statements": [{"text": "x"}]}  | bad_data     |
      | {"statements": [{"citations": [{"text": "x"}]}], "evidence": []} | bad_data |
      | not json                         | json_refused |
      | {"evidence": [], "evidence": []} | json_refused |
