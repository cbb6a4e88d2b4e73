Feature: Items are listed and read exactly
  An item is named by its id, an unambiguous beginning of it, or its path. What is read is its exact text, with a digest.

  Background:
    Given a corpus with the items
      | path          | text                                                    |
      | sea/tides.md  | ---\nid: tide\ntags: [sea, moon]\n---\n# Tides\n\nThe moon pulls.\n |
      | sea/gulls.txt | One: äöü.\nTwo: 🌊 sea.\nThree.                          |
      | land.py       | print("moor")                                           |

  Scenario: Filters mean the same everywhere
    When the items are listed with each of
      | filter  | value         | path          |
      | tag     | moon          | sea/tides.md  |
      | type    | text/markdown | sea/tides.md  |
      | type    | markdown      | sea/tides.md  |
      | type    | plain         | sea/gulls.txt |
      | doctype | code          | land.py       |
      | path    | *.py          | land.py       |
      | path    | **/g*         | sea/gulls.txt |
      | path    | ./land.py     | land.py       |
      | type    | md            | sea/tides.md  |
      | type    | .PY           | land.py       |
    Then each gives that item alone

  Scenario Outline: Parts of a text
    When the item "sea/gulls.txt" is read with | <part>: <value> |
    Then the excerpt is | text: <text> | span_start: <from> | span_end: <to> | line_start: <first> | line_end: <last> |
    And its digest is that of its text

    Examples: one after the other
      | part  | value | text                            | from | to | first | last |
      | lines | 2:2   | Two: 🌊 sea.\n                  | 10   | 22 | 2     | 2    |
      | lines | 2:3   | Two: 🌊 sea.\nThree.            | 10   | 28 | 2     | 3    |
      | span  | 15:16 | 🌊                              | 15   | 16 | 2     | 2    |
      | span  | 5:8   | äöü                             | 5    | 8  | 1     | 1    |

  Scenario: The whole text holds the front matter too
    When the item "tide" is read
    Then the text is "---\nid: tide\ntags: [sea, moon]\n---\n# Tides\n\nThe moon pulls.\n"

  Scenario Outline: What the item does not have
    When the item "sea/gulls.txt" is read with | <part>: <value> |
    Then it is refused as "out_of_bounds"
    And the message says "<has>"

    Examples: one after the other
      | part  | value | has           |
      | lines | 3:4   | 3 lines       |
      | lines | 0:1   | 3 lines       |
      | span  | 5:99  | 28 characters |
      | page  | 1     | no pages      |

  Scenario: An unambiguous beginning of an id is enough
    When the item "ti" is shown
    Then it is | path: sea/tides.md | lines: 7 | headings: 1 | pages: 0 |

  Scenario: What has no text says why
    Given the file "photo.png" holds the bytes "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01"
    And the catalog was refreshed
    When the item "photo.png" is read
    Then it is refused as "no_text"
    And the message says "a picture without words of its own"

  Scenario: Reading what is on disk now
    Given "sea/gulls.txt" was since edited to "Other words."
    When the item "sea/gulls.txt" is read
    Then the text is "Other words."

  Scenario: A file that was edited since is shown as it is now
    Given "sea/gulls.txt" was since edited to "One line."
    When the item "sea/gulls.txt" is shown
    Then it is | path: sea/gulls.txt | lines: 1 | characters: 9 |
