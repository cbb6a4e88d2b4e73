Feature: What programs write is read
  Documents, presentations, workbooks, books and mail give the text that people see in them, with its headings and the
  names of its columns. What a file holds beside (notes, comments, alternatives, attachments' names) counts, too.

  Scenario: A hidden sheet is named as hidden
    Given a corpus without items
    And the workbook "q2.xlsx" with
      | sheet          | from | cells                |
      | Q2             | A1   | Berths in summer     |
      | Notes (hidden) | A1   | The crane is leased. |
    And a sealed run "first"
    When the item "q2.xlsx" is read
    Then the text holds "Q2 Berths in summer"
    And the text holds "Notes (hidden sheet) The crane is leased."

  Scenario: Years name the columns of a workbook, and a table has the names above it
    Given a corpus without items
    And the workbook "q2.xlsx" with
      | sheet | from | cells                               |
      | Years | A1   | Quay / 2021 / 2022                  |
      | Years | A2   | North / 237 / 433                   |
      | Built | A1   | Quay / Built / Rebuilt              |
      | Built | A2   | North / 1907 / 1953                 |
      | Built | A3   | South / 1911 / 1960                 |
      | Boats | A1   | All the boats / as of spring        |
      | Boats | A2   | that we / know of                   |
      | Boats | A3   | Boat / Owner / Berth / Length       |
      | Boats | A4   | Gull / Ada Stone / 7 / 9.5          |
    And a sealed run "first"
    When the item "q2.xlsx" is read
    Then the text holds "Quay: North | 2021: 237 | 2022: 433"
    And the text holds "Quay: North | Built: 1907 | Rebuilt: 1953"
    And the text holds "Quay: South | Built: 1911 | Rebuilt: 1960"
    And the text holds "Boat | Owner | Berth | Length Boat: Gull | Owner: Ada Stone | Berth: 7 | Length: 9.5"

  Scenario: The row of a table and the list of a slide that are asked for
    Given a corpus without items
    And the workbook "crew.xlsx" with
      | sheet | from | cells                                   |
      | Crew  | A1   | Department / Head / Boats / Office      |
      | Crew  | A2   | Rescue / Ines Castro / 4 / North quay   |
      | Crew  | A3   | Pilots / Per Lindqvist / 2 / South quay |
      | Crew  | A4   | Dredging / Amara Okafor / 1 / Old pier  |
    And the presentation "deck.pptx" with
      | title      | text                                                   | notes |
      | Next steps | Sign the lease of the crane\nPaint the crane\nMove the crane in April |       |
    And a sealed run "first"
    When the answerer "quote" is asked "Who heads the Dredging department?"
    Then the answer begins with "Department: Dredging — Head: Amara Okafor"
    And the answer has at most 16 words
    When the answerer "quote" is asked "What are the next steps of the crane?"
    Then the answer holds "- Sign the lease of the crane"
    And the answer holds "- Move the crane in April"
    And every citation verifies

  Scenario: A message: its headers, its plain part, the names of its attachments
    Given a corpus with the items
      | path    | text |
      | a.eml   | From: =?utf-8?b?w4RyenRl?= <a@example.org>\nSubject: Spring\n tide\nDate: Mon, 1 Jan 2024 10:00:00 +0000\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: multipart/alternative; boundary=y\n\n--y\nContent-Type: text/plain; charset=utf-8\n\nThe moon is full.\n--y\nContent-Type: text/html\n\n<p>The sun is high.</p>\n--y--\n--x\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=plan.pdf\n\nJVBERi0=\n--x--\n |
    When the item "a.eml" is read
    Then the text holds "Spring tide From: Ärzte <a@example.org>"
    And the text holds "The moon is full."
    And the text holds no "sun"
    And the text holds "Attachment: plan.pdf"

  Scenario: A message as Apple's Mail keeps it
    Given a corpus with the items | path: 1.emlx | text: 44  \nFrom: Ada\nSubject: Spring tide\n\nIt is high.\n<?xml version="1.0"?><plist><dict><key>flags</key></dict></plist>\n |
    When the item "1.emlx" is read
    Then the text holds "Spring tide From: Ada It is high."
    And the text holds no "plist"

  Scenario: A message with a signature for programs, and a subject in more signs than it says
    Given a corpus with the items
      | path  | text |
      | a.eml | From: Ada <a@example.org>\nSubject: =?gb2312?B?6Gg=?=\nMIME-Version: 1.0\nContent-Type: multipart/signed; boundary=x\n\n--x\nContent-Type: text/plain\n\nThe moon is full.\n--x\nContent-Type: application/pgp-signature; name=signature.asc\n\n-----BEGIN PGP SIGNATURE-----\n\niQ==\n--x--\n |
    When the items are listed
    Then they are | path: a.eml | title: 鑘 |

  Scenario: A picture's own words
    Given a corpus with the items
      | path  | text |
      | a.jpg | \xff\xd8\xff\xe1\x00\x34Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x0e\x01\x02\x00\x12\x00\x00\x00\x1a\x00\x00\x00\x00\x00\x00\x00The moon, rising\x00\x00\xff\xd9 |
      | b.jpg | \xff\xd8\xff\xe0\x00\x04xx\xff\xd9 |
    When the corpus is reindexed
    Then the report says | change: skipped | path: b.jpg | detail: needs ocr: a picture without words of its own |
    And the text of "a.jpg" holds "Description: The moon, rising"

  Scenario Outline: Office files with a password
    Given a corpus without items
    And the <kind> "locked/rules.<suffix>" with
      | style | title | text             | notes | sheet | from | cells            |
      | Normal | Rules | Berths have water. |       | Rules | A1   | Berths have water. |
    And "locked/rules.<suffix>" was since locked with the password "ebb tide"
    When the catalog is refreshed
    And it is checked what could not be read
    Then the unread are | path: locked/rules.<suffix> | class: needs password | reason: asks for a password | hint: --password |
    Given the setting "passwords" is "locked/*: high water"
    When the corpus is reindexed
    And it is checked what could not be read
    Then the unread are | path: locked/rules.<suffix> | class: needs password | reason: another password |
    Given the setting "passwords" is "locked/*: ebb tide"
    And the corpus was reindexed
    When "berths water" is asked
    Then evidence comes from "locked/rules.<suffix>"
    And the evidence verifies

    Examples:
      | kind         | suffix |
      | document     | docx   |
      | presentation | pptx   |
      | workbook     | xlsx   |

  Scenario Outline: Headings of further kinds of text
    Given a corpus with the items | path: <path> | text: <text> |
    And the recipe "fine" is "lexical" with
      """
      build:
        chunking: {default: {by: paragraphs, tokens: 8}}
      """
    And a sealed run "fine" of the recipe "fine"
    When "small" is asked with | recipe: fine |
    Then the evidence is | path: <path> | heading: Neap tides |
    And the text of "<path>" holds "small"

    Examples:
      | path   | text                                                                                        |
      | a.org  | * Tides\nSome words of them.\n** TODO Neap tides  :sea:\nThey are small.\n                  |
      | a.adoc | = Tides\n\nSome words of them.\n\n== Neap tides\n\nThey are small.\n                         |
      | a.tex  | \x5csection{Tides}\nSome words of them.\n\x5csubsection*{Neap \x5cemph{tides}}\nThey are small.\n |
