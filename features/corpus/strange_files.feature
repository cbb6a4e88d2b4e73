Feature: Strange names are told
  Any name that the system allows can be an item (`tests/reliability/test_strange_files.py`). What others cannot hold is told.

  Scenario: Names that some systems cannot hold side by side
    Given a corpus with the items
      | path      | text |
      | Tides.txt | one  |
      | tides.txt | two  |
    When the catalog is refreshed
    Then the report warns of "tides.txt" that "differs from Tides.txt only in case or Unicode form"
