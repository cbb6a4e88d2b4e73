Feature: A page that is about a thing comes before one that mentions it
  What is about a thing holds several good pieces; what mentions it in passing holds one.

  Scenario: A page that is there in two formats is evidence once
    Given a corpus with the items
      | path       | text |
      | moor.txt   | Moor\n\nA boat is moored by two lines at least, one to each side of the quay, and by four in a gale. |
      | moor.html  | <h1>moor</h1><p>A boat is moored by <em>two lines</em> at least, one to each side of the quay, and by four in a gale.</p> |
      | lines.md   | # Lines\n\nFour lines of hemp lie on the quay for a gale. |
      | moor.md    | # Moor\n\nIn a gale a boat may be moored in the lee of the island instead, by an anchor and a line to the shore. |
    And a sealed run "first"
    When "how is a boat moored in a gale" is asked
    Then the evidence is
      | path      |
      | moor.html |
      | moor.md   |
      | lines.md  |
    And what was dropped names "duplicate"
