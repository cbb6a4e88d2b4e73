Feature: A person reads it
  Results are short, ranked and end with the command that opens more; long lists are shortened with their count.

  Background:
    Given a corpus with the items
      | path         | text                                                 |
      | sea/tides.md | # Tides\n\nThe moon pulls the tides of the sea.      |
      | sea/gulls.md | # Gulls\n\nGulls follow boats.                       |
    And a sealed run "first"

  Scenario: Evidence
    When I type "biblicus query moon"
    Then standard output says "1. Tides"
    And standard output says "sea/tides.md, line 1"
    And standard output says "The moon pulls the tides of the sea."
    And standard output says "biblicus get"

  Scenario: The command under a piece opens it
    Given I typed "biblicus query moon > shown.out"
    When I type the command that "shown.out" ends a piece with
    Then standard output says "The moon pulls the tides of the sea."
    And the exit code is 0

  Scenario: What was done otherwise than asked
    When I type "biblicus query '"tides pull the moon"'"
    Then standard output says "What is in quotes stands nowhere; this is by its words."
    And standard output says "1. Tides"

  Scenario: An answer to which nothing was found
    When I type "biblicus answer 'Who won the chess tournament in Reykjavik?'"
    Then standard output says "0 pieces of evidence seen"
    And standard output says "Other words or fewer filters may help."
    And standard output says no "biblicus query shows"

  Scenario Outline: Lines of their own stay lines, wrapped ones are wrapped anew
    Given the file "list.txt" holds "<text>"
    And I typed "biblicus reindex"
    When I type "biblicus answer '<question>'"
    Then standard output says "<says>"
    And standard output says no "<not>"

    Examples:
      | text | question | says | not |
      | call the dentist\nrenew passport before 2 August 2026\nspare keys: Lindner\n | When does the passport expire? | 2026 | 2026 spare |
      | The passport of the keeper of the light on the northern mole\nexpires on 2 August 2026 and not a day before that, as the\nharbour office wrote. | When does the passport expire? | mole expires on | No answer |

  Scenario: Recipes stand in columns, the longest name too
    When I type "biblicus recipes list"
    Then standard output says "* lexical           BM25"
    And standard output says "  multilingual-int8 As multilingual"

  Scenario: What is not known of an item takes no line
    When I type "biblicus show sea/tides.md"
    Then standard output says "language       en"
    And standard output says no "None"
    And standard output says no "tags"

  Scenario: An item with values inside values
    Given the file "talk.webm" holds the bytes "\x1aE\xdf\xa3\x00\x00"
    And the file "talk.vtt" holds "WEBVTT\n\n00:00.000 --> 00:20.000\nGood evening."
    And I typed "biblicus ingest"
    When I type "biblicus show talk.webm"
    Then standard output says "  transcript"
    And standard output says "    path       talk.vtt"
    And standard output says no "{"

  Scenario Outline: Names are those of the corpus, or of the folder where I stand
    When in the folder "sea" I type "biblicus <command>"
    Then standard output says "<says>"
    And the exit code is 0

    Examples: one after the other
      | command                     | says                                      |
      | get tides.md                | The moon pulls the tides of the sea.      |
      | get ./tides.md              | The moon pulls the tides of the sea.      |
      | get sea/tides.md            | The moon pulls the tides of the sea.      |
      | show ../sea/tides.md        | sea/tides.md                              |
      | tree .                      | tides.md  Tides                           |
      | tag gulls.md +bird          | sea/gulls.md                              |
      | weight set tides.md 2       | sea/tides.md                              |

  Scenario: The folder where I stand
    When in the folder "sea" I type "biblicus tree ."
    Then standard output says no "sea/"

  Scenario: What was found, kept in the folder, is not found again
    Given I typed "biblicus query 'moon tides' --json > found.json"
    And I typed "biblicus context 'moon tides' > pack.md"
    And I typed "biblicus answer 'What pulls the tides?' --json > answer.json"
    And the questions "own" | query: moon tides | relevant: sea/tides.md |
    And I typed "biblicus context 'moon tides' --json > pack.json"
    And I typed "biblicus context 'moon tides' --format plain > pack"
    And I typed "biblicus eval own --report report.html --report summary.md --report junit.xml --report own.json"
    And I typed "biblicus reindex"
    When I type "biblicus query 'moon tides' --format paths"
    Then standard output is
      """
      sea/tides.md
      """
    When I type "biblicus show report.html"
    Then standard output says "Biblicus wrote it; results are no evidence"

  Scenario Outline: What was found, with words of mine, is mine
    Given the questions "own" | query: moon tides | relevant: sea/tides.md |
    And I typed "biblicus <command>"
    And the file "<file>" was since given the line "Submarines need lamps."
    And I typed "biblicus reindex"
    When I type "biblicus query submarines --format paths"
    Then standard output says "<file>"

    Examples:
      | command                                    | file        |
      | query 'moon tides' --json > found.json     | found.json  |
      | query 'moon tides' --json > talk           | talk        |
      | context 'moon tides' > pack.md             | pack.md     |
      | eval own --report notes.md                 | notes.md    |

  Scenario: No item fits the filters
    When I type "biblicus query moon --tag nosuch --path sea"
    Then standard output says "No item fits tag=nosuch."

  Scenario: An item fits the filters, and holds nothing of the question
    When I type "biblicus query submarines --path sea"
    Then standard output says "Nothing found. Other words or fewer filters may help."

  Scenario: Nothing found
    When I type "biblicus query submarines"
    Then standard output says "Nothing found."

  Scenario: A refresh
    Given the file "sea/winds.md" holds "The wind turns."
    And "sea/gulls.md" was since deleted
    When I type "biblicus ingest"
    Then standard output says "+ sea/winds.md"
    And standard output says "- sea/gulls.md"
    And standard output says "1 added, 1 removed, 1 unchanged"

  Scenario: Changed evidence
    Given "sea/tides.md" was since edited to "Other words."
    When I type "biblicus query moon"
    Then standard output says "changed or gone since the run: biblicus reindex"

  Scenario: Evidence of a file that is gone
    Given "sea/tides.md" was since deleted
    When I type "biblicus query moon"
    Then standard output says "changed or gone since the run: biblicus reindex"
    And standard output says "1 removed file: biblicus reindex"

  Scenario: A file that is not indexed yet
    Given the file "new.md" holds "The moon is new."
    When I type "biblicus query moon"
    Then standard output says "1 file is not indexed yet: biblicus reindex"
    When I type "biblicus stats"
    Then standard output says "1 file is not indexed yet: biblicus reindex"
    When I type "biblicus context moon"
    Then standard error says "1 file is not indexed yet: biblicus reindex"
    When I type "biblicus answer 'What pulls the tides?'"
    Then standard output says "1 file is not indexed yet: biblicus reindex"
    When I type "biblicus query moon --refresh"
    Then standard output says "new.md, line 1"
    And standard output says no "not indexed yet"

  Scenario: Several changes at once
    Given the file "new.md" holds "The moon is new."
    And "sea/gulls.md" was since deleted
    And "sea/tides.md" was since edited to "The moon."
    When I type "biblicus query moon"
    Then standard output says "Not indexed yet: 1 new, 1 changed, 1 removed files: biblicus reindex"

  Scenario: Changed evidence is marked wherever it is put
    Given "sea/tides.md" was since edited to "Other words."
    When I type "biblicus query moon --format vimgrep"
    Then standard error says "1 line is of a file changed or gone since the run: biblicus reindex"
    When I type "biblicus context moon"
    Then standard output says "changed or gone since it was indexed"

  Scenario: The corpus is found from a folder inside it
    When in the folder "sea" I type "biblicus list"
    Then standard output says "sea/tides.md"

  Scenario: Progress and results do not mix
    When I type "biblicus reindex --fresh"
    Then standard error is empty
    And standard output says "2 files, 2 passages in"

  Scenario: Recipes are listed where there is no corpus yet
    When in the folder ".." I type "biblicus recipes list"
    Then standard output says "lexical"
    And standard error says "These are in every corpus."

  Scenario: What could not be read is told once, and listed by class when it is asked for
    Given the file "bad.pdf" holds the bytes "%PDF-1.7"
    And the file "talk.webm" holds the bytes "\x1aE\xdf\xa3\x00\x00"
    When I type "biblicus reindex"
    Then standard output says "bad.pdf: the file is no readable PDF"
    And standard output says "talk.webm: no extractor for video/webm"
    When I type "biblicus reindex"
    Then standard output says no "bad.pdf"
    And standard output says no "talk.webm"
    And standard output says "2 could not be read: 1 damaged, 1 of an unknown format (biblicus check --failed)"
    When I type "biblicus check --failed"
    Then standard output says "damaged (1)"
    And standard output says "bad.pdf"
    And standard output says "of an unknown format (1)"
    When I type "biblicus stats"
    Then standard output says "2 could not be read: 1 damaged, 1 of an unknown format (biblicus check --failed)"

  Scenario: Files that are empty are counted
    Given the file "a/__init__.py" holds the bytes ""
    And the file "b/__init__.py" holds the bytes "\n"
    When I type "biblicus reindex"
    Then standard output says "Left out: 2 empty"
    And standard output says no "__init__.py: empty"
    When I type "biblicus reindex -v"
    Then standard output says "a/__init__.py: empty"

  Scenario: A warning is told once
    Given the file "moon.json" holds the bytes "{"
    When I type "biblicus reindex"
    Then standard output says "Warnings (1)"
    Given the file "tide.md" holds the bytes "Tides"
    When I type "biblicus reindex"
    Then standard output says "1 added"
    And standard output says no "Warnings"

  Scenario: A file that begins to fail is told though others failed before
    Given the file "bad.pdf" holds the bytes "%PDF-1.7"
    And I typed "biblicus reindex"
    And the file "worse.pdf" holds the bytes "%PDF-1.8"
    When I type "biblicus reindex"
    Then standard output says "worse.pdf: the file is no readable PDF"
    And standard output says no "bad.pdf"
    And standard output says "2 could not be read: 2 damaged (biblicus check --failed)"
