Feature: Scans are read where a recipe turns OCR on
  Off unless asked. With it, pictures and the scanned pages of PDFs give their words, with the place of each; a script
  that there is no model for is refused with a sentence, and what is about to be read is told before.

  Scenario Outline: A picture
    Given OCR by "<engine>" can be tried here
    And a corpus without items
    And the picture "notice.png" shows
      """
      Fees for visitors: 35 a night
      """
    And the recipe "scans" is "lexical" with
      """
      build:
        extraction: {ocr: {engine: <engine>, languages: [en]}}
      """
    And a sealed run "scans" of the recipe "scans"
    When "fees for visitors" is asked with | recipe: scans |
    Then the evidence starts with | path: notice.png | text: Fees for visitors: 35 a night |
    And the evidence verifies

    Examples:
      | engine    |
      | tesseract |
      | rapidocr  |

  Scenario: A PDF of scanned pages among pages of text is cited by page, and the places of its words are kept
    Given OCR by "rapidocr" can be tried here
    And a corpus without items
    And the PDF "letter.pdf" shows pictures of
      | text                 |
      | Dear harbour master  |
      | The moon pulls tides |
    And the recipe "lexical" is "lexical" with
      """
      build:
        extraction: {ocr: {engine: rapidocr}}
      """
    And a sealed run "scans"
    When "moon tides" is asked
    Then the evidence starts with | path: letter.pdf | page: 2 | text: The moon pulls tides |
    When the item "letter.pdf" is read with | page: 2 |
    Then the place of each of its words is known, on page 2
    And what could not be read is nothing

  Scenario Outline: An engine without a model for a script is refused with a sentence
    Given a corpus without items
    And the recipe "mine" is "lexical" with
      """
      build:
        extraction: {ocr: {engine: <engine>, languages: [<language>]}}
      """
    When the corpus is reindexed with | recipe: mine |
    Then it is refused as "<code>"
    And the message says "<says>"

    Examples:
      | engine    | language | code         | says                              |
      | rapidocr  | ru       | invalid_file | rapidocr has no model for "ru"    |
      | rapidocr  | ko       | invalid_file | Latin letters, Chinese           |
      | tesseract | xx       | invalid_file | tesseract has no model for "xx"   |
      | kraken    | en       | invalid_file | rapidocr                          |

  Scenario: Without OCR a scan says what to type
    Given a corpus with the real documents | file: skew.pdf |
    When the item "skew.pdf" is read
    Then it is refused as "no_text"
    And the hint says "biblicus recipes new lexical --ocr rapidocr"
