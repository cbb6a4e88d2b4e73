Feature: The first hour at a terminal
  What a newcomer types and reads first: where a corpus is made, what help says, and what was left out or not read.

  Scenario Outline: A folder that is hardly meant is made a corpus only with --yes
    Given a folder with the files
      | path                       | text                  |
      | home/notes/.biblicus/config.yml | corpus_id: 00000000000000000000000000000001\nname: notes\n |
      | home/notes/deep/tides.txt  | The moon pulls tides. |
    And "home" is the home folder
    When I type "biblicus init <folder>"
    Then the exit code is 2
    And standard error says "<reason>"
    And standard error says "Try: biblicus init --yes <folder>"

    Examples: one after the other
      | folder          | reason                    |
      | /               | is the whole file system  |
      | /proc           | is the root of a disk     |
      | home            | is your home folder       |
      | home/notes/deep | lies in the corpus        |
      | .               | holds another corpus, home/notes |

  Scenario: With --yes it is
    Given a folder with the files | path: notes/.biblicus/config.yml | text: corpus_id: 00000000000000000000000000000001\nname: notes\n |
    When I type "biblicus init . --yes"
    Then the exit code is 0

  Scenario: A new last folder is made, a new one above it is not
    Given a folder with the files | path: tides.txt | text: The moon pulls tides. |
    When I type "biblicus init notes"
    Then the exit code is 0
    When I type "biblicus init typo/deep/notes"
    Then the exit code is 2
    And standard error says "There is no folder"
    And standard error says "the nearest one that exists is"

  Scenario: Outside a corpus the bare command shows the commands in groups, each on a line
    Given a folder with the files | path: tides.txt | text: The moon pulls tides. |
    When I type "biblicus"
    Then standard output says "Start:"
    And standard output says "Serve:"
    And standard output says no "…"
    And no line of standard output is wider than 80

  Scenario: Inside one it tells how the corpus stands, and the next step
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    When I type "biblicus"
    Then standard output says "corpus is not indexed yet. Next: biblicus reindex"
    Given I typed "biblicus reindex"
    When I type "biblicus"
    Then standard output says "corpus: 1 file, 1 passage"
    And standard output says "Next: biblicus query"
    Given the file "new.md" holds "The moon is new."
    When I type "biblicus"
    Then standard output says "1 file is not indexed yet: biblicus reindex"

  Scenario Outline: Other people's words lead to the command
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"
    When I type "biblicus <typed>"
    Then standard <stream> says "<says>"

    Examples: one after the other
      | typed                        | stream | says                       |
      | search moon                  | output | tides.txt, line 1          |
      | -C . search moon             | output | tides.txt, line 1          |
      | ask 'What pulls the tides?'  | output | The moon pulls tides.      |
      | search --help                | output | Usage: biblicus query      |
      | serch moon                   | error  | Try: biblicus query        |
      | indx                         | error  | Try: biblicus reindex      |
      | wibble                       | error  | Try: biblicus --help       |

  Scenario Outline: A filter that nothing fits is named, with the nearest values
    Given a corpus with the items
      | path           | text                                          |
      | notes/tides.md | ---\ntags: [moon, sea]\n---\nThe moon pulls tides. |
      | rules/fee.txt  | The fee is two euros.                         |
    And a sealed run "first"
    When I type "biblicus <typed>"
    Then standard output says "<says>"
    And standard output says no "ingest"

    Examples: one after the other
      | typed                                | says                                                   |
      | query tides --tag mon                | No item fits tag=mon. Nearest: moon.                 |
      | list --tag mon                       | No item fits tag=mon. Nearest: moon.                 |
      | facets --tag mon                     | No item fits tag=mon. Nearest: moon.                 |
      | list --path note                     | No item fits path=note. Nearest: notes               |
      | list --type markdwon                 | Nearest: text/markdown.                                |
      | list --tag quite-other               | There is: moon, sea.                                   |
      | list --tag moon --type txt           | no item fits all of tag=moon and type=txt             |

  Scenario: How a reindex ended stands first, what could not be read with it
    Given a folder with the files
      | path      | text                  |
      | tides.txt | The moon pulls tides. |
      | .secret   | moon                  |
    And the file "bad.pdf" holds the bytes "%PDF-1.7"
    And I typed "biblicus init"
    When I type "biblicus reindex"
    Then the first line of standard output says "2 files, 1 passage in"
    And the first line of standard output says "1 could not be read: 1 damaged (biblicus check --failed)"
    And standard output says "Left out: 1 hidden"
    And standard output says no "lexical: fresh"
    When I type "biblicus reindex --fresh -v"
    Then standard output says "lexical: fresh, 2 items"

  Scenario: Scores, times and the budget are told where more is asked for
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"
    When I type "biblicus query moon"
    Then standard output says no " ms"
    And standard output says no "1 piece"
    When I type "biblicus query moon -v"
    Then standard output says "1 piece of evidence in"

  Scenario: Code keeps its lines
    Given a corpus with the items | path: tides.py | text: def height(reading):\n    """Of the water."""\n    return reading\n |
    And a sealed run "first"
    When I type "biblicus query 'height of the water'"
    Then standard output says "    def height(reading):"
    And standard output says "        return reading"

  Scenario Outline: Lists are cut where that is asked for
    Given a corpus with the items
      | path      | text                  |
      | a/one.txt | The moon pulls tides. |
      | b/two.txt | The moon is new.      |
    When I type "biblicus <typed>"
    Then standard output has <lines> lines

    Examples: one after the other
      | typed     | lines |
      | list -n 1 | 1     |
      | tree -n 2 | 2     |

  Scenario: Columns of numbers are counted, and not searched
    Given a folder with the files | path: tides.txt | text: The moon pulls tides. |
    And the file "gauge.csv" holds 4000 rows of numbers under "depth,drift"
    And I typed "biblicus init"
    When I type "biblicus reindex"
    Then the first line of standard output says "2 files, 2 passages in"
    And standard output says "Columns of numbers in 1 file"
    When I type "biblicus query depth --format paths"
    Then standard output says "gauge.csv"

  Scenario: The newest runs alone
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"
    And a sealed run "second" of the recipe "scan"
    When I type "biblicus runs list -n 1"
    Then standard output says "scan"
    And standard output says no "lexical"

  Scenario: Large numbers are read by their thousands, and a name is told once
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And 1200 more items that say "moon"
    And a sealed run "first"
    When I type "biblicus"
    Then standard output says "1,201 files, 1,201 passages"
    When I type "biblicus facets"
    Then standard output says "1,201"
    When I type "biblicus stats"
    Then standard output says "1,201 items"
    When I type "biblicus tree --depth 1"
    Then standard output says "tides.txt"
    And standard output says no "tides.txt  tides"
