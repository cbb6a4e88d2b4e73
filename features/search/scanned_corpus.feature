Feature: A small corpus is ranked just in time
  `scan` keeps nothing but a manifest and ranks the live files; it ranks like `lexical`.

  Background:
    Given a corpus with the items
      | path        | text                                                          |
      | tides.md    | # Tides\n\nThe moon pulls the tides twice a day.              |
      | gulls.txt   | Gulls follow the boats at the ebb tide of the day.            |
      | ropes.txt   | Ropes are coiled by moonlight, and the moon watches the moon. |
      | de.txt      | Der Mond zieht das Wasser der Meere an, jeden Tag zweimal.    |
      | gauge.py    | def readTideGauge(): return "moon"                            |
      | shiomi.txt  | 青銅の鐘の重さは三十八キログラムです。                        |
    And a sealed run "first"
    And a sealed run "scanned" of the recipe "scan"

  Scenario: Live files are ranked, and what changed since is marked
    Given "gulls.txt" was since edited to "Submarines dive."
    When "submarines" is asked with | recipe: scan |
    Then the evidence is | path: gulls.txt | text: Submarines dive. | stale: true |

  Scenario: It needs a run before it is asked
    Given the recipe "mine" is "scan" with
      """
      build:
        chunking: {default: {by: whole}}
      """
    When "moon" is asked with | recipe: mine |
    Then it is refused as "no_run"
