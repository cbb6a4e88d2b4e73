Feature: A recipe begun from a built-in one works wherever runs are kept
  One command writes a recipe to be edited; what is built by it is kept and asked like any other.

  Scenario Outline: A full-text recipe of one's own
    Given a corpus with the items
      | path      | text                                  |
      | tides.txt | The moon pulls the tides of the sea.  |
      | lamp.txt  | The lamp of the harbour burns oil.    |
    And <kept>
    When I type "biblicus recipes new mine --from <base>"
    Then the exit code is 0
    When I type "biblicus reindex --recipe mine"
    Then the exit code is 0
    When I type "biblicus query moon --recipe mine --format paths"
    Then standard output is
      """
      tides.txt
      """

    Examples:
      | kept                                                           | base    |
      | the user keeps runs on the disk                                | lexical |
      | the user keeps the runs of this folder in the database "team" | lexical |
      | the user keeps runs on the disk                                | scan    |
