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

    Examples:
      | folder          | reason                    |
      | /               | is the whole file system  |
      | /proc           | is the root of a disk     |
      | home            | is your home folder       |
      | home/notes/deep | lies in the corpus        |
      | .               | holds another corpus, home/notes |

  Scenario: With --yes it is
    Given a folder with the files
      | path                            | text                                                       |
      | notes/.biblicus/config.yml      | corpus_id: 00000000000000000000000000000001\nname: notes\n |
    When I type "biblicus init . --yes"
    Then the exit code is 0

  Scenario: A new last folder is made, a new one above it is not
    Given a folder with the files
      | path      | text                  |
      | tides.txt | The moon pulls tides. |
    When I type "biblicus init notes"
    Then the exit code is 0
    When I type "biblicus init typo/deep/notes"
    Then the exit code is 2
    And standard error says "There is no folder"
    And standard error says "the nearest one that exists is"
