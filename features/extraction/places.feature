Feature: Evidence says where it stands, in the format's own terms
  A slide, cells, a chapter, a message, a minute, a page or lines: the locator's label is for people, and opens the
  place. No chunk reaches from one slide, sheet, chapter or message into the next.

  Scenario: Cells of a sheet, under the names of their columns
    Given a corpus without items
    And the workbook "q2.xlsx" with
      | sheet          | from | cells                  |
      | Q2             | A1   | Berths in summer       |
      | Q2             | B3   | Boat / Berth / Fee     |
      | Q2             | B4   | Seagull / North 4 / 35 |
      | Q2             | B5   | Cormorant / South / 41 |
      | Notes (hidden) | A1   | The crane is leased.   |
    And a sealed run "first"
    When "cormorant" is asked
    Then the evidence stands at | path: q2.xlsx | kind: sheet | label: Q2!A1:D5 | from: A1 | to: D5 |
    And every piece of evidence is what its locator opens, or a part of it
    And the text of "q2.xlsx" holds "Boat: Cormorant | Berth: South | Fee: 41"
    And the text of "q2.xlsx" holds "Notes (hidden sheet)"

  Scenario: Some rows alone
    Given a corpus without items
    And the workbook "q2.xlsx" with
      | sheet | from | cells               |
      | Q2    | A1   | Boat / Berth        |
      | Q2    | A2   | Seagull / North 4   |
      | Q2    | A3   | Cormorant / South 7 |
    And a sealed run "first"
    When the item "q2.xlsx" is read with | locator: Q2!A3:B3 |
    Then the text holds "Boat: Cormorant | Berth: South 7"
    And the text holds no "Seagull"

  Scenario: A heading's path in a document
    Given a corpus without items
    And the document "rules.docx" with
      | style     | text                         |
      | Heading 1 | Berths                       |
      | Normal    | All berths have water.       |
      | Heading 2 | Visitors                     |
      | Normal    | A visitor pays in the tower. |
      | row       | Length / Fee                 |
      | row       | up to 8 m / 12 euros         |
    And the recipe "fine" is "lexical" with
      """
      build:
        chunking: {default: {by: paragraphs, tokens: 16}}
      """
    And a sealed run "fine" of the recipe "fine"
    When "visitor pays tower" is asked with | recipe: fine |
    Then the evidence stands at | path: rules.docx | kind: heading | label: Berths › Visitors |
    And the text of "rules.docx" holds "Length: up to 8 m | Fee: 12 euros"

  Scenario: Headings that are called alike are told apart by a number
    Given a corpus without items
    And the document "rules.docx" with
      | style     | text                         |
      | Heading 1 | Berths                       |
      | Heading 2 | Fees                         |
      | Normal    | A night is twelve euros.     |
      | Heading 1 | Cranes                       |
      | Heading 2 | Fees                         |
      | Normal    | A lift is ninety euros.      |
      | Heading 1 | Berths                       |
      | Heading 2 | Fees                         |
      | Normal    | A mooring is seven hundred.  |
    And the recipe "fine" is "lexical" with
      """
      build:
        chunking: {default: {by: paragraphs, tokens: 8}}
      """
    And a sealed run "fine" of the recipe "fine"
    When "mooring" is asked with | recipe: fine |
    Then the evidence stands at | path: rules.docx | kind: heading | label: Berths (2) |
    And every piece of evidence is what its locator opens, or a part of it

  Scenario: A file that is called a mailbox and holds one message alone
    Given a corpus with the items | path: draft.mbox | text: From: Ada <ada@example.org>\nTo: Bo <bo@example.org>\nSubject: The crane\n\nThe tide was at six metres.\n |
    And a sealed run "first"
    When "tide six metres" is asked
    Then the evidence stands at | path: draft.mbox | kind: message | label: message 1 |
    And the evidence is | heading: The crane |

  Scenario: A recording and its transcript are one item
    Given a corpus with the items
      | path         | text |
      | talk.webm    | \x1aE\xdf\xa3\x00\x00 |
      | talk.vtt     | WEBVTT\n\n00:11.000 --> 00:13.500\nWe speak of tides.\n\n12:03.000 --> 12:40.000\nAnd of moons.\n |
      | alone.srt    | 1\n00:00:01,000 --> 00:00:02,000\nGulls follow boats.\n |
    And a sealed run "first"
    When "moons" is asked
    Then the evidence stands at | path: talk.webm | kind: time | label: 00:11-12:40 |
    And every piece of evidence is what its locator opens, or a part of it
    And the evidence verifies
    And the catalog holds
      | path      | doctype |
      | alone.srt | doc     |
      | talk.webm | video   |

  Scenario: The minutes of a recording
    Given a corpus with the items
      | path      | text |
      | talk.webm | \x1aE\xdf\xa3\x00\x00 |
      | talk.vtt  | WEBVTT\n\n00:11.000 --> 00:13.500\nWe speak of tides.\n\n12:03.000 --> 12:40.000\nAnd of moons.\n |
    When the item "talk.webm" is read with | locator: 12:03-12:40 |
    Then the text is "And of moons.\n"

  Scenario Outline: What becomes of a recording when something happens to its transcript
    Given a corpus with the items
      | path      | text |
      | talk.webm | \x1aE\xdf\xa3\x00\x00 |
      | talk.vtt  | WEBVTT\n\n00:11.000 --> 00:13.500\nWe speak of tides.\n |
    And a sealed run "first"
    And the evidence for "tides" is kept
    And "talk.vtt" was since <event>
    And a sealed run "second"
    When the evidence is verified
    Then it is "<status>", because "<reason>"
    And a query for "<question>" returns evidence from "<path>"

    Examples:
      | event                 | status | reason                                                    | question | path      |
      | edited to "Of gulls." | stale  | the item is extracted otherwise now, and the text is gone | gulls    | talk.webm |
      | renamed to "b.vtt"    | stale  | the item is extracted otherwise now, and the text is gone | tides    | b.vtt     |

  Scenario: A chapter of a book
    Given a corpus without items
    And the book "sea.epub" called "The Sea" with
      | chapter   | text                          |
      | Of ropes  | A rope is laid of strands.    |
      | Of tides  | The moon pulls the sea.       |
    And a sealed run "first"
    When "moon pulls" is asked
    Then the evidence stands at | path: sea.epub | kind: chapter | label: chapter 2: Of tides |
    And the evidence is | title: The Sea |
    And every piece of evidence is what its locator opens, or a part of it

  Scenario Outline: A page, and lines of a text
    Given a corpus with the real documents | file: pdflatex-4-pages.pdf |
    And the file "a.txt" holds "one\ntwo\nthe moon\n"
    And a sealed run "first"
    When "<question>" is asked
    Then the evidence stands at | path: <path> | kind: <kind> | label: <label> | from: <from> | to: <to> |

    Examples: one after the other
      | question                            | path                 | kind | label     | from | to |
      | information about the selected font | pdflatex-4-pages.pdf | page | page 3    | 3    | 3  |
      | moon                                | a.txt                | line | lines 1-3 | 1    | 3  |

  Scenario Outline: A plain text is called what stands in the middle of a line above it
    Given a corpus with the items | path: rfc77.txt | text: <text> |
    And a sealed run "first"
    When "lamp" is asked
    Then the evidence is | title: <title> |

    Examples:
      | title           | text |
      | Lamps of a Boat | Harbour Working Group                                             B. Roe\nMemo for Comments: 77                                          Quay Inc.\nObsoletes: 4                                                    May 1990\n\n                            Lamps of a Boat\n\nStatus of this memo\n\n   A lamp is red or green. |
      | RULES OF LAMPS  | \n                             RULES OF LAMPS\n                         Version 2, June 1991\n\nEach boat that sails by night has a lamp on either side, a red or a green\none, and a white one astern. |
      | rfc77           | A lamp is red or green.\n\n                            Lamps of a Boat\n\nThey are lit at dusk. |

  Scenario: A place that is not there is told with one that is
    Given a corpus with the items | path: talk.srt | text: 1\n00:00:01,000 --> 00:00:02,000\nHello there. |
    And a sealed run "first"
    When the item "talk.srt" is read with | locator: slide 4 |
    Then it is refused as "out_of_bounds"
    And the message says "the first is"

  Scenario: Evidence that names another place is forged
    Given a corpus without items
    And the presentation "deck.pptx" with
      | title        | text                   | notes |
      | The harbour  | Two piers and a crane. |       |
      | Spring tides | High at full moon.     |       |
    And a sealed run "first"
    And the evidence for "high at full moon" is kept
    And its "locator" was changed to "slide 1"
    When the evidence is verified
    Then it is "forged", because "these words stand at slide 2"
