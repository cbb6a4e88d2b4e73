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

  Scenario: One filter, ranked just in time
    Given a sealed run "scanned" of the recipe "scan"
    When "moon" is asked of "scan" with each of
      | filter   | value         | paths                       |
      | tag      | draft         | notes/moon.md               |
      | type     | text/markdown | notes/moon.md, notes/sun.md |
      | doctype  | code          | code/moon.py                |
      | language | de            | mond.txt                    |
      | path     | notes/*       | notes/moon.md, notes/sun.md |
      | where    | refs=x2       | notes/sun.md                |
    Then each finds evidence there alone

  Scenario: Several filters must all hold
    When "moon" is asked with
      | tag | where      |
      | sea | author=Bob |
    Then evidence comes only from "notes/sun.md"

  Scenario: Where nothing fits, nothing is found
    When "moon" is asked with
      | tag    |
      | nosuch |
    Then nothing is found

  Scenario: The only fitting item is found below a thousand better ones
    Given 300 more items that say "moon moon moon"
    And a sealed run "second"
    When "moon" is asked with
      | tag   |
      | draft |
    Then evidence comes only from "notes/moon.md"

  Scenario: Filters do not change scores of what remains
    When "moon" is asked, and again with
      | tag |
      | sea |
    Then what remains has the same scores
