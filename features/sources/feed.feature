Feature: A feed is a source
  Its entries become items with their titles, authors and dates; those that fall out of the feed are kept.

  Background:
    Given a site
    And the feed "/news" with the entries
      | id    | title      | author | date       | text                  |
      | one   | Moon tides | Ada    | 2026-11-20 | The moon pulls tides. |
      | two   | Lamp oil   | Bo     | 2026-11-21 | The lamp needs oil.   |
    And a corpus without items

  Scenario: Entries become items
    Given the feed "/news" is the source "news"
    When the sources are synced
    Then the catalog holds
      | path                                    | title      | metadata                                |
      | imports/news/2026-11-20-moon-tides.html | Moon tides | {"author": "Ada", "date": "2026-11-20"} |
      | imports/news/2026-11-21-lamp-oil.html   | Lamp oil   | {"author": "Bo", "date": "2026-11-21"}  |

  Scenario: A feed moves on
    Given the feed "/news" is the source "news"
    And the sources were synced
    And the feed "/news" with the entries
      | id    | title      | author | date       | text                  |
      | two   | Lamp oil   | Bo     | 2026-11-21 | The lamp has oil.     |
      | three | Gulls      | Cy     | 2026-11-22 | Gulls follow boats.   |
    When the sources are synced
    Then the sync of "news" says
      | change  | path                                   |
      | added   | imports/news/2026-11-22-gulls.html     |
      | changed | imports/news/2026-11-21-lamp-oil.html  |
    And it counts 1 unchanged in "news"

  Scenario: What is no feed
    Given the site has the page "/news" that says "No feed here."
    And the feed "/news" is the source "news"
    When the sources are synced
    Then it is refused as "ingestion"
