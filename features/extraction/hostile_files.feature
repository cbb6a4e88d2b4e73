Feature: A hostile file costs itself
  Parsers of binary formats run in guarded processes; a broken or hostile file is one reported failure.
  Everything else is indexed.

  Scenario: A broken PDF among good files
    Given a corpus with the items
      | path      | text                       |
      | tides.txt | The moon pulls tides.      |
      | bad.pdf   | %PDF-1.7\n1 0 obj <</Broken |
    And a sealed run "first"
    When "moon" is asked
    Then evidence comes from "tides.txt"
    And the manifest of "first" tells of | change: failed | path: bad.pdf |

  Scenario: With --strict a failure is an exit code, after everything was built
    Given a corpus with the items
      | path      | text                       |
      | tides.txt | The moon pulls tides.      |
      | bad.pdf   | %PDF-1.7\n1 0 obj <</Broken |
    When the corpus is reindexed with | strict: yes |
    Then it is refused as "check_failed"
    And a query for "moon" returns evidence from "tides.txt"

  Scenario: Scripts of a page are not run, and not text
    Given a corpus with the items | path: page.html | text: <p onclick="steal()">Tides</p><script>document.write("moon")</script> |
    And a sealed run "first"
    When "moon steal" is asked
    Then nothing is found

  Scenario Outline: Front matter that would blow up is only a warning
    Given a corpus with the items | path: tides.md | text: ---\n<bomb>\n---\nThe moon. |
    When the catalog is refreshed
    Then the report warns of "tides.md" that "front matter cannot be read"

    Examples:
      | bomb                                             |
      | a: &a [x, x]\nb: [*a, *a]                        |
      | !!python/object/apply:os.system ["true"]         |
      | [[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]] |

  Scenario: What failed is told how to be tried again
    Given a corpus with the items
      | path      | text                       |
      | tides.txt | The moon pulls tides.      |
      | bad.pdf   | %PDF-1.7\n1 0 obj <</Broken |
    When I type "biblicus check --failed"
    Then the exit code is 0
    And standard output says "biblicus reindex --retry-failed"

  Scenario: What keeps parsers in is told
    Given a corpus without items
    When I type "biblicus check --sandbox"
    Then the exit code is 0
    And standard output says "opening a connection"
    And standard output says "starting a process"
    And standard output says "1024 MiB"

  Scenario Outline: An archive that lies costs itself
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And the archive "bad.docx" with
      | member              | text     |
      | [Content_Types].xml | <Types/> |
      | word/document.xml   | <text>   |
    When the corpus is reindexed
    Then the report says
      | change | path      | detail   |
      | added  | bad.docx  |          |
      | failed | bad.docx  | <detail> |
    And a query for "moon" returns evidence from "tides.txt"

    Examples:
      | text                                                                            | detail               |
      | 40 MiB of zeros                                                                 | 200 times its size   |
      | <!DOCTYPE d [<!ENTITY a "moon">]><document><body><p><t>&a;</t></p></body></document> | it has a document type |
      | <document><body><p>                                                             | cannot be read       |
      | no XML                                                                          | cannot be read       |

  Scenario: An archive with too much inside
    Given a corpus without items
    And the archive "bad.xlsx" with
      | member          | text             |
      | xl/workbook.xml | <workbook/>      |
      | xl/media/a      | 513 MiB of zeros |
    When the corpus is reindexed
    Then the report says
      | change | path     | detail                      |
      | added  | bad.xlsx |                             |
      | failed | bad.xlsx | it holds more than 512 MiB  |
