Feature: A renamed item keeps its id
  A vanished path and exactly one new path with the same bytes are one item that moved.
  Where several files could be meant, they are taken as new, and that is said.

  Scenario: A rename keeps the id
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" was since renamed to "sea/tides.txt"
    When the catalog is refreshed
    Then the report says | change: renamed | path: sea/tides.txt | detail: tides.txt |
    And the item "sea/tides.txt" keeps the id of "tides.txt"

  Scenario: A rename takes the sidecar along
    Given a corpus with the items
      | path                   | text                  |
      | tides.txt              | The moon pulls tides. |
      | tides.txt.biblicus.yml | title: Moon and sea   |
    And "tides.txt" was since renamed to "sea.txt"
    And "tides.txt.biblicus.yml" was since renamed to "sea.txt.biblicus.yml"
    When the catalog is refreshed
    Then the report says | change: renamed | path: sea.txt | detail: tides.txt |
    And the item "sea.txt" is | title: Moon and sea |

  Scenario: A sidecar that stays behind is told so for as long as it does
    Given a corpus with the items
      | path                   | text                  |
      | tides.txt              | The moon pulls tides. |
      | tides.txt.biblicus.yml | tags: [sea]           |
    And "tides.txt" was since renamed to "sea.txt"
    And the catalog was refreshed
    And "sea.txt" was since renamed to "moon.txt"
    And the catalog was refreshed
    And the file "gulls.txt" holds "Gulls follow boats."
    When the catalog is refreshed
    Then the report warns of "tides.txt.biblicus.yml" that "which is moon.txt now: mv tides.txt.biblicus.yml moon.txt.biblicus.yml"

  Scenario: A sidecar that goes after its file keeps its tags
    Given a corpus with the items
      | path                   | text                  |
      | tides.txt              | The moon pulls tides. |
      | tides.txt.biblicus.yml | tags: [sea]           |
    And "tides.txt" was since renamed to "sea.txt"
    And the catalog was refreshed
    And "tides.txt.biblicus.yml" was since renamed to "sea.txt.biblicus.yml"
    When the catalog is refreshed
    Then the item "sea.txt" is | tags: sea |
    And the report says of "warnings" nothing

  Scenario: Where its file has another sidecar by now, none is to be overwritten
    Given a corpus with the items
      | path                   | text                  |
      | tides.txt              | The moon pulls tides. |
      | tides.txt.biblicus.yml | tags: [sea]           |
    And "tides.txt" was since renamed to "sea.txt"
    And the file "sea.txt.biblicus.yml" holds "title: The sea"
    When the catalog is refreshed
    Then the report warns of "tides.txt.biblicus.yml" that "which is sea.txt now and has another sidecar"

  Scenario: A swap of two files is two renames of nothing: paths decide
    Given a corpus with the items
      | path  | text                  |
      | a.txt | The moon pulls tides. |
      | b.txt | Gulls follow boats.   |
    And "a.txt" was since renamed to "c.txt"
    And "b.txt" was since renamed to "a.txt"
    And "c.txt" was since renamed to "b.txt"
    When the catalog is refreshed
    Then the report says
      | change  | path  |
      | changed | a.txt |
      | changed | b.txt |
    And the item "a.txt" keeps the id of "a.txt"

  Scenario: A rename with an edit is a removal and an addition
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" was since renamed to "sea.txt"
    And "sea.txt" was since edited to "The sun pulls tides, too."
    When the catalog is refreshed
    Then the report says
      | change  | path      |
      | added   | sea.txt   |
      | removed | tides.txt |
    And the item "sea.txt" has an id of its own

  Scenario Outline: An ambiguous rename is told as such
    Given a corpus with the items
      | path   | text                  |
      | <old1> | The moon pulls tides. |
      | <old2> | <text2>               |
    And "<old1>" was since renamed to "new1.txt"
    And <then>
    When the catalog is refreshed
    Then the report warns of "new1.txt" that "ambiguous rename"
    And the report says of "added" also "new1.txt"
    And the item "new1.txt" has an id of its own

    Examples:
      | old1  | old2  | text2                 | then                                         |
      | a.txt | b.txt | The moon pulls tides. | "b.txt" was since renamed to "new2.txt"      |
      | a.txt | b.txt | The moon pulls tides. | "b.txt" was since deleted                    |
      | a.txt | b.txt | Gulls follow boats.   | "new1.txt" was since copied to "new2.txt"    |

  Scenario: Empty files are never taken for one another
    Given a corpus with the items | path: a.txt | text: |
    And "a.txt" was since renamed to "b.txt"
    When the catalog is refreshed
    Then the report says of "renamed" nothing
    And the report says of "added" also "b.txt"

  Scenario: After a rename, an edit keeps the id still
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" was since renamed to "sea.txt"
    And the catalog was refreshed
    And "sea.txt" was since edited to "The sun pulls tides, too."
    When the catalog is refreshed
    Then the item "sea.txt" keeps the id of "tides.txt"

  Scenario: A new file at the old path of a renamed one is another item
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" was since renamed to "sea.txt"
    And the catalog was refreshed
    And the file "tides.txt" holds "Another text about tides."
    When the catalog is refreshed
    Then the item "tides.txt" has an id of its own
    And the item "sea.txt" keeps the id of "tides.txt"
