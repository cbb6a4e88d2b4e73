Feature: A corpus that was never indexed
  Before the first reindex nothing was read: no report may look like a clean bill.

  Scenario: The doctor has nothing to check
    Given a corpus without items
    When I type "biblicus doctor"
    Then the exit code is 0
    And standard output says "No items. biblicus reindex reads the folder."
