Feature: Notes on evidence
  A person comments on exact words of an item. The note is a file of its own, follows the words through edits, and never
  becomes evidence of the document.

  Background:
    Given a corpus with the items
      | path        | text                                                                    |
      | tides.md    | # Tides\n\nThe moon pulls the tides.\n\nLow water is at six.\n\nLow water is at nine.\n |
      | keeper.txt  | Ingrid kept the lamp.\n                                                 |
    And a sealed run "first"

  Scenario: A note is bound to the words, and is a W3C Web Annotation in a file of its own
    When the words "The moon pulls the tides." of "tides.md" are noted "Checked in June" by "Ada"
    Then the note's file is an annotation of "The moon pulls the tides." by "Ada"
    And the notes are | path: tides.md | status: ok | quote: The moon pulls the tides. | text: Checked in June | by: Ada |

  Scenario Outline: A note follows its words, or is lost
    Given the words "<words>" of "tides.md" were noted "Look here"
    And the file "tides.md" holds "<text>"
    Then the notes are | path: tides.md | status: <status> | quote: <words> |

    Examples:
      | words                 | text                                                            | status |
      | Low water is at six.  | # Tides\n\nThe sun, too.\n\nLow water is at six.\n              | moved  |
      | Low water is at nine. | # Tides\n\nLow water is at ten.\n                               | lost   |

  Scenario: A note follows a renamed item
    Given the words "Ingrid kept the lamp." of "keeper.txt" were noted "Our aunt"
    And "keeper.txt" was since renamed to "people/ingrid.txt"
    And a sealed run "second"
    Then the notes are | path: people/ingrid.txt | status: ok |

  Scenario: Notes are found by their words and by the words that they stand on
    Given the words "The moon pulls the tides." of "tides.md" were noted "Checked in June"
    And the words "Ingrid kept the lamp." of "keeper.txt" were noted "Our aunt"
    Then the notes on "aunts" are | path: keeper.txt |
    And the notes on "tide" are | path: tides.md |

  Scenario: What a note says is no evidence of any document
    Given the words "Ingrid kept the lamp." of "keeper.txt" were noted "She was a pilot in Antwerp"
    And a sealed run "second"
    When "Antwerp pilot" is asked
    Then no evidence is returned

  Scenario Outline: Notes are exported for other tools
    Given the words "The moon pulls the tides." of "tides.md" were noted "Checked in June"
    When the notes are exported as <form>
    Then the export says "<line>"

    Examples: one after the other
      | form      | line                                         |
      | footnotes | [^1]: tides.md:3                             |
      | obsidian  | [[tides.md#Tides\|tides]]                    |

  Scenario: Exported footnotes are proved like other quotations
    Given the words "The moon pulls the tides." of "tides.md" were noted "Checked in June"
    When the notes are exported as footnotes
    Then the export's quotations still stand

  Scenario: A removed note is gone
    Given the words "Low water is at six." of "tides.md" were noted "Look here"
    When the note is removed
    Then there are no notes

  Scenario Outline: A note needs words that stand in the item once
    When the words "<words>" of "tides.md" are noted "Look here" by "Ada"
    Then it is refused as "usage"
    And the message says "<message>"

    Examples: one after the other
      | words        | message                                        |
      | Low water is | These words stand 2 times in tides.md: on lines |
      | Nothing here | These words stand nowhere in tides.md           |
