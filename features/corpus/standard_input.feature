Feature: Text is ingested as it comes
  What no file holds, a page or a note piped in, becomes an item with a name from its title, or from what its text
  shows: its first heading or line. The same title again updates it.

  Scenario: A piece of text
    Given a corpus without items
    When the text "The moon pulls tides." is ingested with | title: Moon and sea | tag: sea |
    Then the catalog holds | path: imports/moon-and-sea.txt | title: Moon and sea | tags: sea | media_type: text/plain |
    And the source of "imports/moon-and-sea.txt" is a "stdin" named "stdin:moon-and-sea"

  Scenario: What it is shows in its name
    Given a corpus without items
    When the text "<!doctype html><title>Sea</title><p>The moon pulls tides.</p>" is ingested with | title: Sea |
    Then the catalog holds | path: imports/sea.html | media_type: text/html |

  Scenario Outline: Without a title its text names it
    Given a corpus without items
    When the text "<text>" is ingested
    Then the catalog holds | path: imports/<path> | title: <title> | media_type: <media_type> |

    Examples:
      | text                                              | path                     | title                 | media_type       |
      | The moon pulls tides.\nTwice a day.               | the-moon-pulls-tides.txt | The moon pulls tides. | text/plain       |
      | # Moon and sea\n\nTides.                          | moon-and-sea.md          | Moon and sea          | text/markdown    |
      | ---\ntitle: Sea\n---\n# Tides\n\nTwice.           | sea.md                   | Sea                   | text/markdown    |
      | \n * * * \n\n- Tides, twice a day                 | tides-twice-a-day.txt    | Tides, twice a day    | text/plain       |
      | <!doctype html><title>Sea</title><p>Tides.</p>    | sea.html                 | Sea                   | text/html        |
      | {"tides": ["spring", "neap"]}                     | tides-spring-neap.json   | tides: spring, neap   | application/json |
      | {"name": "Sea", "tides": 2}                       | sea.json                 | Sea                   | application/json |

  Scenario: A text above the limit is refused
    Given the setting "max_file_bytes" is "20"
    And a corpus without items
    When the text "The moon pulls tides." is ingested
    Then it is refused as "unsafe_input"

  Scenario: Nothing is no item
    Given a corpus without items
    When the text " " is ingested
    Then it is refused as "usage"
