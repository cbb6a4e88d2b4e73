Feature: A page in the browser
  People look: they ask, follow a result to where it stands, see the words marked, and go on from there. What the page
  shows is what the corpus answers.

  Background:
    Given a corpus with the items
      | path           | text                                                                             |
      | sea/tides.md   | ---\ntags: [moon]\n---\n# Tides\n\nThe moon pulls the tides.\n\n## Springs\n\nThey come at new moon. |
      | sea/gulls.txt  | Gulls follow boats.\nThey sleep when the moon is up.\n                             |
      | land/winch.py  | def grease():\n    return "moon"\n                                                 |
      | land/crew.csv  | name,trade\nAda,pilot\nBen,moon watcher\n                                           |
    And the PDF "log.pdf" with the pages
      | text                                    |
      | Nothing happened.                       |
      | The pilot saw the moon.\nGulls came.    |
    And a sealed run "first"
    And the page is served

  Scenario: The first page says what the corpus is, what is new in it, and what to ask
    Given the file "broken.pdf" holds "%PDF-1.7 and nothing more"
    And a sealed run "second"
    When I look at "/"
    Then I see "6 files"
    And I see "PDF 2"
    And I see "Last indexed"
    And I see "Could not be read 1 damaged"
    And I see "Lately added or changed broken.pdf"
    When I follow "What does “Tides” say about “Springs”?"
    Then I see results

  Scenario: A kind on the first page leads to its files
    When I look at "/"
    And I follow "PDF"
    Then I see "Kind: PDF × log.pdf"
    When I look at "/corpus?type=x%2Fy"
    Then I see "No file fits these filters"

  Scenario: The first page of a corpus that has nothing yet says what to do
    Given no items are left
    And the catalog was refreshed
    When I look at "/"
    Then I see "No files yet"

  Scenario: A question leads to where the words stand
    When I look at "/?q=who+saw+the+moon"
    And I follow "log"
    Then I see "log.pdf, page 2 of 2"
    And I see "Verified now"
    And the picture that I see has marks
    And I can step through the matches

  Scenario: The address is the query
    When I look at "/?q=moon"
    And I follow "Markdown"
    And I follow "sea"
    Then I see the results | title: Tides |
    And the address says "type=text%2Fmarkdown" and "path=sea%2F"
    And I see "Kind: Markdown"

  Scenario: What is not indexed yet is told
    Given the file "new.md" holds "The moon is new."
    When I look at "/?q=moon"
    Then I see "1 file is not indexed yet"
    And I see "To index: biblicus reindex"
    When I look at "/corpus"
    Then I see "1 file is not indexed yet"
    When I look at "/"
    Then I see "1 file is not indexed yet"

  Scenario: Facets count what the question finds
    When I look at "/?q=pilot&type=text%2Fcsv"
    Then the facet "Document type" has the values "Data 1"

  Scenario Outline: One question brings an answer and results, and the answer shows how sure it is
    When I look at "/?q=<question>"
    Then I see the answer "<words>" as "<band>"
    And I see results

    Examples: one after the other
      | question                                      | words                    | band   |
      | Who+pulls+the+tides%3F                        | The moon pulls the tides. | sure  |
      | Do+gulls+dive+with+submarines+near+Jupiter%3F | Gulls follow boats.      | thin   |
      | Do+submarines+near+Jupiter+follow+whales%3F   | Gulls follow boats.      | thin   |

  Scenario: A thin answer is folded away
    When I look at "/?q=Do+submarines+near+Jupiter+follow+whales%3F"
    Then "Gulls follow boats." is folded behind "Nothing answers this; nearest is"

  Scenario Outline: Addresses of earlier versions lead to the one page
    When I look at "<old>"
    Then the address is "<new>"

    Examples: one after the other
      | old                         | new                      |
      | /ask?q=Who+pulls+the+tides  | /?q=Who+pulls+the+tides  |
      | /chat                       | /                        |
      | /ask                        | /                        |

  Scenario: How results were ranked is one switch
    When I look at "/?q=moon"
    Then results have no scores
    When I follow "Explain ranking"
    Then each result has its scores

  Scenario: Values of facets have the names that people use
    When I look at "/?q=pilot"
    Then the facet "Kind" has the values "PDF 1, Table (CSV) 1"

  Scenario: What is typed is completed by titles and headings
    When I look at "/suggest?q=moon+ti"
    Then I see the suggestions "Tides"
    When I look at "/suggest?q=new+moon+spri"
    Then I see the suggestions "Springs"

  Scenario Outline: Every kind of text is shown as what it is
    When I look at "<address>"
    Then the words "<marked>" are marked

    Examples: one after the other
      | address                                | marked                    |
      | /c/sea/gulls.txt?span=0-5#mark         | Gulls                     |
      | /c/sea/gulls.txt?lines=2-2             | They sleep when the moon is up. |
      | /c/land/winch.py?lines=1-1             | def grease():             |
      | /c/sea/tides.md?lines=6-6#mark         | The moon pulls the tides. |
      | /c/sea/tides.md?lines=6-6&source=1     | The moon pulls the tides. |
      | /c/land/crew.csv?lines=3-3             | 3Benmoon watcher          |
      | /c/land/crew.csv?lines=3-3&source=1    | Ben,moon watcher          |

  Scenario Outline: Every kind of block is marked where it is cited
    Given the file "ship.md" holds "# Ship\n\nIt sails.\n\n* a mast\n  * a sail\n\n1. Hoist it.\n\n| part | due |\n|---|---|\n| winch | March |\n\n```\nheave()\n```\n\n    belay()\n\n> Aye.\n"
    And the file "crew.md" holds "Crew\n----\n\n- Ada\n- Ben\n  sails\n\nThey are:\n\n- one\n\n- two\n\n  second\n\n  ```\n  reef()\n  ```\n\n> - Cat\n> - Dan\n\n- four\n  > five\n\n<div>\nsix\n</div>\n\n- [x] tasks\n"
    And the mail "party.eml" to "Ben" about "The party" says "The moon party is on Friday."
    And a sealed run "second"
    When I look at "/c/<path>?lines=<line>-<line>"
    Then the words "<words>" are marked

    Examples: one after the other
      | block         | path      | line | words                        |
      | heading       | ship.md   | 1    | Ship                         |
      | paragraph     | ship.md   | 3    | It sails.                    |
      | item          | ship.md   | 5    | a mast                       |
      | nested item   | ship.md   | 6    | a sail                       |
      | step          | ship.md   | 8    | Hoist it.                    |
      | row           | ship.md   | 12   | winch March                  |
      | code          | ship.md   | 15   | heave()                      |
      | indented code | ship.md   | 18   | belay()                      |
      | quotation     | ship.md   | 20   | Aye.                         |
      | underlined    | crew.md   | 1    | Crew                         |
      | of two lines  | crew.md   | 6    | Ben sails                    |
      | loose list    | crew.md   | 10   | one                          |
      | second paragraph | crew.md | 14  | second                       |
      | code of an item | crew.md | 17   | reef()                       |
      | item quoted   | crew.md   | 21   | Dan                          |
      | quoted in item | crew.md  | 24   | five                         |
      | HTML          | crew.md   | 27   | <div> six </div>             |
      | task          | crew.md   | 30   | [x] tasks                    |
      | column names  | ship.md   | 10   | part due                     |
      | field         | party.eml | 4    | To: Ben <ben@ship.example>   |
      | message       | party.eml | 7    | The moon party is on Friday. |

  Scenario: A citation that a view cannot mark is said, and marked in the source
    When I look at "/c/sea/tides.md?lines=2-2"
    Then I see "The cited words could not be marked in this view."
    When I follow "The source marks them."
    Then the words "tags: [moon]" are marked

  Scenario: A mail is shown as a mail, with people and date, and results have the date of their item
    Given the mail "party.eml" to "Ben" about "The party" says "The moon party is on Friday."
    And the file "plan.md" holds "---\ndate: 2024-03\n---\n# Party\n\nThe moon party is planned.\n"
    And a sealed run "second"
    When I look at "/?q=moon+party"
    Then I see "· 21 December 2022"
    And I see "plan.md, lines 4–6 · March 2024"
    When I look at "/c/party.eml"
    Then I see "Ada <ada@ship.example> · 21 December 2022"
    And the header of the mail is "From: Ada <ada@ship.example>" and "To: Ben <ben@ship.example>"

  Scenario: Results of pages and pictures have a small picture, of a page with the passage marked
    Given the picture "sign.png" of 40 by 20 dots
    And a sealed run "second"
    When I look at "/?q=pilot"
    Then the result "log" has a small picture with marks
    When I look at "/?q=sign"
    Then the result "sign" has a small picture

  Scenario: The words of the question stand out in a longer passage
    Given the file "long.txt" has 30 lines of "moon,tide"
    And a sealed run "second"
    When I look at "/c/long.txt?lines=1-30&q=tide"
    Then the passage has the strong marks "tide"

  Scenario: The original can be saved, and its folder looked at
    When I look at "/c/sea/tides.md"
    And I follow "Original"
    Then I get the file "sea/tides.md" to save
    When I look at "/c/sea/tides.md"
    And I follow "Folder"
    Then I see "2 items"

  Scenario: A workbook is a grid with its sheets as tabs
    Given the workbook "stores.xlsx" with
      | sheet  | from | cells                    |
      | Oil    | A1   | part / due / note        |
      | Oil    | A2   | winch / March / cans: two |
      | Oil    | A3   | lamp / / wicks           |
      | People | A1   | name / trade             |
      | People | A2   | Ada / pilot              |
    And a sealed run "second"
    When I look at "/c/stores.xlsx?sheet=Oil%21A3%3AC3"
    Then I see the grid
      |   | A    | B   | C     |
      | 1 | part | due | note  |
      | 2 | winch | March | cans: two |
      | 3 | lamp |     | wicks |
    And the cells "lamp, , wicks" are marked
    When I follow "People"
    Then I see the grid
      |   | A    | B     |
      | 1 | name | trade |
      | 2 | Ada  | pilot |
    When I follow "Source"
    Then I see "part: winch | due: March | note: cans: two"

  Scenario Outline: The mark that some programs begin a file with, even twice, is nothing to see
    Given the file "marked.<suffix>" holds "\ufeff\ufeff<text>"
    And a sealed run "second"
    When I look at "/c/marked.<suffix>?<where>"
    Then the words "<marked>" are marked
    And I see no "FEFF"
    When I look at "/?q=zebra"
    Then I see no "FEFF"

    Examples:
      | suffix | text                    | where     | marked        |
      | txt    | zebra one\ntwo          | span=0-10 | zebra one     |
      | md     | # Zoo\n\nzebra one      | lines=3-3 | zebra one     |
      | csv    | "zebra",one\nfirst,two  | lines=2-2 | 2firsttwo     |

  Scenario Outline: A table of a document is a table
    Given the document "stores.docx" with
      | style    | text                       |
      | Normal   | What lies in the hold.     |
      | row      | part / due / note          |
      | row      | winch / March / two cans   |
      | row      | lamp /  / wicks            |
    And the file "stores.html" holds "<p>What lies in the hold.</p><table><tr><th>part<th>due<th>note<tr><td>winch<td>March<td>two cans<tr><td>lamp<td><td>wicks</table>"
    And a sealed run "second"
    When I look at "/c/<path>?lines=5-5"
    Then I see the table
      | number | part  | due   | note     |
      | 4      | winch | March | two cans |
      | 5      | lamp  |       | wicks    |
    And the cells of row "5" are marked
    And I see "What lies in the hold."
    When I follow "Source"
    Then I see "<row>"

    Examples: one after the other
      | path        | row                       |
      | stores.docx | part: lamp \| note: wicks |
      | stores.html | part: lamp \| note: wicks |

  Scenario: A long table is told a part at a time, each below its names
    Given the file "log.csv" has 900 lines of "day,depth"
    And a sealed run "second"
    When I look at "/c/log.csv?lines=700-700"
    Then I see the column names "day, depth"
    And I see "day 700"
    And I see "Lines before 600"

  Scenario: A document that is no Markdown has its contents, too
    Given the file "manual.rst" holds "Manual\n======\n\nAbout.\n\nWinches\n-------\n\nGrease them.\n\nLamps\n-----\n\nTrim the wick.\n"
    And a sealed run "second"
    When I look at "/c/manual.rst"
    Then I see "ContentsManualWinchesLamps"
    When I follow "Lamps"
    Then I see "Trim the wick."
    And the address says "from=11" and "/c/"

  Scenario: An archive leads to what it holds, and that back
    Given the file "pilots.md" holds "# Pilots\n\nThey know the bar.\n"
    And the archive "logs.zip" that holds "pilots.md"
    And a sealed run "second"
    When I look at "/c/logs.zip"
    And I follow "1 item"
    And I follow "pilots.md"
    Then I see "They know the bar."
    And I see "In logs.zip"
    When I follow "logs.zip"
    Then I see "Holds 1 item"

  Scenario: A note is called by its page and section, and a list keeps its lines
    Given the file "ropes.md" holds "# Ropes\n\nAll of them lie in the shed.\n\n## Kinds of rope\n\n* The shed holds rope of hemp.\n* The shed holds rope of nylon.\n"
    And a sealed run "second"
    When I look at "/?q=Which+rope+does+the+shed+hold%3F"
    Then I see "Ropes › Kinds of rope"
    And a statement reads "- The shed holds rope of hemp.\n- The shed holds rope of nylon."

  Scenario: What stands in several files is told once, with the others
    Given the file "old/gulls.txt" holds "Gulls follow boats.\nThey sleep when the moon is up.\n"
    And a sealed run "second"
    When I look at "/?q=gulls+boats"
    Then I see "sea/gulls.txt, lines"
    And I see "also in old/gulls.txt"

  Scenario: What is found is told without markup, and cited as it stands
    Given the file "oil.md" holds "# Oil\n\n* The **winch** needs `oil` every [month](month.md).\n\n| part | due |\n|---|---|\n| winch | March |\n"
    And a sealed run "second"
    When I look at "/?q=winch+oil+month"
    Then I see "Oil The winch needs oil every month. part — due winch — March"
    When I follow "Oil"
    Then I see "* The **winch** needs `oil` every [month](month.md)."
    And I see "CSL JSON"

  Scenario: A picture is shown with the words that were read off it in boxes, a recording from where its words are said
    Given the picture "sign.png" of 40 by 20 dots
    And the recording "talk.wav" with the transcript "talk.vtt"
      """
      WEBVTT

      00:00.000 --> 00:20.000
      Good evening.

      00:20.000 --> 00:50.000
      The moon is up tonight.
      """
    And a sealed run "second"
    When I look at "/c/sign.png"
    Then the picture that I see has 40 by 20 dots
    When I look at "/c/talk.wav?lines=2-2"
    Then the words "The moon is up tonight." are marked
    And the recording that I hear begins at 20 seconds
    When I look at "/c/talk.wav"
    And I follow "00:20"
    Then the words "The moon is up tonight." are marked
    And the recording that I hear begins at 20 seconds

  Scenario: A PDF of pictures alone can be leafed through, and a broken one says so
    Given the PDF "scan.pdf" with the pages
      | text |
      |      |
      |      |
    And the file "broken.pdf" holds "%PDF-1.7 and nothing more"
    And the catalog was refreshed
    When I look at "/c/scan.pdf"
    And I follow "Page 2"
    Then I see "scan.pdf, page 2 of 2"
    And "/c/broken.pdf" shows no picture, and why

  Scenario: What gave no text stands under what would help
    Given the picture "sign.png" of 40 by 20 dots
    And the file "broken.pdf" holds "%PDF-1.7 and nothing more"
    And a sealed run "second"
    When I look at "/corpus/failures"
    Then I see "Without words (pictures) (1) What would help: where they show text: biblicus recipes new lexical --ocr rapidocr"
    And I see "Damaged (1)"
    When I follow "sign.png"
    Then I see "No text could be read"

  Scenario: More values of a facet than are shown at first
    Given the files "1.md" to "12.md" have a tag of their own each
    And a sealed run "second"
    When I look at "/?q=moon"
    And I follow "5 more"
    And I follow "tag-12"
    Then I see "Tag: tag-12"

  Scenario: An answer has a note for every statement
    When I look at "/?q=Who+pulls+the+tides"
    Then I see "The moon pulls the tides."
    And note 1 leads to the marked words "The moon pulls the tides."

  Scenario: A citation of a page shows the part of it with the sentence marked
    When I look at "/?q=Who+saw+the+moon%3F"
    Then the first citation shows a part of its page with marks

  Scenario: A conversation goes on, and is kept by the browser
    When I look at "/?q=Who+pulls+the+tides%3F"
    And I ask "What do gulls follow?"
    Then I see "The moon pulls the tides."
    And I see "Gulls follow boats."

  Scenario: A question that refers back is asked with words of the turn before
    When I look at "/?q=Who+pulls+the+tides%3F"
    And I ask "And what do they follow?"
    Then I see "Understood as: And what do they follow? (pulls, tides)"

  Scenario: The corpus with its folders and runs
    When I look at "/corpus"
    And I follow "sea/"
    Then I see "2 items"
    When I follow "gulls.txt"
    Then I see "They sleep when the moon is up."

  Scenario: A folder of the corpus says where it is
    Given the file "sea/north/ice.txt" holds "Ice drifts."
    And the catalog was refreshed
    When I look at "/corpus?folder=sea%2Fnorth"
    Then I see "1 item, 11 B"
    When I follow "sea"
    Then I see "3 items"

  Scenario: What changed between two runs
    Given "sea/gulls.txt" was since edited to "Crows follow ships."
    And a sealed run "second"
    When I look at "/corpus/runs"
    And I follow "what changed"
    Then I see "sea/gulls.txt"
    When I follow "sea/gulls.txt"
    Then I see "Crows follow ships."

  Scenario: What was measured is charted, and told in a table
    Given the questions "keeper"
      | query            | relevant      |
      | who saw the moon | log.pdf       |
      | gulls boats      | sea/gulls.txt |
    And the dataset "keeper" was evaluated
    And the dataset "keeper" was evaluated
    When I look at "/corpus/evaluations"
    Then I see a chart of "ndcg@10 of keeper"
    And I see "lexical"
    When I follow "keeper"
    Then I see "lexical reaches ndcg@10"
    And I see "UTC"
    And I see "who saw the moon"
    And "/corpus/evaluations/nosuch" answers with 404

  Scenario: The worst questions of an evaluation are a click away, and two of them stand side by side
    Given the questions "keeper"
      | query            | relevant      |
      | who saw the moon | log.pdf       |
      | gulls boats      | land/crew.csv |
    And the dataset "keeper" was evaluated
    And the dataset "keeper" was evaluated
    When I look at "/corpus/evaluations"
    And I follow "Worst questions"
    Then I see "Worst questions gulls boats ndcg@10 0.000"
    When I look at "/corpus/evaluations"
    And I follow "Compare with the one before"
    Then I see "ndcg@10 is better on 0, worse on 0 and the same on 2 questions."
    And I see "0 better · 2 same · 0 worse"
    And I see "lexical now against lexical of "
    And "/corpus/evaluations/nosuch?against=nosuch" answers with 404

  Scenario: What has changed since it was cited
    Given I looked at "/?q=gulls+follow"
    And "sea/gulls.txt" was since edited to "Crows follow ships and never sleep, whatever the moon may be doing up there."
    When I follow "gulls"
    Then I see "other words stand here now"

  Scenario Outline: What there is not
    When I look at "<address>"
    Then it answers with <status>
    And I see "<words>"

    Examples: one after the other
      | address                       | status | words                 |
      | /c/nosuch.md                  | 404    | No item is named      |
      | /c/nosuch.md                  | 404    | Ask                   |
      | /c/log.pdf?page=9             | 200    | log.pdf, page 2 of 2  |
      | /?q=%22moon+tides+pull%22     | 200    | What is in quotes stands nowhere; this is by its words. |
      | /?q=What+do+submarines+cost   | 200    | The corpus does not answer this |
      | /c/sea/tides.md?span=0-9999   | 200    | is there no more      |
      | /corpus/runs/nosuch           | 404    | no run                |
      | /corpus/nosuch                | 404    | nothing under this address |
      | /?q=moon&recipe=nosuch        | 200    | nosuch                |
      | /?q=moon&since=yesterday      | 200    | since                 |
