Feature: What is ignored is never entered
  `.biblicusignore` leaves files out in gitignore syntax, and so does `.gitignore` inside a git work tree: what git
  ignores is not in a clone. Hidden files are left out unless the user takes them in, by a setting of this machine or by
  naming them, or a repository tells of itself in them; `.git` and `.biblicus` always. A committed file may hide, and
  never uncovers what is hidden.

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
    Then the catalog holds | path: notes/sea.txt |

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
    Then the catalog holds | path: a.tmp |

  Scenario Outline: No committed pattern takes a hidden file in
    Given a folder with the files
      | path           | text                                              |
      | <rules>        | !.env\n!.ssh/**\n!.ssh/\n!**/.*\n!desktop.ini\n  |
      | .env           | SECRET=1                                          |
      | .ssh/id        | secret                                            |
      | a/.env         | SECRET=2                                          |
      | desktop.ini    | [x]                                               |
      | a.txt          | kept                                              |
    And the folder is a git work tree
    When the folder is made a corpus and refreshed
    Then the report says
      | change  | path        | detail      |
      | added   | a.txt       |             |
      | skipped | .env        | hidden      |
      | skipped | .ssh/       | hidden      |
      | skipped | a/.env      | hidden      |
      | skipped | desktop.ini | system file |

    Examples:
      | rules           |
      | .biblicusignore |
      | .gitignore      |

  Scenario: The user takes hidden files in by a setting of this machine
    Given the user takes in what is hidden as ".config/**" and ".env"
    And a folder with the files
      | path            | text              |
      | .biblicusignore | .env              |
      | .env            | SECRET=1          |
      | .config/ci.yml  | on: push          |
      | .config/.x/y    | deep              |
      | .vscode/x.json  | {}                |
    When the folder is made a corpus and refreshed
    Then the report says
      | change  | path           | detail                     |
      | added   | .config/.x/y   |                            |
      | added   | .config/ci.yml |                            |
      | skipped | .env           | ignored by .biblicusignore |
      | skipped | .vscode/       | hidden                     |

  Scenario: The user brings a hidden file in by naming it
    Given a corpus with the items | path: a.txt | text: kept |
    And the file ".config/ci.yml" holds "on: push"
    When the file ".config/ci.yml" of the folder is ingested
    Then the report says
      | change  | path           | detail |
      | added   | imports/ci.yml |        |
      | skipped | .config/       | hidden |

  Scenario Outline: Committed rules alone, where they are asked for
    Given a folder with the files
      | path       | text             |
      | private.md | a note of my own |
      | a.md       | kept             |
    And the folder is a git work tree
    And git's info/exclude on this machine says "private.md" and "*.tmp"
    And <asked>
    When the folder is made a corpus and refreshed
    Then the catalog holds
      | path       |
      | a.md       |
      | private.md |

    Examples:
      | asked                                       |
      | the setting "local_excludes" is "false"     |
      | this is a machine that builds               |

  Scenario: Git's settings of this machine change
    Given a folder with the files
      | path       | text             |
      | private.md | a note of my own |
      | a.md       | kept             |
    And the folder is a git work tree
    And the folder was made a corpus
    And git's info/exclude on this machine says "private.md" and "*.tmp"
    When the catalog is refreshed
    Then the report says
      | change  | path       | detail                                  |
      | removed | private.md |                                         |
      | skipped | private.md | left out by this machine's git settings |
    When the catalog is refreshed by committed rules alone
    Then the report says | change: added | path: private.md |

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
    Then the catalog holds | path: a.txt |

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
