Feature: What was superseded stands below what took its place
  A document that says where it begins that another has taken its place is found after that one, unless it is asked for.

  Background:
    Given a corpus with the items
      | path    | text                                                                                                        |
      | old.rst | PEP: 248\nTitle: Harbour interface\nStatus: Superseded\n\nThe interface of a harbour is the quay, quay and quay. |
      | new.rst | PEP: 249\nTitle: Harbour interface\nStatus: Final\n\nThe interface of a harbour is the quay and its bollards.    |
    And a sealed run "first"
    And a sealed run "live" of the recipe "scan"

  Scenario Outline: By what is asked
    When "<question>" is asked with
      | recipe   |
      | <recipe> |
    Then the evidence starts with
      | path   |
      | <path> |

    Examples:
      | question                                     | recipe  | path    |
      | harbour interface quay                       | lexical | new.rst |
      | harbour interface quay                       | scan    | new.rst |
      | which harbour interface quay was superseded  | lexical | old.rst |
