Feature: A bibliography tells PDFs what they are
  Titles, authors, dates, journals and identifiers of a BibTeX or CSL-JSON file go to the sidecars of the PDFs that it
  speaks of. What an item says already stays, and what the bibliography has alone is told.

  Background:
    Given a corpus without items
    And the PDF "papers/tides.pdf" says
      """
      On the Tides of the Moon. doi:10.1000/tides.1
      """
    And the PDF "papers/2401.01234v2.pdf" says
      """
      A stamped preprint.
      """
    And the PDF "papers/Bo - 2019 - A history of lamp oil.pdf" says
      """
      Oil, and lamps.
      """
    And the PDF "papers/scan-0007.pdf" says
      """
      Knots.
      """

  Scenario: By DOI, arXiv id, name and file
    Given the file "refs.bib" outside is
      """
      @article{lovelace2024,
        title = {On the {T}ides of the {M}oon},
        author = {Lovelace, Ada and G{\"o}del, Kurt},
        journal = {Journal of Tides}, year = 2024, month = mar, doi = {https://doi.org/10.1000/TIDES.1}
      }
      @misc{pre, title = {Gulls}, author = {Cy}, eprint = {2401.01234v1}, archivePrefix = {arXiv}, date = {2024-01-03}}
      @book{bo, title = {A History of Lamp Oil}, author = {{The Oil Guild}}, year = {2019}}
      @misc{knots, title = {Knots}, file = {Full Text:/home/ada/zotero/scan-0007.pdf:application/pdf}}
      """
    When the bibliography "refs.bib" is brought in
    Then the items are known as
      | path                                       | key          | by    |
      | papers/2401.01234v2.pdf                    | pre          | arxiv |
      | papers/Bo - 2019 - A history of lamp oil.pdf | bo         | name  |
      | papers/scan-0007.pdf                       | knots        | file  |
      | papers/tides.pdf                           | lovelace2024 | doi   |
    And the catalog tells of "papers/tides.pdf"
      | title                     | author                   | date    | year | journal          | doi            | citation_key |
      | On the Tides of the Moon  | Ada Lovelace, Kurt Gödel | 2024-03 | 2024 | Journal of Tides | 10.1000/tides.1 | lovelace2024 |

  Scenario: CSL-JSON, as Zotero exports it
    Given the file "refs.json" outside is
      """
      [{"id": "lovelace2024", "type": "article-journal", "title": "On the Tides of the Moon", "DOI": "10.1000/tides.1",
        "author": [{"family": "Lovelace", "given": "Ada"}, {"literal": "The Oil Guild"}],
        "container-title": "Journal of Tides", "issued": {"date-parts": [["2024", 3, 9]]}}]
      """
    When the bibliography "refs.json" is brought in
    Then the catalog tells of "papers/tides.pdf" | title: On the Tides of the Moon | author: Ada Lovelace, The Oil Guild | date: 2024-03-09 | journal: Journal of Tides |

  Scenario: What a PDF cites is not what it is
    Given the file "refs.bib" outside is
      """
      @article{cited, title = {Barnacles of the Northern Coast}, doi = {10.1000/tides.1}}
      """
    When the bibliography "refs.bib" is brought in
    Then no item is known
    And the bibliography has alone | key: cited | title: Barnacles of the Northern Coast |

  Scenario: What an item says already stays
    Given the file "papers/tides.pdf.biblicus.yml" holds
      """
      title: My own title
      metadata: {year: '1999'}
      """
    And the file "refs.bib" outside is
      """
      @article{l, title = {On the Tides of the Moon}, year = 2024, doi = {10.1000/tides.1}, journal = {J}}
      """
    When the bibliography "refs.bib" is brought in
    Then the catalog tells of "papers/tides.pdf" | title: My own title | year: 1999 | journal: J |

  Scenario: What an item says can be replaced
    Given the file "papers/tides.pdf.biblicus.yml" holds
      """
      title: My own title
      metadata: {year: '1999'}
      """
    And the file "refs.bib" outside is
      """
      @article{l, title = {On the Tides of the Moon}, year = 2024, doi = {10.1000/tides.1}}
      """
    When the bibliography "refs.bib" is brought in with | overwrite: yes |
    Then the catalog tells of "papers/tides.pdf" | title: On the Tides of the Moon | year: 2024 |

  Scenario: Trying it first
    Given the file "refs.bib" outside is
      """
      @article{l, title = {On the Tides of the Moon}, doi = {10.1000/tides.1}}
      """
    When the bibliography "refs.bib" is brought in with | dry-run: yes |
    Then the items are known as | path: papers/tides.pdf | key: l | by: doi |
    And the folder holds no "papers/tides.pdf.biblicus.yml"

  Scenario: Two entries that could be one item
    Given the file "refs.bib" outside is
      """
      @article{one, title = {On the Tides of the Moon}, doi = {10.1000/tides.1}}
      @article{two, title = {On the Tides of the Moon}, doi = {10.1000/tides.1}}
      """
    When the bibliography "refs.bib" is brought in
    Then no item is known
    And "papers/tides.pdf" could be one of "one, two"

  Scenario Outline: What is no bibliography
    Given the file "<name>" outside is
      """
      <text>
      """
    When the bibliography "<name>" is brought in
    Then it is refused as "bibliography_unreadable"

    Examples:
      | name      | text              |
      | refs.bib  | Only words.       |
      | refs.json | {"title": "none"} |
