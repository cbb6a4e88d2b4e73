Feature: A repository is a source
  Its documents are copied under `imports/<name>/` and follow it: new, changed, renamed and deleted ones.
  Each item says which commit its bytes were read at, and keeps its id when the repository renames it.

  Background:
    Given a repository "harbour" with the files
      | path          | text                       |
      | docs/tide.md  | # Tide\n\nThe moon pulls.  |
      | docs/quay.md  | # Quay\n\nShips are moored. |
      | boat.py       | def moor(): pass           |

  Scenario: What it holds becomes items
    Given a corpus without items
    And the repository "harbour" is a source with | toolkit: sailing | category: guide |
    When the sources are synced
    Then the sync of "harbour" says
      | change | path                        |
      | added  | imports/harbour/boat.py      |
      | added  | imports/harbour/docs/quay.md |
      | added  | imports/harbour/docs/tide.md |
    And every item is of the commit of "harbour", with | toolkit: sailing | category: guide |

  Scenario: What happens there happens here
    Given a corpus that is synced with "harbour"
    And in "harbour" since then
      | change  | path         | text or new path         |
      | edited  | docs/tide.md | # Tide\n\nThe sun pulls. |
      | added   | docs/mole.md | # Mole                   |
      | renamed | docs/quay.md | docs/wharf.md            |
      | deleted | boat.py      |                          |
    When the sources are synced
    Then the sync of "harbour" says
      | change  | path                          |
      | removed | imports/harbour/boat.py       |
      | added   | imports/harbour/docs/mole.md  |
      | changed | imports/harbour/docs/tide.md  |
      | renamed | imports/harbour/docs/wharf.md |
    And the catalog holds
      | path                          |
      | imports/harbour/docs/mole.md  |
      | imports/harbour/docs/tide.md  |
      | imports/harbour/docs/wharf.md |

  Scenario: A document that is renamed and edited there keeps its id
    Given a corpus that is synced with "harbour"
    And the id of "imports/harbour/docs/long.md" is known after "harbour" added it
    And "harbour" since renamed "docs/long.md" to "guide/long.md" and edited it
    When the sources are synced
    Then the refresh says | change: renamed | path: imports/harbour/guide/long.md |
    And the item "imports/harbour/guide/long.md" keeps the id of "imports/harbour/docs/long.md"

  Scenario: A new document where one was renamed away is another item
    Given a corpus that is synced with "harbour"
    And in "harbour" since then, and synced | change: renamed | path: docs/quay.md | text or new path: docs/wharf.md |
    And in "harbour" since then | change: added | path: docs/quay.md | text or new path: A new quay. |
    When the sources are synced
    Then the item "imports/harbour/docs/wharf.md" keeps the id of "imports/harbour/docs/quay.md"
    And the items have different ids

  Scenario: What is gone there can be kept
    Given a corpus that is synced with "harbour"
    And in "harbour" since then | change: deleted | path: boat.py | text or new path: |
    When the sources are synced with | no-delete: yes |
    Then the sync of "harbour" says | change: kept | path: imports/harbour/boat.py |
    And the folder holds "imports/harbour/boat.py"

  Scenario: A copy that was edited here is left alone
    Given a corpus that is synced with "harbour"
    And "imports/harbour/docs/tide.md" was since edited to "My own words."
    And in "harbour" since then | change: edited | path: docs/tide.md | text or new path: The sun. |
    When the sources are synced
    Then the sync of "harbour" says | change: conflicts | path: imports/harbour/docs/tide.md | detail: it was edited here |
    And the file "imports/harbour/docs/tide.md" is
      """
      My own words.
      """

  Scenario: A copy that was edited here and is gone there is yours
    Given a corpus that is synced with "harbour"
    And "imports/harbour/boat.py" was since edited to "def sail(): pass"
    And in "harbour" since then | change: deleted | path: boat.py | text or new path: |
    When the sources are synced
    Then the sync of "harbour" says | change: conflicts | path: imports/harbour/boat.py | detail: is yours now |
    And the folder holds "imports/harbour/boat.py"

  Scenario: An edited copy has no address at its source
    Given a corpus that is synced with "harbour"
    And "imports/harbour/boat.py" was since edited to "def sail(): pass"
    When the catalog is refreshed
    Then the report warns of "imports/harbour/boat.py" that "edited here since it was synced"
    And the source of the item "imports/harbour/boat.py" is "corpus"

  Scenario: A copy that is missing here is brought again
    Given a corpus that is synced with "harbour"
    And "imports/harbour/boat.py" was since deleted
    When the sources are synced
    Then the sync of "harbour" says | change: restored | path: imports/harbour/boat.py |

  Scenario: A file of yours is not overwritten
    Given a corpus without items
    And the file "imports/harbour/boat.py" holds "mine"
    And the repository "harbour" is a source with | name: harbour |
    When the sources are synced
    Then the sync of "harbour" says of "imports/harbour/boat.py" that "a file of another origin is there"
    And the file "imports/harbour/boat.py" is
      """
      mine
      """

  Scenario: Once a file of yours is out of the way, the source's is brought in
    Given a corpus without items
    And the file "imports/harbour/boat.py" holds "mine"
    And the repository "harbour" is a source with | name: harbour |
    And the sources were synced
    And "imports/harbour/boat.py" was since deleted
    When the sources are synced
    Then the sync of "harbour" says | change: added | path: imports/harbour/boat.py |

  Scenario: What you said of a document goes along when it is renamed
    Given a corpus that is synced with "harbour"
    And the item "imports/harbour/docs/quay.md" was tagged "+mine"
    And in "harbour" since then | change: renamed | path: docs/quay.md | text or new path: docs/wharf.md |
    When the sources are synced
    Then the item "imports/harbour/docs/wharf.md" is | tags: mine |

  Scenario: A damaged catalog is rebuilt with its sources
    Given a corpus that is synced with "harbour"
    And ".biblicus/catalog.json" was since deleted
    When the corpus is repaired
    Then every item is of the commit of "harbour"

  Scenario: A dry run tells and changes nothing
    Given a corpus that is synced with "harbour"
    And in "harbour" since then
      | change  | path         | text or new path |
      | edited  | docs/tide.md | The sun.         |
      | deleted | boat.py      |                  |
    When the sources are synced with | dry-run: yes |
    Then the sync of "harbour" says
      | change  | path                         |
      | removed | imports/harbour/boat.py      |
      | changed | imports/harbour/docs/tide.md |
    And the folder holds "imports/harbour/boat.py"
