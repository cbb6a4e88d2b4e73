Feature: The catalog is the same everywhere
  The same files give the same catalog, byte for byte, in any folder on any day: it can be committed and merged.
  Nothing of one machine is in a committed file.

  Scenario: Two folders with the same files
    Given a corpus with the items
      | path            | text                                        |
      | b/tides.md      | ---\ntags: [sea]\n---\n# Tides\n\nThe moon. |
      | a.txt           | Der Mond zieht das Wasser jeden Tag an.     |
      | Z.csv           | a,b\n1,2                                    |
      | a.txt.biblicus.yml | title: Mond                              |
    And another corpus with the same files, made in another order
    When the catalog is refreshed
    Then both catalogs hold the same items, byte for byte

  Scenario: Nothing of the machine is in a committed file
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a folder outside with the files | path: gulls.txt | text: Gulls follow boats. |
    And "gulls.txt" outside was ingested
    And a sealed run "first"
    When "moon" is asked
    Then no committed file holds the path of the folder or of the one outside
    And no evidence does

  Scenario: A refresh after the times of all files changed changes nothing
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And the file ".biblicus/catalog.json" is remembered
    And every file was since touched
    When the catalog is refreshed
    Then the report says nothing new
    And the file ".biblicus/catalog.json" is the very same

  Scenario: A catalog that was merged badly is refused with the remedy
    Given a corpus with the items
      | path  | text |
      | a.txt | one  |
      | b.txt | two  |
    And a line of ".biblicus/catalog.json" stands twice
    When the items are listed
    Then it is refused as "catalog_unreadable"
    And the hint is "biblicus check --repair"

  Scenario: A newer catalog is refused with the remedy
    Given a corpus with the items | path: a.txt | text: one |
    And ".biblicus/catalog.json" says "schema_version": 99
    When the catalog is refreshed
    Then it is refused as "newer_schema"
    And the hint is "pip install --upgrade biblicus-corpus"
