Feature: Front matter describes a text
  A block of YAML at the start of a Markdown or text file says what the file is; it stays part of the text.
  Bad metadata never costs the text: what cannot be read is a warning, and the text is indexed.

  Scenario: The named keys and the others
    Given a corpus with the items | path: tides.md | text: ---\ntitle: Moon and sea\ntags: [sea, moon]\ndoctype: paper\nauthor: Ada\nyear: 2024\n---\nText. |
    When the items are listed
    Then they are | title: Moon and sea | tags: sea, moon | doctype: paper | metadata: {"author": "Ada", "year": "2024"} |

  Scenario: Front matter is text that is not ranked
    Given a corpus with the items | path: tides.md | text: ---\nauthor: Zebedee\n---\nThe moon pulls the tides.\n |
    And a sealed run "first"
    When "moon" is asked
    Then the evidence is | path: tides.md | text: The moon pulls the tides. | line_start: 4 | span_start: 24 |
    And nothing is found for "Zebedee"

  Scenario Outline: Broken front matter is a warning, and the text is indexed
    Given a corpus with the items | path: tides.md | text: ---\n<broken>\n---\nThe moon. |
    And a sealed run "first"
    When "moon" is asked
    Then evidence comes from "tides.md"
    And a refresh warns of "tides.md" that "<warning>"

    Examples:
      | broken              | warning                                          |
      | title: [unclosed    | The front matter cannot be read                  |
      | a: &x 1\nb: *x      | The front matter cannot be read                  |
      | title: [a, b]       | "title" was left aside: not a valid title        |
      | doctype: pamphlet   | "doctype" was left aside: not a valid doctype    |
      | language: 12        | "language" was left aside: not a valid language  |
      | tags: {a: b}        | "tags" was left aside: not a valid tags          |

  Scenario: What can be nothing but front matter is not ranked, also where it cannot be read
    Given a corpus with the items | path: tides.md | text: ---\ntitle: Moon\ntitle: Zebedee\nkeywords: [moon,\n  sea]\n# mine\n- ebb\n---\nThe moon pulls the tides.\n |
    And a sealed run "first"
    Then nothing is found for "Zebedee"
    And a refresh warns of "tides.md" that "The front matter cannot be read"

  Scenario: What is said between two rules is ranked
    Given a corpus with the items | path: faq.md | text: ---\nQ: What pulls the tides?\nA: Zebedee does.\nQ: What else?\nA: The moon.\n---\nThat is all of it.\n |
    And a sealed run "first"
    When "Zebedee" is asked
    Then the evidence is | path: faq.md |
