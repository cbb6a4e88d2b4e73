Feature: Tags are given without touching the file
  Tagging writes the item's sidecar, never the raw file, and keeps what else the sidecar says.
  Tags are filters of lists and queries.

  Scenario: Tags are added and dropped
    Given a corpus with the items | path: tides.md | text: ---\ntags: [old, sea]\n---\nText. |
    When the item "tides.md" is tagged "+moon -old"
    Then the item "tides.md" is | tags: sea, moon |
    And the file "tides.md.biblicus.yml" is
      """
      tags:
      - sea
      - moon
      """

  Scenario: Comments and other keys of a sidecar stay
    Given a corpus with the items
      | path                   | text                                                 |
      | tides.txt              | The moon pulls tides.                                |
      | tides.txt.biblicus.yml | # mine\ntitle: Moon   # keep\ntags: [sea]\nowner: Ada |
    When the item "tides.txt" is tagged "+moon"
    Then the file "tides.txt.biblicus.yml" is
      """
      # mine
      title: Moon   # keep
      tags:
      - sea
      - moon
      owner: Ada
      """

  Scenario: The last tag can be dropped
    Given a corpus with the items | path: tides.md | text: ---\ntags: [old]\n---\nText. |
    When the item "tides.md" is tagged "-old"
    Then the item "tides.md" is | tags: - |

  Scenario: A tag that is there already changes nothing
    Given a corpus with the items | path: tides.md | text: ---\ntags: [old]\n---\nText. |
    When the item "tides.md" is tagged "+old"
    Then the folder holds no "tides.md.biblicus.yml"

  Scenario Outline: What is no tag is refused
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    When the item "<item>" is tagged "<change>"
    Then it is refused as "<code>"

    Examples: one after the other
      | item      | change | code           |
      | tides.txt | moon   | usage          |
      | tides.txt | +      | usage          |
      | sea.txt   | +moon  | item_not_found |

  Scenario: A sidecar that cannot be read is never overwritten
    Given a corpus with the items
      | path                   | text                  |
      | tides.txt              | The moon pulls tides. |
      | tides.txt.biblicus.yml | title: [broken        |
    When the item "tides.txt" is tagged "+moon"
    Then it is refused as "invalid_file"
    And the file "tides.txt.biblicus.yml" is
      """
      title: [broken
      """
