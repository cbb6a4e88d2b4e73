Feature: What is ignored is never entered
  `.biblicusignore` leaves files out in gitignore syntax, and so does `.gitignore` inside a git work tree: what git
  ignores is not in a clone. Hidden files are left out unless a pattern takes them in, or a repository tells of itself
  in them; `.git` and `.biblicus` always.

  Scenario: Patterns, folders and exceptions
    Given a folder with the files
      | path              | text                                 |
      | .biblicusignore   | *.log\n\n# made\nbuild/\n!keep.log\n/top.txt\n |
      | a.log             | noise                                |
      | keep.log          | signal                               |
      | build/out.txt     | made                                 |
      | top.txt           | top                                  |
      | sub/top.txt       | below                                |
    When the folder is made a corpus and refreshed
    Then the report says
      | change  | path        | detail                     |
      | added   | keep.log    |                            |
      | added   | sub/top.txt |                            |
      | skipped | a.log       | ignored by .biblicusignore |
      | skipped | build/      | ignored by .biblicusignore |
      | skipped | top.txt     | ignored by .biblicusignore |

  Scenario: The deepest ignore file decides
    Given a folder with the files
      | path                  | text     |
      | .biblicusignore       | *.txt    |
      | notes/.biblicusignore | !sea.txt |
      | notes/sea.txt         | kept     |
      | notes/sky.txt         | dropped  |
    When the folder is made a corpus and refreshed
    Then the catalog holds
      | path          |
      | notes/sea.txt |

  Scenario: What git ignores is left out in a git work tree
    Given a folder with the files
      | path            | text           |
      | .gitignore      | *.tmp\n*.cache |
      | .biblicusignore | !warm.cache    |
      | a.tmp           | scratch        |
      | cold.cache      | cached         |
      | warm.cache      | cached, wanted |
      | a.txt           | kept           |
    And the folder is a git work tree
    When the folder is made a corpus and refreshed
    Then the catalog holds
      | path       |
      | a.txt      |
      | warm.cache |

  Scenario: Outside a git work tree, .gitignore is nobody's rule
    Given a folder with the files
      | path       | text    |
      | .gitignore | *.tmp   |
      | a.tmp      | scratch |
    When the folder is made a corpus and refreshed
    Then the catalog holds
      | path  |
      | a.tmp |

  Scenario: Hidden files are left out, and taken in by name
    Given a folder with the files
      | path            | text              |
      | .biblicusignore | !.config/         |
      | .env            | SECRET=1          |
      | .config/ci.yml  | on: push          |
      | .vscode/x.json  | {}                |
    When the folder is made a corpus and refreshed
    Then the report says
      | change  | path           | detail |
      | added   | .config/ci.yml |        |
      | skipped | .env           | hidden |
      | skipped | .vscode/       | hidden |

  Scenario: Hidden files in which a repository tells of itself are there, unless a pattern leaves them out
    Given a folder with the files
      | path                     | text             |
      | .biblicusignore          | .gitlab/         |
      | .github/CONTRIBUTING.md  | Run make test.   |
      | .github/workflows/ci.yml | on: push         |
      | .github/.cache/x.txt     | scratch          |
      | .gitlab/issue.md         | Tell us.         |
      | .pre-commit-config.yaml  | repos: []        |
      | .env                     | SECRET=1         |
      | .env.example             | SECRET=          |
    When the folder is made a corpus and refreshed
    Then the report says
      | change  | path                     | detail                     |
      | added   | .env.example             |                            |
      | added   | .github/CONTRIBUTING.md  |                            |
      | added   | .github/workflows/ci.yml |                            |
      | added   | .pre-commit-config.yaml  |                            |
      | skipped | .env                     | hidden                     |
      | skipped | .github/.cache/          | hidden                     |
      | skipped | .gitlab/                 | ignored by .biblicusignore |

  Scenario: .git and .biblicus are never entered, whatever a pattern says
    Given a folder with the files
      | path               | text                           |
      | .biblicusignore    | !.git/\n!.biblicus/\n!**/.git/ |
      | .git/config        | [core]                         |
      | sub/.git/config    | [core]                         |
      | sub/.hg/store      | data                           |
      | a.txt              | kept                           |
    When the folder is made a corpus and refreshed
    Then the catalog holds
      | path  |
      | a.txt |

  Scenario: A new rule takes items out of the catalog and leaves the files
    Given a corpus with the items
      | path      | text       |
      | draft.txt | not yet    |
      | final.txt | that is it |
    And the file ".biblicusignore" holds "draft*"
    When the catalog is refreshed
    Then the report says
      | change  | path      | detail                     |
      | removed | draft.txt |                            |
      | skipped | draft.txt | ignored by .biblicusignore |
    And the folder holds "draft.txt"
