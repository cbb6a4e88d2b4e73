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
    Then standard output says "changed since the run: biblicus reindex"

  Scenario: The corpus is found from a folder inside it
    When in the folder "sea" I type "biblicus list"
    Then standard output says "sea/tides.md"

  Scenario: Progress and results do not mix
    When I type "biblicus reindex --fresh"
    Then standard error is empty
    And standard output says "lexical: fresh, 2 items, 2 chunks"

  Scenario: Recipes are listed where there is no corpus yet
    When in the folder ".." I type "biblicus recipes list"
    Then standard output says "lexical"
    And standard error says "These are in every corpus."
