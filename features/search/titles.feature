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
      | bylaws/bylaw-0007.md | # Fees\n\nA boat pays at noon. |
      | bylaws/bylaw-0008.md | # Dues\n\nBylaw 7 says when fees are paid: bylaw 7, as bylaw-0007 is called, is old. Not so bylaw 9. |
      | decisions/0012-new-lamp.md | # Oil or gas\n\nWe burn oil. |
      | lamps.md           | # Lamps\n\nDecision 12 of all decisions: decision 12 is about the new lamp. |
      | log/2024-05-01.md  | # Log\n\nFog all day. |
      | log/2024-05-02.md  | # Log\n\nOn the first of May, it is said, nobody sailed. |
      | notes/release_2.8.md | # Changes\n\nThe winch is new. |
      | notes/release_2.9.md | # Changes\n\nThe capstan changed, which was new with version 2.8. |
      | lashing.md         | # Lashing\n\nA turn of rope around two spars. |
      | lashes.md          | # Lashes\n\nLashes: a lash is what lashing is done with, lash by lash. |
      | trim.py            | def wick():\n    return "trimmed" |
      | wicks.md           | # Wicks\n\nThe wick is trimmed as trim.py trims it; trim.py, not trimmer.py. |
      | care.md            | # Rope Care\n\nKeep it dry. |
      | rope.py            | class Rope:\n    """A rope that a boat has: rope care is left to others.""" |
      | code.md            | # Kjellvik Guild Code of Honour\n\nBe kind to whom you meet at the harbour, at sea and on the quay, by day and by night, and to all others as well. |
      | talk.md            | # Talk\n\nA code of honour has honour, as every code has. |
      | using.md           | # Using lines\n\nTie them up. |
      | wear.rst           | What is chafe? -- Rub and Tear\n==============================\n\nIt begins where a line turns. |
      | fenders.rst        | Fenders\n=======\n\nThey hang over the side. A line needs some, too.\n\nChafe\n~~~~~\n\nChafe is bad. |
    And a sealed run "first"

  Scenario Outline: A question that names a page
    When "<question>" is asked
    Then the evidence starts with | path: <path> |

    Examples: one after the other
      | question                    | path             |
      | What is a winch?            | harbour/winch.md |
      | winches                     | harbour/winch.md |
      | How does a winch brake hold | harbour/brake.md |
      | TG2019                      | errors/e1.md     |
      | What is the zen of tides?   | zen.rst          |
      | Rope Care                   | care.md          |
      | lashes                      | lashes.md        |
      | using lines                 | using.md         |
      | code of honour              | code.md          |
      | What is chafe?              | wear.rst         |
      | rub and tear                | wear.rst         |

  Scenario Outline: A question that names a file
    Given a model that knows what words mean
    And a sealed run "both" of the recipe "hybrid"
    When "<question>" is asked
    Then the evidence starts with | path: <path> |
    When "<question>" is asked with | recipe: hybrid |
    Then the evidence starts with | path: <path> |
    And the evidence is "sufficient"

    Examples: one after the other
      | question                  | path                       |
      | trim.py                   | trim.py                    |
      | what is in Trim.py?       | trim.py                    |
