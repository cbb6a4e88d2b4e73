Feature: Every text has a language
  It is detected from the text itself, offline, and can be declared; it is a filter and is counted.

  Scenario: Detected languages
    Given a corpus with the items
      | path    | text                                                          |
      | 1.txt   | The moon pulls the water of the sea towards itself every day. |
      | 2.txt   | Der Mond zieht das Wasser des Meeres jeden Tag zu sich hin.   |
      | 3.txt   | La lune attire chaque jour l'eau de la mer vers elle.         |
      | 4.txt   | Луна каждый день притягивает к себе воду моря.                |
      | 5.txt   | 月は毎日、海の水を自分の方へ引き寄せます。                                         |
      | 6.txt   | 月亮每天都把海水引向自己。                                                 |
      | 7.txt   | 12345 67890                                                   |
    When the items are listed
    Then they are
      | path    | language |
      | 1.txt   | en       |
      | 2.txt   | de       |
      | 3.txt   | fr       |
      | 4.txt   | ru       |
      | 5.txt   | ja       |
      | 6.txt   | zh       |
      | 7.txt   | -        |

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
