Feature: Errors are one line for people, one object for programs
  Both say what, where, and the next command to type. There is never a traceback without --debug.

  Background:
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |

  Scenario: For people
    When I type "biblicus query moon"
    Then standard output is empty
    And standard error is
      """
      Error: The recipe "lexical" has no run yet. Try: biblicus reindex
      """

  Scenario: A wrong option is a sentence, too
    When I type "biblicus get -tides.txt"
    Then standard error is
      """
      Error: No such option: -t. Try: biblicus get --help
      """

  Scenario: For programs
    When I type "biblicus query moon --json"
    Then standard output is empty
    And the last line of standard error is
      """
      {"error": {"code": "no_run", "message": "The recipe \"lexical\" has no run yet.", "hint": "biblicus reindex"}}
      """

  Scenario Outline: A usage error names the help
    When I type "<command>"
    Then standard error says "<says>"
    And standard error says "<help>"

    Examples: one after the other
      | command                    | says                       | help                   |
      | biblicus query moon --nosuch | No such option             | biblicus query --help  |
      | biblicus query --nosuch      | No such option             | biblicus query -- --nosuch |
      | biblicus list --tag          | requires an argument       | biblicus list --help   |
      | biblicus nosuch              | No such command            | biblicus --help        |
      | biblicus runs search         | No such command 'search'   | biblicus runs --help   |
      | biblicus query               | Missing argument           | biblicus query --help  |
      | biblicus reindex --recipe nosuch | There is no recipe "nosuch" | biblicus recipes list |
      | biblicus sources add https://[x  | https://[x is no address    | biblicus sources add  |
      | biblicus ingest https://[x       | https://[x is no address    | biblicus sources add  |
      | biblicus query moon --at https://[x | is no address of a service | biblicus query --at  |
      | biblicus init tides.txt          | tides.txt is no folder      | biblicus init FOLDER  |
      | biblicus reindex --on moon       | on takes local, ray or ray://HOST:PORT, not moon | biblicus reindex --help |
      | biblicus -C there init here      | Name the folder once        | biblicus init here    |
      | biblicus -C nosuch list          | There is no file or folder  | biblicus init         |
      | biblicus serve nosuch            | There is no file or folder  | biblicus init         |
      | biblicus verify tides.txt        | Line 1, column 1            | biblicus query TEXT --json |
      | biblicus verify nosuch.json      | There is no file or folder nosuch.json | biblicus verify FILE |
      | biblicus bibliography nosuch.bib | There is no file or folder nosuch.bib  | biblicus bibliography FILE |
      | biblicus datasets import nosuch  | There is no file or folder nosuch      | biblicus datasets import PATH |
      | biblicus ingest nosuch.txt       | There is no file or folder nosuch.txt  | biblicus ingest PATH |
      | biblicus query moon --weight lexical    | LEG=NUMBER, not lexical | --weight lexical=0.7 |
      | biblicus query moon --weight lexical=so | LEG=NUMBER, not lexical=so | --weight lexical=0.7 |
      | biblicus list --hash sha256:00   | 64 hex digits, not sha256:00 | biblicus show ITEM   |
      | biblicus token new --scope all   | '--scope': 'all' is not one of 'read', 'ingest'. | biblicus token new --help |
      | biblicus context moon --format x | '--format': 'x' is not one of | biblicus context --help |
      | biblicus mcp --profile nosuch    | no profile "nosuch"         | biblicus mcp --profile desk |
      | biblicus serve --profile nosuch  | no profile "nosuch"         | biblicus serve --profile desk |
      | biblicus get sea/Tides.txt       | No item is named "sea/Tides.txt"; did you mean "tides.txt"? | biblicus list |
      | biblicus query moon --where author      | KEY=VALUE, not author  | --where author=Ada |

  Scenario: Usage errors are objects too
    When I type "biblicus query moon --nosuch --json"
    Then the last line of standard error holds | code: usage | hint: biblicus query --help |

  Scenario: What a file says never moves the cursor
    Given a file named by the bytes "a\x1b[31mred.txt" holds "x\x1b[2J moon"
    And a sealed run "first"
    When I type "biblicus query moon"
    Then standard output holds no control characters
    And standard output says "␛[31mred.txt"

  Scenario: A traceback only for those who ask
    When I type "biblicus query moon --debug"
    Then standard error says "Traceback"
    And the exit code is 3
