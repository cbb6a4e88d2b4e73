Feature: A page of the web is a source
  What an address gives is copied under `imports/` with its provenance and followed: asked for again only if it changed.
  No address is reached that should not be, and a server that fails costs one line and no document.

  Background:
    Given a site
    And a corpus without items

  Scenario: A page becomes an item with its title, author and date
    Given the site has the page "/sea/tides.php"
      """
      <html><head><title>Tides</title><meta name="author" content="Ada"><meta name="date" content="2026-11-21"></head>
      <body><nav>Menu</nav><p>The moon pulls tides.</p></body></html>
      """
    When the page "/sea/tides.php" is ingested
    Then the report says | change: added | path: imports/tides/sea/tides.html |
    And the catalog holds | path: imports/tides/sea/tides.html | title: Tides | doctype: doc | metadata: {"author": "Ada", "date": "2026-11-21"} |
    And the item "imports/tides/sea/tides.html" is of the page "/sea/tides.php"
    And the text of "imports/tides/sea/tides.html" is "The moon pulls tides."

  Scenario: A PDF becomes an item by its bytes, whatever it is called
    Given the site has a PDF at "/get?id=7" that says "The moon pulls tides."
    When the page "/get?id=7" is ingested
    Then the catalog holds | media_type: application/pdf | doctype: paper |

  Scenario: The same page again, unchanged
    Given the site has the page "/tides" that says "The moon pulls tides."
    And the page "/tides" was ingested
    When the page "/tides?utm_source=mail#top" is ingested
    Then the report says nothing new
    And it counts 1 unchanged
    And the site was asked for "/tides" 2 times, the last only if it changed

  Scenario: What no text can be read from is no source
    Given the site has an image at "/chart"
    When the page "/chart" is ingested
    Then the report skips the page "/chart", as "no text can be read from image/png"
    And there are no sources

  Scenario: One page under two addresses is one item
    Given the site has the page "/tides" that says "The moon pulls tides."
    And the site has the page "/print/tides" that says "Printed: the moon." and calls "/tides" its own address
    And the page "/tides" was ingested
    When the page "/print/tides" is ingested
    Then it is told that the page "/print/tides" is a duplicate of "imports/tides/tides.html"
    And the catalog holds | path: imports/tides/tides.html |
