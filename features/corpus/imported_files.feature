Feature: Files from outside are imported
  What lies outside the folder is copied under `imports/` with a sidecar that says where it came from.
  It is an upsert by source: changed content updates the item, equal content changes nothing.

  Scenario: A file is copied with its provenance
    Given a corpus without items
    And a folder outside with the files | path: tides.txt | text: The moon pulls tides. |
    When "tides.txt" outside is ingested
    Then the report says | change: added | path: imports/tides.txt |
    And the source of "imports/tides.txt" is a "file" named "file:tides.txt"
    And the folder holds "imports/tides.txt.biblicus.yml"

  Scenario: A folder keeps its layout
    Given a corpus without items
    And a folder outside with the files
      | path              | text          |
      | a/one.txt         | first         |
      | a/b/two.txt       | second        |
      | a/.biblicusignore | *.log         |
      | a/noise.log       | noise         |
      | a/.hidden/x.txt   | hidden        |
    When "a" outside is ingested
    Then the catalog holds
      | path                |
      | imports/a/b/two.txt |
      | imports/a/one.txt   |

  Scenario: A title, tags and metadata come along
    Given a corpus without items
    And a folder outside with the files | path: tides.txt | text: The moon pulls tides. |
    When "tides.txt" outside is ingested with | into: notes | title: Moon and sea | tag: sea | meta: author=Ada |
    Then the catalog holds | path: notes/tides.txt | title: Moon and sea | tags: sea | metadata: {"author": "Ada"} |

  Scenario: A file's own sidecar comes along
    Given a corpus without items
    And a folder outside with the files
      | path                   | text                  |
      | tides.txt              | The moon pulls tides. |
      | tides.txt.biblicus.yml | title: Moon and sea   |
    When "tides.txt" outside is ingested
    Then the catalog holds | path: imports/tides.txt | title: Moon and sea |

  Scenario Outline: A name without an extension gets a usable one
    Given a corpus without items
    And a folder outside with the files | path: <name> | text: <text> |
    When "<name>" outside is ingested
    Then the catalog holds | path: <path> |

    Examples:
      | name    | text                           | path                |
      | page    | <!doctype html><p>Tides</p>    | imports/page.html   |
      | notes   | The moon pulls tides.          | imports/notes.txt   |
      | scan    | %PDF-1.4                       | imports/scan.pdf    |
      | .notes  | hidden no more                 | imports/notes.txt   |

  Scenario: The same source again, unchanged
    Given a corpus without items
    And a folder outside with the files | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" outside was ingested
    When "tides.txt" outside is ingested
    Then the report says nothing new
    And it counts 1 unchanged

  Scenario: The same source again, changed
    Given a corpus without items
    And a folder outside with the files | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" outside was ingested
    And "tides.txt" outside was since edited to "The sun pulls tides, too."
    When "tides.txt" outside is ingested
    Then the report says | change: changed | path: imports/tides.txt |
    And the file "imports/tides.txt" is
      """
      The sun pulls tides, too.
      """

  Scenario: An import that was moved in the corpus is updated where it is
    Given a corpus without items
    And a folder outside with the files | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" outside was ingested
    And "imports/tides.txt" was since renamed to "sea.txt"
    And "imports/tides.txt.biblicus.yml" was since renamed to "sea.txt.biblicus.yml"
    And "tides.txt" outside was since edited to "The sun pulls tides, too."
    When "tides.txt" outside is ingested
    Then the catalog holds | path: sea.txt | bytes: 25 |

  Scenario: An import that was edited here is not overwritten
    Given a corpus without items
    And a folder outside with the files | path: tides.txt | text: The moon pulls tides. |
    And "tides.txt" outside was ingested
    And "imports/tides.txt" was since edited to "My own words."
    And "tides.txt" outside was since edited to "The sun pulls tides, too."
    When "tides.txt" outside is ingested
    Then the report fails "tides.txt" outside, as "its copy imports/tides.txt was edited here"
    And the file "imports/tides.txt" is
      """
      My own words.
      """

  Scenario: Two sources of one name lie side by side
    Given a corpus without items
    And a folder outside with the files
      | path        | text   |
      | a/notes.txt | first  |
      | b/notes.txt | second |
    And "a/notes.txt" outside was ingested
    When "b/notes.txt" outside is ingested
    Then the catalog holds
      | path                | bytes |
      | imports/notes-2.txt | 6     |
      | imports/notes.txt   | 5     |

  Scenario: A file inside the corpus is catalogued in place
    Given a corpus without items
    And the file "notes/sea.txt" holds "The moon pulls tides."
    When "notes/sea.txt" is ingested with | title: Moon and sea | tag: sea |
    Then the catalog holds | path: notes/sea.txt | title: Moon and sea | tags: sea |

  Scenario: What is said of a folder holds for all below it
    Given a corpus without items
    And the file "notes/sea.txt" holds "The moon pulls tides."
    And the file "notes/a/sky.txt" holds "Gulls follow boats."
    And the file "other.txt" holds "Ropes are coiled."
    When "notes" is ingested with | tag: sea |
    Then the catalog holds
      | path            | tags |
      | notes/a/sky.txt | sea  |
      | notes/sea.txt   | sea  |
      | other.txt       | -    |

  Scenario Outline: What cannot be imported is refused
    Given a corpus with the items | path: a.txt | text: words |
    And a folder outside with the files | path: tides.txt | text: The moon pulls tides. |
    And "link.txt" outside is a link to "tides.txt"
    When "<source>" outside is ingested with | into: <into> |
    Then it is refused as "<code>"
    And the folder holds no "imports"

    Examples: one after the other
      | source    | into    | code             |
      | gone.txt  | notes   | source_not_found |
      | link.txt  | notes   | unsafe_input     |
      | ..        | notes   | usage            |
      | tides.txt | ../out  | usage            |
      | tides.txt | /out    | usage            |
      | tides.txt | .hidden | usage            |

  Scenario Outline: A name that Biblicus gives to its own files is refused, and nothing of it stays
    Given a corpus with the items | path: a.txt | text: words |
    And a folder outside with the files | path: <name> | text: id: taken-id |
    When "<name>" outside is ingested
    Then the report fails "<name>" outside, as "its name is one that Biblicus gives to its own files"
    And the folder holds no "imports"

    Examples:
      | name                   |
      | report.md.biblicus.yml |
      | Report.md.BIBLICUS.yml |
      | .biblicusignore        |

  Scenario: An import that does not become an item leaves nothing behind
    Given a corpus without items
    And the file ".biblicusignore" holds "*.log"
    And a folder outside with the files | path: noise.log | text: noise |
    When "noise.log" outside is ingested
    Then the report fails "noise.log" outside, as "ignored by .biblicusignore"
    And the folder holds no "imports/noise.log"
    And the folder holds no "imports/noise.log.biblicus.yml"

  Scenario: An address that is none of the web is not guessed at
    Given a corpus without items
    When "ftp://example.org/tides" is ingested
    Then it is refused as "usage"
