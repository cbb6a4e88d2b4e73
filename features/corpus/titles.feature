Feature: Every item has a title
  It comes from metadata, else the first heading, the PDF's or page's own title, else the name.

  Scenario Outline: Titles
    Given a corpus with the items
      | path   | text   |
      | <path> | <text> |
    When the items are listed
    Then they are
      | title   |
      | <title> |

    Examples:
      | path             | text                                               | title        |
      | tides.md         | ---\ntitle: Moon\n---\n# Sea                       | Moon         |
      | tides.md         | # Moon *and* sea #\n\nText.                        | Moon and sea |
      | tides.md         | Moon and sea\n============\n\nText.                | Moon and sea |
      | tides.md         | No heading here.                                   | tides        |
      | tides.rst        | Moon and sea\n============\n\nText.                | Moon and sea |
      | tides.html       | <title>Moon &amp; sea</title><h1>Other</h1><p>Text | Moon & sea   |
      | tides.html       | <h1>Moon and sea</h1><p>Text                       | Moon and sea |
      | moon-and_sea.txt | Text.                                              | moon and sea |
      | moon_and_sea.py  | import this                                        | moon_and_sea.py |
