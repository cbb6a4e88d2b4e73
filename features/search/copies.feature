Feature: What says the same is evidence once
  Folders hold copies and old versions. Each of them would take the place of something else, so that the best one is
  shown, and the others are named with it.

  Scenario: Copies of a text are named with the one that stands least deep
    Given a corpus with the items
      | path                   | text |
      | backup/2019/rope.md    | # Rope\n\nThe blue rope is forty metres long and lies in the loft. |
      | rope.md                | # Rope\n\nThe blue rope is forty metres long and lies in the loft. |
      | ropes/copy of rope.md  | # Rope\n\nThe blue rope is forty metres long and lies in the loft. |
      | loft.md                | # Loft\n\nA rope and a sail. |
    And a sealed run "first"
    When "how long is the blue rope" is asked
    Then the evidence is
      | path    | copies                                     |
      | rope.md | backup/2019/rope.md, ropes/copy of rope.md |
      | loft.md | -                                          |
    And what was dropped names "duplicate"

  Scenario Outline: Of several versions of a page the newest is shown
    Given a corpus with the items
      | path     | text |
      | <first>  | # Moorings\n\nA boat is moored by two lines at least, one to each side of the quay, and by four lines in a gale. Her mate sees to them every hour of the night, until the wind is down. |
      | <second> | # Moorings\n\nA boat is moored by two lines at least, one to each side of the quay, and by six lines in a gale. Her mate sees to them every hour of the night, until the wind is down. |
      | loft.md  | # Loft\n\nFour lines of hemp lie by the quay for a gale, and two more boats. |
    And a sealed run "first"
    When "How many lines is a boat moored by in a gale?" is asked
    Then the evidence is
      | path    | copies   |
      | <shown> | <copies> |
      | loft.md | -        |

    Examples:
      | first                 | second              | shown                 | copies                |
      | docs/1.4/moor.md      | docs/1.10/moor.md   | docs/1.10/moor.md     | docs/1.4/moor.md      |
      | docs/v2/moor.md       | docs/v1/moor.md     | docs/v2/moor.md       | docs/v1/moor.md       |
      | docs/2.0/moor.md      | docs/latest/moor.md | docs/latest/moor.md   | docs/2.0/moor.md      |
      | docs/2.0/moor.md      | docs/main/moor.md   | docs/2.0/moor.md      | docs/main/moor.md     |
      | ships-2.1/doc/moor.md | ships-2.0/doc/moor.md | ships-2.1/doc/moor.md | ships-2.0/doc/moor.md |
      | moor v1.txt           | moor v2.txt         | moor v2.txt           | moor v1.txt           |

  Scenario Outline: What stands in folders of years, or is called otherwise, is no version
    Given a corpus with the items
      | path     | text |
      | <first>  | # Moorings\n\nA boat is moored by two lines at least, one to each side of the quay, and by four lines in a gale. Her mate sees to them every hour of the night, until the wind is down. |
      | <second> | # Moorings\n\nA boat is moored by two lines at least, one to each side of the quay, and by six lines in a gale. Her mate sees to them every hour of the night, until the wind is down. |
    And a sealed run "first"
    When "How many lines is a boat moored by in a gale?" is asked
    Then evidence comes only from "<first>, <second>"

    Examples:
      | first              | second             |
      | 2023/moor.md       | 2024/moor.md       |
      | 2024.03.01/moor.md | 2024.04.01/moor.md |
      | gull/moor.md       | tern/moor.md       |
      | docs/1.4/moor.md   | docs/1.5/quay.md   |

  Scenario Outline: The version that a question names stays
    Given a corpus with the items
      | path               | text |
      | docs/<one>/moor.md   | # Moorings\n\nA boat is moored by two lines at least, one to each side of the quay, and by four lines in a gale. Her mate sees to them every hour of the night, until the wind is down. |
      | docs/<other>/moor.md | # Moorings\n\nA boat is moored by two lines at least, one to each side of the quay, and by six lines in a gale. Her mate sees to them every hour of the night, until the wind is down. |
    And a sealed run "first"
    When "How many lines is a boat moored by in a gale in <asked>?" is asked
    Then the evidence is | path: docs/<one>/moor.md | copies: docs/<other>/moor.md |

    Examples:
      | one | other  | asked     |
      | 1.4 | 1.5    | 1.4       |
      | v1  | v2     | version 1 |
      | v1  | v2     | v1        |
      | dev | stable | dev       |
