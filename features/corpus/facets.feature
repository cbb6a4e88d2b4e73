Feature: Facets say by what items can be filtered
  Which values there are, and how many items have each: of all items, or of those that fit the filters already.

  Background:
    Given a corpus with the items
      | path             | text                                                                   |
      | sea/tides.md     | ---\ntags: [moon, water]\ndate: 2026-05-01\n---\nThe moon pulls tides.  |
      | sea/gulls.md     | ---\ntags: [birds, birds]\n---\nGulls follow boats.                    |
      | land/winch.py    | print("winch")                                                         |
      | top.txt          | The harbour lies in the north of the country and is very old indeed.   |

  Scenario Outline: Values with their counts
    When the facets are asked for
    Then the facet "<facet>" counts "<values>"

    Examples: one after the other
      | facet   | values                                            |
      | type    | text/markdown 2, text/plain 1, text/x-python 1    |
      | folder  | sea 2, land 1                                     |
      | tag     | birds 1, moon 1, water 1                          |
      | year    | 2026 1                                            |
      | doctype | doc 3, code 1                                     |

  Scenario: Of the items that fit alone
    When the facets are asked for with | tag: moon |
    Then the facet "folder" counts "sea 1"
    And there is no facet "toolkit"

  Scenario: A value's filter keeps just as many items
    When the facets are asked for
    Then the filter of each value keeps as many items as it counts
