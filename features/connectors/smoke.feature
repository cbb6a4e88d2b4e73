Feature: The program as it is installed
  A few commands through a real process: what is installed is what was specified.

  Scenario: Two commands to evidence
    Given a folder with the files | path: tides.txt | text: The moon pulls tides. |
    When a shell runs "biblicus init && biblicus reindex && biblicus query moon --json | biblicus verify -"
    Then the exit code is 0
    And standard output says "1 of 1 pieces of evidence hold."

  Scenario: A reader that leaves early
    Given a corpus with 400 items
    When a shell runs "biblicus list | head -1"
    Then the exit code is 0
    And standard error is empty

  Scenario: Help imports nothing heavy
    When a shell runs "PYTHONPROFILEIMPORTTIME=1 biblicus --help"
    Then none of "numpy, tantivy, pypdf, pypdfium2, httpx, lxml" was imported
    And standard output says "query"
