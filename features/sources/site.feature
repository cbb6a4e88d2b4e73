Feature: A section of a site is a source
  The pages below a prefix that its start and its sitemap lead to, visited one at a time, as the site's `robots.txt` allows.
  A page that its site says is gone is gone here; one that fails is kept.

  Background:
    Given a site with the pages
      | path            | links                                  | text                |
      | /docs/          | tides, lamp, /blog, tides?utm_source=x | All about the sea.  |
      | /docs/tides     | lamp, private                          | The moon pulls.     |
      | /docs/lamp      | oil#top                                | The lamp needs oil. |
      | /docs/oil       |                                        | Oil is pressed.     |
      | /docs/private   |                                        | Not for robots.     |
      | /blog           |                                        | Gulls, mostly.      |
    And its robots.txt says "Disallow: /docs/private"
    And a corpus without items

  Scenario: The pages below the start become items
    Given the section "/docs/" is the source "sea"
    When the sources are synced
    Then the catalog holds
      | path                         |
      | imports/sea/docs/index.html  |
      | imports/sea/docs/lamp.html   |
      | imports/sea/docs/oil.html    |
      | imports/sea/docs/tides.html  |
    And the site was not asked for "/docs/private"
    And the site was not asked for "/blog"
    And the item "imports/sea/docs/tides.html" is of the page "/docs/tides"

  Scenario: What was left out is told
    Given the section "/docs/" is the source "sea" with | max-pages: 2 | exclude: docs/tides |
    When the sources are synced
    Then the sync of "sea" says of the page "/docs/oil" that "max_pages is 2"

  Scenario: What happens there happens here
    Given the section "/docs/" is the source "sea"
    And the sources were synced
    And the site has since the pages
      | path        | links      | text                 |
      | /docs/tides | lamp, quay | The sun pulls, too.  |
      | /docs/quay  |            | Ships are moored.    |
    And the site answers "/docs/oil" with 404
    When the sources are synced
    Then the sync of "sea" says beside what it skips
      | change  | path                        |
      | removed | imports/sea/docs/oil.html   |
      | added   | imports/sea/docs/quay.html  |
      | changed | imports/sea/docs/tides.html |

  Scenario: A page that fails is kept
    Given the section "/docs/" is the source "sea"
    And the sources were synced
    And the site answers "/docs/oil" with 500
    When the sources are synced
    Then the sync of "sea" says of the page "/docs/oil" that "it answers 500"
    And the text of "imports/sea/docs/oil.html" is "Oil is pressed."

  Scenario: A site whose rules cannot be had is left alone
    Given the section "/docs/" is the source "sea"
    And the site answers "/robots.txt" with 500
    When the sources are synced
    Then it is refused as "ingestion"
    And the site was asked for nothing but "/robots.txt"

  Scenario: A sitemap leads to pages that nothing links to
    Given the site has the page "/docs/hidden" that says "Found by the map."
    And its sitemap names "/docs/hidden"
    And the section "/docs/" is the source "sea"
    When the sources are synced
    Then the text of "imports/sea/docs/hidden.html" is "Found by the map."
