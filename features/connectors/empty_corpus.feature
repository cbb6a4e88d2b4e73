Feature: A corpus without items says what to do
  Whoever begins has nothing in the folder yet, and other words would find nothing either.

  Scenario: Nothing can be found
    Given a corpus without items
    And a sealed run "first"
    When I type "biblicus query submarines"
    Then standard output says "Nothing found: the corpus is empty. Put files into its folder, then: biblicus reindex"
