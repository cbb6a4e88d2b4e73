Feature: Places and names
  A question can be sent to another place, and a corpus can have a name instead of a path. Only the user says where that
  is; a corpus cannot.

  Background:
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"

  Scenario: A corpus by its name
    Given the corpus is "harbour" among my places
    When I type "biblicus query moon -C corpus://harbour --json"
    Then standard output is one document with "evidence"

  Scenario Outline: A name for a folder that is not there, and another place after it
    Given the corpus is "harbour" among my places, after "<first>"
    When I type "biblicus query moon -C corpus://harbour --json"
    Then standard output is one document with "evidence"
    And standard error says "<told>"

    Examples:
      | first                                 | told                                                                |
      | /missing/quay                         | There is no file or folder /missing/quay. This process was asked instead. |
      | http://127.0.0.1:9, /missing/quay     | There is no file or folder /missing/quay. This process was asked instead. |
      | /missing/quay, http://127.0.0.1:9     | folder /missing/quay. http://127.0.0.1:9 was asked instead. |
      | /proc                                 | There is no corpus in /proc or above it. This process was asked instead. |

  Scenario: A name for folders that are not there
    Given "harbour" among my places is "/missing/quay, /missing/pier"
    When I type "biblicus query moon -C corpus://harbour --json"
    Then the exit code is 3
    And standard error says "There is no file or folder /missing/quay. This process was asked instead."
    And the last line of standard error holds | code: source_not_found |

  Scenario: Commands that write take the name too
    Given the corpus is "harbour" among my places
    When I type "biblicus tag tides.txt +sea -C corpus://harbour"
    Then standard output says "sea"

  Scenario Outline: Where nothing can be asked, the error says what to type
    When I type "biblicus query moon <place> --json"
    Then the exit code is <exit>
    And the last line of standard error holds | code: <code> |
    And standard error says "<hint>"

    Examples: one after the other
      | place                   | exit | code           | hint                                        |
      | -C corpus://nosuch      | 3    | corpus_unknown | name it under places in                     |
      | -C http://127.0.0.1:9   | 2    | usage          | biblicus query TEXT --at http://127.0.0.1:9 |
      | --at http://127.0.0.1:9 | 6    | place_down     | the same command with --at local            |
      | --at moonbase           | 2    | unknown_name   | define it in                                |

  Scenario: A place that is down, and another after it
    When I type "biblicus query moon --at http://127.0.0.1:9,local --json"
    Then standard output is one document with "evidence"
    And standard error says "http://127.0.0.1:9 does not answer: connection refused. This process was asked instead."

  Scenario: Addresses are told as they are
    When I type "biblicus query moon --at http://127.0.0.1:9,http://127.0.0.1:7,local --json"
    Then standard output is one document with "evidence"
    And standard error says "refused. http://127.0.0.1:7 was asked instead."

  Scenario: A place that is a folder
    Given the corpus is "harbour" among my places
    When I type "biblicus query moon --at harbour --json"
    Then the exit code is 2
    And the last line of standard error holds | code: usage | hint: the same with -C corpus://harbour |

  Scenario: A corpus cannot say where it is asked
    Given the corpus's configuration adds
      """
      at: http://127.0.0.1:9
      """
    When I type "biblicus query moon --json"
    Then the exit code is 5
    And the last line of standard error holds | code: invalid_file |

  Scenario: A token never leaves this machine in the clear
    Given the setting "token" is "secret"
    When I type "biblicus query moon --at http://192.0.2.1 --json"
    Then the exit code is 7
    And standard output is empty

  Scenario Outline: What my places call system is written to by no command, by its name nor by its folder
    Given the corpus is "system" among my places
    When I type "biblicus <command>"
    Then the exit code is 7
    And the last line of standard error holds | code: read_only |

    Examples: one after the other
      | command                                                 |
      | reindex -C corpus://system --json                       |
      | reindex --json                                          |
      | tag tides.txt +sea -C corpus://system --json            |
      | weight set tides.txt 2 -C corpus://system --json        |
      | recipes new own --from lexical -C corpus://system --json |
      | personas new keeper -C corpus://system --json           |
      | check --repair -C corpus://system --json                |
      | remove tides.txt -C corpus://system --json              |

  Scenario: What my places call system is read
    Given the corpus is "system" among my places
    When I type "biblicus query moon -C corpus://system --json"
    Then standard output is one document with "evidence"
