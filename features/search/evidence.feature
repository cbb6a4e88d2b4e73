Feature: Evidence is an exact span with its provenance
  `extraction[span_start:span_end] == text`, always; lines, pages and digests fit it, and everything says where it came
  from.

  Scenario: What a piece of evidence says
    Given a corpus with the items | path: sea/tides.md | text: ---\ntags: [sea]\n---\n# Tides\n\nThe moon pulls the tides. |
    And a sealed run "first"
    When "moon" is asked
    Then the evidence is
      | rank | path         | source_uri   | media_type    | stage    | line_start | line_end | title | heading | language | doctype | tags |
      | 1    | sea/tides.md | sea/tides.md | text/markdown | retrieve | 4          | 6        | Tides | Tides   | en       | doc     | sea  |
    And every piece of evidence is its span
    And every piece of evidence names its corpus, item, chunk, recipe, run and digests

  Scenario: The result says what it was made from
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"
    When "moon" is asked
    Then the result names its query, corpus, run, recipe, index version and second

  Scenario: What came from outside cites its source
    Given a corpus with the items
      | path                   | text                                                                |
      | tides.txt              | The moon pulls tides.                                               |
      | tides.txt.biblicus.yml | source: {kind: url, uri: "https://example.org/tides", ref: "abc"}   |
    And a sealed run "first"
    When "moon" is asked
    Then the evidence is | path: tides.txt | source_uri: https://example.org/tides | citation_url: https://example.org/tides |

  Scenario: Titles count, and are no part of the span
    Given a corpus with the items
      | path     | text                                                      |
      | a.md     | ---\ntitle: Neap\n---\nThe moon stands at its quarter.    |
      | b.md     | ---\ntitle: Ropes\n---\nThe moon shines on coils.         |
    And a sealed run "first"
    When "neap moon" is asked
    Then the evidence is
      | path | text                            |
      | a.md | The moon stands at its quarter. |
      | b.md | The moon shines on coils.       |
