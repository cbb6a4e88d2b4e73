Feature: Text is ingested as it comes
  What no file holds, a page or a note piped in, becomes an item with a name from its title.
  The same title again updates it.

  Scenario: A piece of text
    Given a corpus without items
    When the text "The moon pulls tides." is ingested with
      | title        | tag |
      | Moon and sea | sea |
    Then the catalog holds
      | path                     | title        | tags | media_type |
      | imports/moon-and-sea.txt | Moon and sea | sea  | text/plain |
    And the source of "imports/moon-and-sea.txt" is a "stdin" named "stdin:moon-and-sea"

  Scenario: The same title again
    Given a corpus without items
    And the text "The moon pulls tides." was ingested with
      | title        |
      | Moon and sea |
    When the text "The sun does, too." is ingested with
      | title        |
      | Moon and sea |
    Then the report says
      | change  | path                     |
      | changed | imports/moon-and-sea.txt |

  Scenario: What it is shows in its name
    Given a corpus without items
    When the text "<!doctype html><title>Sea</title><p>The moon pulls tides.</p>" is ingested with
      | title |
      | Sea   |
    Then the catalog holds
      | path             | media_type |
      | imports/sea.html | text/html  |

  Scenario: Without a title the content names it
    Given a corpus without items
    When the text "The moon pulls tides." is ingested
    Then the report says
      | change | path                           |
      | added  | imports/stdin-d030c364a75d.txt |

  Scenario: A text above the limit is refused
    Given the setting "max_file_bytes" is "20"
    And a corpus without items
    When the text "The moon pulls tides." is ingested
    Then it is refused as "unsafe_input"

  Scenario: Nothing is no item
    Given a corpus without items
    When the text " " is ingested
    Then it is refused as "usage"
