Feature: What holds no text is found by what it is called
  A picture, a recording or an archive has no words to rank. Where its name, title, tags or metadata hold all that is
  asked, it is evidence all the same, after the texts, and says that it has none. Nothing of it is ever quoted.

  Background:
    Given a corpus with the items
      | path                           | text                                                       |
      | notes.txt                      | The crane on the quay was painted blue.                    |
      | harbour-map.webm               | \x1aE\xdf\xa3\x00\x00                                      |
      | scan_0815.webm                 | \x1aE\xdf\xa3\x00\x01                                      |
      | scan_0815.webm.biblicus.yml    | title: Inventory of the lamps\ntags: [lighthouse]\nkeeper: Pia Lund |
      | empty.txt                      |                                                            |
    And a sealed run "first"

  Scenario Outline: By name, title, tags and metadata
    When "<question>" is asked
    Then the evidence is | path: <path> | text: |
    And the evidence verifies
    And the evidence is "insufficient"
    And it refers to the content of "<path>", as "no extractor for video/webm"

    Examples: one after the other
      | question                     | path             |
      | Where is the harbour map?    | harbour-map.webm |
      | inventory of lamps           | scan_0815.webm   |
      | lighthouse                   | scan_0815.webm   |
      | lund                         | scan_0815.webm   |
      | scan 0815                    | scan_0815.webm   |

  Scenario: After the texts, and where all of the question is held
    Given the file "blue crane.webm" holds the bytes "\x1aE\xdf\xa3\x00\x02"
    And the corpus was reindexed
    When "blue crane" is asked
    Then the evidence is
      | path            |
      | notes.txt       |
      | blue crane.webm |
    When "red crane" is asked
    Then the evidence is | path: notes.txt |

  Scenario: Few beside texts, those first that are called little else
    Given the file "old red lamp by night.webm" holds the bytes "\x1aE\xdf\xa3\x00\x03"
    And the file "red lamp.webm" holds the bytes "\x1aE\xdf\xa3\x00\x04"
    And the file "the red lamp again.webm" holds the bytes "\x1aE\xdf\xa3\x00\x05"
    And the file "a.txt" holds "The red lamp burns."
    And the file "b.txt" holds "A red lamp, lit."
    And the file "c.txt" holds "No red lamp is left, says the keeper of it."
    And the file "d.txt" holds "Red is the lamp that he carries home at night, and blue the other one."
    And the corpus was reindexed
    When "red lamp" is asked with | limit: 4 |
    Then the evidence is
      | path          |
      | a.txt         |
      | b.txt         |
      | c.txt         |
      | red lamp.webm |

  Scenario Outline: What may tell it and was not read is named, where the evidence falls short
    Given the file "plans/insurance policy 2024.webm" holds the bytes "\x1aE\xdf\xa3\x00\x03"
    And the file "plans/budget.webm" holds the bytes "\x1aE\xdf\xa3\x00\x04"
    And the file "plans/insured.txt" holds "The insurance policy of the boat covers storms and theft."
    And the corpus was reindexed
    When "<question>" is asked
    Then the result <notes>

    Examples: one after the other
      | question                                       | notes                                                            |
      | Does the old insurance policy name my uncle?   | notes "plans/insurance policy 2024.webm"                         |
      | How large is the budget of the orchestra?      | notes "plans/budget.webm"                                        |
      | budget                                         | notes "plans/budget.webm"                                        |
      | Who insures an orchestra?                      | notes nothing                                                    |
      | Which policy had the orchestra in 2024?        | notes nothing                                                    |
      | insurance policy of the boat: storms and theft | notes nothing                                                    |
      | insurance policy                               | notes nothing                                                    |

  Scenario Outline: Whoever asks in a terminal is told it
    Given the file "plans/insurance policy 2024.webm" holds the bytes "\x1aE\xdf\xa3\x00\x03"
    And the corpus was reindexed
    When I type "biblicus <verb> '<question>'"
    Then standard output says "not read: plans/insurance policy 2024.webm"

    Examples: one after the other
      | verb   | question                                     |
      | query  | Does the old insurance policy name my uncle? |
      | answer | Does the old insurance policy name my uncle? |
      | answer | insurance policy                             |

  Scenario: What filters exclude is not named
    Given the file "plans/budget.webm" holds the bytes "\x1aE\xdf\xa3\x00\x04"
    And the corpus was reindexed
    When "How large is the budget of the orchestra?" is asked with | path: notes.* |
    Then the result notes nothing

  Scenario: Filters count
    When "harbour map" is asked with | path: notes/** |
    Then nothing is found

  Scenario: It is never quoted
    When the answerer "quote" is asked "Where is the harbour map?" with | max_words: 100 |
    Then it is an empty answer

  Scenario: It is no part of a pack
    When a context for "Where is the harbour map?" is asked
    Then the pack has the entries
      | path |

  Scenario Outline: A file too large to be read is told where its name is asked for, or where the evidence is weak
    Given the setting "<setting>" is "200"
    And the file "logs/harbour dues.txt" holds "Harbour dues are paid at noon, in the office beside the quay of the old harbour, says the keeper of the lighthouse; who pays later pays double, and who never pays may not land again before the next spring tide."
    And the corpus was reindexed
    When "<question>" is asked
    Then the result <notes>

    Examples:
      | setting        | question                                  | notes                                                                  |
      | max_text_bytes | quay crane painted blue                   | notes nothing                                                          |
      | max_text_bytes | Who repairs the submarines?               | notes "Too large to be read, and not searched: logs/harbour dues.txt." |
      | max_text_bytes | Are the dues of the harbour paid at noon? | notes "Called like what is asked, and not read: logs/harbour dues.txt." |
      | max_file_bytes | quay crane painted blue                   | notes nothing                                                          |
      | max_file_bytes | Who repairs the submarines?               | notes "Too large to be read, and not searched: logs/harbour dues.txt." |
      | max_file_bytes | Are the dues of the harbour paid at noon? | notes "Called like what is asked, and not read: logs/harbour dues.txt." |

  Scenario Outline: A file too large to be an item is told where the filters may hold it
    Given the setting "max_file_bytes" is "200"
    And the file "logs/harbour dues.txt" holds "Harbour dues are paid at noon, in the office beside the quay of the old harbour, says the keeper of the lighthouse; who pays later pays double, and who never pays may not land again before the next spring tide."
    And the corpus was reindexed
    When "Are the dues of the harbour paid at noon?" is asked with | <filter>: <value> |
    Then the result <notes>

    Examples: one after the other
      | filter  | value    | notes                              |
      | path    | *.txt    | notes nothing                      |
      | path    | **/*.txt | notes "logs/harbour dues.txt"      |
      | doctype | paper    | notes "No item fits doctype=paper" |
