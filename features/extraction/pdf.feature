Feature: PDFs are read by page
  Evidence from a PDF names its page, counted from one. A PDF that gives no text says why; it costs no other file.

  Scenario: Evidence names the page
    Given a corpus with the real documents | file: pdflatex-4-pages.pdf |
    And a sealed run "first"
    When "information about the selected font" is asked
    Then the evidence starts with | path: pdflatex-4-pages.pdf | page: 3 | media_type: application/pdf |
    And the evidence verifies

  Scenario: A page is read by its number
    Given a corpus with the real documents | file: pdflatex-4-pages.pdf |
    When the item "pdflatex-4-pages.pdf" is read with | page: 3 |
    Then the text holds "information about the selected font"
    And its digest is that of its text

  Scenario: A section within a piece of a PDF is found by its heading
    Given a corpus without items
    And the PDF "faq.pdf" with the pages
      | text |
      | # About R\n## What is R?\nR is a system for statistics that runs nearly everywhere.\n## What is S?\nS is a language that R was made after, long ago. |
    And the PDF "guide.pdf" with the pages | text: # Running R\nTo run R type R at the prompt, and R runs in R mode, as R users of R know.\nR reads what R is told. |
    And a sealed run "first"
    When "What is R?" is asked
    Then the evidence starts with | path: faq.pdf | page: 1 |
    When the answerer "quote" is asked "What is R?"
    Then the answer begins with "R is a system for statistics that runs nearly everywhere."
    And every citation verifies

  Scenario: No chunk crosses a page
    Given a corpus with the real documents | file: pdflatex-4-pages.pdf |
    And a sealed run "first"
    When "font" is asked with | max_per_source: 50 |
    Then every piece of evidence lies within its page

  Scenario: A run may read PDFs with another engine
    Given a corpus with the real documents | file: pdflatex-4-pages.pdf |
    And the recipe "other" is "lexical" with
      """
      build:
        extraction: {pdf: {engine: pypdf}}
      """
    And a sealed run "other" of the recipe "other"
    When "information about the selected font" is asked with | recipe: other |
    Then the evidence starts with | path: pdflatex-4-pages.pdf | page: 3 |
    And the evidence verifies
    And the manifest of "other" names the component "extraction.pdf" with "pypdf"
