Feature: Every item has a title
  It comes from metadata, else the first heading, the PDF's or page's own title, else the name.

  Scenario: Titles
    Given a corpus with the items
      | path             | text                                               |
      | tides.md         | ---\ntitle: Moon\n---\n# Sea                       |
      | tides2.md        | # Moon *and* sea #\n\nText.                        |
      | tides3.md        | Moon and sea\n============\n\nText.                |
      | tides4.md        | No heading here.                                   |
      | tides.rst        | Moon and sea\n============\n\nText.                |
      | tides.html       | <title>Moon &amp; sea</title><h1>Other</h1><p>Text |
      | tides2.html      | <h1>Moon and sea</h1><p>Text                       |
      | moon-and_sea.txt | Text.                                              |
      | moon_and_sea.py  | import this                                        |
    When the items are listed
    Then they are
      | path             | title           |
      | moon-and_sea.txt | moon and sea    |
      | moon_and_sea.py  | moon_and_sea.py |
      | tides.html       | Moon & sea      |
      | tides.md         | Moon            |
      | tides.rst        | Moon and sea    |
      | tides2.html      | Moon and sea    |
      | tides2.md        | Moon and sea    |
      | tides3.md        | Moon and sea    |
      | tides4.md        | tides4          |
