Feature: A page that is about a thing comes before one that mentions it
  What is about a thing holds several good pieces; what mentions it in passing holds one.

  Scenario: A page that holds several good pieces comes before one that mentions the thing once
    Given a corpus with the items
      | path       | text |
      | survey.md  | # Boats\n\n## Reefs\n\nA reef of the coast is mapped by boats with a lead line, coast by coast.\n\n## Winds\n\nWinds are noted at noon by the mate, and none of it is said aloud. |
      | reefs.md   | # Coasts\n\n## Maps\n\nA reef of the coast is mapped by a lead line from boats.\n\n## Lines\n\nEach reef of a coast has been mapped, line by line, with a lead. |
    And a sealed run "first"
    When "how is a reef of the coast mapped" is asked
    Then the evidence starts with
      | path     |
      | reefs.md |
