Feature: A folder becomes a corpus
  A corpus is any folder of files with a `.biblicus` folder beside them; nothing that lies in it is touched.
  It is found from every folder inside it, and it works after it was moved.

  Scenario: Making a corpus leaves the files as they are
    Given a folder with the files
      | path           | text                  |
      | tides.txt      | The moon pulls tides. |
      | notes/shoal.md | # Shoal               |
    When the folder is made a corpus named "Harbour"
    Then the corpus is named "Harbour"
    And the folder holds the files
      | path                 |
      | .biblicus/.gitignore |
      | .biblicus/config.yml |
      | notes/shoal.md       |
      | tides.txt            |

  Scenario: A corpus is named after its folder unless told otherwise
    Given a folder with the files | path: tides.txt | text: The moon pulls tides. |
    When the folder is made a corpus
    Then the corpus is named "corpus"

  Scenario: A folder is made a corpus once
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    When the folder is made a corpus
    Then it is refused as "corpus_exists"
    And the hint is "biblicus ingest"

  Scenario: A corpus is found from the folders inside it
    Given a corpus with the items | path: notes/a/sea.md | text: The moon pulls tides. |
    When the catalog is refreshed from the folder "notes/a"
    Then it counts 1 unchanged

  Scenario: Outside a corpus, the way to make one is named
    Given a folder with the files | path: tides.txt | text: The moon pulls tides. |
    When the catalog is refreshed
    Then it is refused as "corpus_not_found"
    And the hint is "biblicus init"

  Scenario: A corpus that was moved is the same corpus
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"
    And the folder was since moved
    When "moon" is asked
    Then the evidence is | rank: 1 | path: tides.txt | text: The moon pulls tides. | stale: - |
    And the evidence comes from the run "first"
