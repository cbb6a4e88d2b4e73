Feature: Strange files are skipped or shown, never followed
  Links are not followed and special files not opened; each is skipped with its reason.
  Any name that the system allows can be an item.

  Scenario: Names of every kind
    Given a corpus with the items | path: a.txt | text: words |
    And files that say "Seagulls follow boats." are named by the bytes
      | bytes               |
      | caf\xe9.txt         |
      | caf\xc3\xa9.txt     |
      | two\x0alines.txt    |
      | a\x1b[31mred.txt    |
      | \xee\xbe\x80.txt    |
      | 50% of #1?.txt      |
    And a sealed run "first"
    When "seagulls" is asked
    Then the evidence comes from the addresses
      | source_uri               |
      | caf%E9.txt               |
      | caf%C3%A9.txt            |
      | two%0Alines.txt          |
      | a%1B%5B31mred.txt        |
      | %EE%BE%80.txt            |
      | 50%25%20of%20%231%3F.txt |
    And the evidence verifies
