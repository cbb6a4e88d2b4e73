Feature: A page is shown as a picture with the passage marked
  People would rather look than read: a page of a PDF is drawn, with boxes around exactly the cited characters.

  Background:
    Given a corpus without items
    And the PDF "log.pdf" with the pages
      | text                                     |
      | Log of the harbour\nNothing happened.    |
      | The moon pulls tides.\nGulls follow boats. |
    And the file "notes.md" holds "The moon pulls tides."
    And the catalog was refreshed

  Scenario Outline: What has no such picture
    When I type "biblicus get <asked>"
    Then the exit code is <code>
    And standard error says "<reason>"

    Examples: one after the other
      | asked                                            | code | reason                            |
      | log.pdf --page 3 --image page.png                | 3    | it has 2 pages                    |
      | log.pdf --page 3 --image page.png --mark 0:4     | 2    | 2 pages                           |
      | log.pdf --image page.png --mark 0:9999           | 2    | characters                        |
      | log.pdf --image page.png --mark four             | 2    | START:END                         |
      | log.pdf --image page.png --lines 1:2             | 2    | A picture is of a page            |
      | log.pdf --mark 0:4                               | 2    | said of a picture                 |
      | notes.md --image page.png                        | 3    | text/markdown has no pages        |
      | log.pdf --image notes.md                         | 2    | notes.md is there                 |

  Scenario: Words that were read off a scanned page are marked where they stand
    Given OCR by "rapidocr" can be tried here
    And the PDF "scan.pdf" shows pictures of
      | text                 |
      | Dear harbour master  |
      | The moon pulls tides |
    And the recipe "lexical" is "lexical" with
      """
      build:
        extraction: {ocr: {engine: rapidocr}}
      """
    And I typed "biblicus reindex"
    When I type "biblicus get scan.pdf --page 2 --json"
    Then standard output says "The moon pulls tides"
    When I type "biblicus get scan.pdf --image page.png --mark 24:34 --json"
    Then standard output says ""page": 2"
    And standard output says ""unplaced": 0"
    And the picture "page.png" has 1 mark

  Scenario: A page without marks
    When I type "biblicus get log.pdf --page 1 --image page.png"
    Then standard output says "page.png: page 1 of 2"
    And the picture "page.png" has 0 marks
