Feature: The page about a thing comes first
  What an item or a section is called, whole, counts beside its words.

  Background:
    Given a corpus with the items
      | path               | text                                                                                                         |
      | harbour/overview.md | # Harbour\n\nSee winch, capstan, winch drum and winch brake. A winch is not a capstan. Winch winch winch.     |
      | harbour/winch.md   | # Winch\n\nA drum with a crank that winds in a rope.                                                         |
      | harbour/brake.md   | # Winch brake\n\nIt holds the winch while the winch stands, and frees the winch again.                       |
      | errors/e1.md       | # Gauge error TG2019\n\nThe gauge has no float.                                                              |
      | errors/list.md     | # Errors\n\nTG2019 TG2020 TG2021: TG2019 comes before TG2020. After TG2019, TG2019 comes again.               |
      | zen.rst            | Title: The Zen of Tides\nStatus: Active\n\nAbstract\n========\n\nHigh is better than low.                    |
      | tides.md           | # Tides\n\nThe zen of tides, the zen of moons: zen tides are tides, as the zen of tides has it.              |
      | manual.md          | # Manual\n\n## Rope\n\nHemp.\n\n## Mooring lines\n\nFour of them.\n\n## Rest\n\nThe mooring lines, lines for mooring. |
    And a sealed run "first"

  Scenario Outline: A question that names a page
    When "<question>" is asked
    Then the evidence starts with
      | path   |
      | <path> |

    Examples:
      | question                    | path             |
      | What is a winch?            | harbour/winch.md |
      | winches                     | harbour/winch.md |
      | How does a winch brake hold | harbour/brake.md |
      | TG2019                      | errors/e1.md     |
      | What is the zen of tides?   | zen.rst          |
