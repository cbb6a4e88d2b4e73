Feature: Text in any encoding is read
  A mark, the bytes themselves, a declaration and letter statistics tell the encoding; the file is never rewritten.
  Offsets and lines are those of the decoded text.

  Scenario Outline: Encodings
    Given a corpus without items
    And the file "<path>" holds, in "<encoding>", "<text>"
    And a sealed run "first"
    When "<question>" is asked
    Then evidence comes from "<path>"
    And the text of "<path>" holds "<found>"
    And the evidence verifies

    Examples:
      | path   | encoding  | question | found    | text                                                          |
      | a.txt  | utf-8     | Flut     | höchsten | Die Flut steht am höchsten, wenn der Mond voll ist.           |
      | a.txt  | utf-8-sig | Flut     | höchsten | Die Flut steht am höchsten, wenn der Mond voll ist.           |
      | a.txt  | utf-16    | Flut     | höchsten | Die Flut steht am höchsten, wenn der Mond voll ist.           |
      | a.txt  | utf-16-le | Flut     | höchsten | Die Flut steht am höchsten, wenn der Mond voll ist.           |
      | a.txt  | utf-32    | Flut     | höchsten | Die Flut steht am höchsten, wenn der Mond voll ist.           |
      | a.txt  | cp1252    | Flut     | höchsten | Die Flut steht am höchsten, wenn der Mond über der See steht. |
      | a.txt  | cp1251    | луна     | притягивает | Луна притягивает к себе воду моря каждый день, и это прилив. |
      | a.txt  | shift_jis | 潮       | 引き寄せ | 月は毎日、海の水を自分の方へ引き寄せます。それが潮です。      |
      | a.html | cp1252    | Flut     | höchsten | <meta charset="windows-1252"><p>Die Flut steht am höchsten.   |
      | a.py   | latin-1   | flut     | höchste  | # -*- coding: latin-1 -*-\nflut = "höchste"\n                 |

  Scenario Outline: Real files with a known sentence
    Given a corpus with the real documents | file: <file> |
    When the item "<file>" is read
    Then the text holds "<sentence>"

    Examples:
      | file                     | sentence                                      |
      | fake-text-utf-16-be.txt  | This is a test document to use for unit tests |
      | fake-text-utf-32.txt     | This is a test document to use for unit tests |
      | russian.cp866.txt        | Однажды, в студеную зимнюю пору               |
      | umlauts-non-utf8.md      | äöüß                                          |
      | stanley-cups-utf-16.csv  | Stanley Cups                                  |
      | testArabicMisleadingCharset.html | رجل حكيم                              |

  Scenario: Line ends of every system, lines ended by a line feed
    Given a corpus with the items | path: a.txt | text: first\x0d\nsecond\x0d\x0d\nthird |
    When the item "a.txt" is shown
    Then it is | lines: 3 |
