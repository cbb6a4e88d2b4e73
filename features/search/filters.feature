Feature: Filters act before ranking
  They mean the same in lists and queries; with one, the best of what fits is returned, however deep it would rank.

  Background:
    Given a corpus with the items
      | path             | text                                                               |
      | notes/moon.md    | ---\ntags: [sea, draft]\nauthor: Ada\n---\nThe moon pulls the tides of the sea. |
      | notes/sun.md     | ---\ntags: [sea]\nauthor: Bob\nrefs: [x1, x2]\n---\nThe sun pulls the tides less than the moon does. |
      | code/moon.py     | # The moon and the tides\npull = "moon"\n                          |
      | mond.txt         | Der Mond zieht das Wasser des Meeres jeden Tag; moon heißt er auf Englisch. |
    And a sealed run "first"

  Scenario: One filter
    When "moon" is asked with each of
      | filter   | value           | path                        |
      | tag      | draft           | notes/moon.md               |
      | tag      | sea             | notes/moon.md, notes/sun.md |
      | type     | text/markdown   | notes/moon.md, notes/sun.md |
      | type     | text/x-python   | code/moon.py                |
      | type     | plain           | mond.txt                    |
      | doctype  | code            | code/moon.py                |
      | language | de              | mond.txt                    |
      | path     | notes/*         | notes/moon.md, notes/sun.md |
      | path     | **/moon.*       | notes/moon.md, code/moon.py |
      | path     | notes/          | notes/moon.md, notes/sun.md |
      | where    | author=Ada      | notes/moon.md               |
      | where    | refs=x2         | notes/sun.md                |
    Then each finds evidence there alone

  Scenario Outline: Where nothing fits, nothing is found, and the filter is named
    When "moon" is asked with | <filter>: <value> |
    Then nothing is found
    And the result notes "<note>"

    Examples: one after the other
      | filter   | value      | note                                                  |
      | tag      | seo        | No item fits tag=seo. Nearest: sea.                   |
      | type     | markdwon   | No item fits type=markdwon. Nearest: text/markdown.   |
      | language | fr         | No item fits language=fr. There is: en, de            |
      | path     | note       | No item fits path=note. Nearest: notes                |
      | where    | author=Bib | No item fits where author=Bib. Nearest: Bob.          |
      | since    | 2031       | No item fits since=2031.                              |

  Scenario: The only fitting item is found below a thousand better ones
    Given 300 more items that say "moon moon moon"
    And a sealed run "second"
    When "moon" is asked with | tag: draft |
    Then evidence comes only from "notes/moon.md"
