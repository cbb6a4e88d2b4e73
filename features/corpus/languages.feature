Feature: Every text has a language
  It is detected from the text itself, offline, and can be declared; it is a filter and is counted.

  Scenario: A declared language stands
    Given a corpus with the items | path: a.md | text: ---\nlanguage: la\n---\nThe moon pulls the water of the sea every day. |
    When the items are listed
    Then they are | language: la |

  Scenario: Languages are filters, and are counted
    Given a corpus with the items
      | path  | text                                                          |
      | a.txt | The moon pulls the water of the sea towards itself every day. |
      | b.txt | Der Mond zieht das Wasser des Meeres jeden Tag zu sich hin.   |
      | c.txt | 12345                                                         |
    When the statistics are asked for
    Then they count as "languages"
      | name    | count |
      | de      | 1     |
      | en      | 1     |
      | unknown | 1     |
    And the items with "language" "de" are | path: b.txt |
