Feature: What programs may rely on
  With --json standard output carries exactly one document; progress and logs go to standard error.
  Names of fields change only with a deprecation.

  Background:
    Given the setting "max_text_bytes" is "50"
    And a corpus with the items
      | path      | text                                                            |
      | tides.txt | The moon pulls tides.                                           |
      | long.txt  | The moon pulls tides, and here are more words than the setting. |
    And a sealed run "first"

  Scenario: A result goes straight into verify
    Given I typed "biblicus query moon --json > result.json"
    When I type "biblicus verify - --json < result.json"
    Then standard output is one document with "ok, counts, evidence"
    And the exit code is 0

  Scenario: Where an option stands does not matter
    When I type "biblicus query --json -n 1 moon pulls"
    Then standard output is one document with "query, evidence"
