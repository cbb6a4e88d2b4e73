Feature: An item may declare its id
  An id in front matter or a sidecar stands above the one derived from the path.
  Two items never share an id: the later path is a reported failure.

  Scenario Outline: Declared ids
    Given a corpus with the items
      | path                  | text      |
      | tides.md              | <text>    |
      | tides.md.biblicus.yml | <sidecar> |
    When the items are listed
    Then they are | item_id: <id> | path: tides.md |

    Examples:
      | text                            | sidecar    | id    |
      | ---\nid: tide\n---\nThe moon.   | tags: [x]  | tide  |
      | The moon.                       | id: side   | side  |
      | ---\nid: tide\n---\nThe moon.   | id: side   | side  |

  Scenario: A declared id moves with its file, whatever else changes
    Given a corpus with the items | path: tides.md | text: ---\nid: tide\n---\nThe moon. |
    And "tides.md" was since deleted
    And the file "sea.md" holds "---\nid: tide\n---\nThe sun, rather."
    When the catalog is refreshed
    Then the item "sea.md" is | item_id: tide |

  Scenario: An id that is declared twice fails the later path
    Given a corpus with the items
      | path | text                          |
      | a.md | ---\nid: tide\n---\nThe moon. |
      | b.md | ---\nid: tide\n---\nThe sun.  |
    When the catalog is refreshed
    Then the report says | change: failed | path: b.md | detail: its id "tide" is already that of a.md |
    And the catalog holds | path: a.md | item_id: tide |

  Scenario: An id that is no id is left aside
    Given a corpus with the items | path: tides.md | text: ---\nid: "a/../b"\n---\nThe moon. |
    When the catalog is refreshed
    Then the report warns of "tides.md" that "was left aside: not a valid id"
