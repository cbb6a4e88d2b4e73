Feature: Any words are a valid question
  Words are OR-ed, stemmed, and stop words dropped unless nothing else is left; no punctuation is an operator.
  Only a blank question is refused.

  Background:
    Given a corpus with the items
      | path      | text                                                          |
      | tides.txt | The moon pulls the tides twice a day, and nobody can stop it. |
      | gulls.txt | What is new about gulls: they follow every fishing boat.      |
      | c++.txt   | The C++ compiler was written before the harbour wall.         |
      | sizes.txt | Sizes: S, M, L. An S is small, an S with a T is less.         |
    And a sealed run "first"

  Scenario: Questions as people type them
    When these questions are asked
      | question                                | path      |
      | moon                                    | tides.txt |
      | MOON                                    | tides.txt |
      | When does the moon pull the tide?       | tides.txt |
      | how many times a day is there a tide?!  | tides.txt |
      | what's new about the gull's boats       | gulls.txt |
      | what’s new with gulls?                  | gulls.txt |
      | what's new                              | gulls.txt |
      | fishing AND NOT gulls                   | gulls.txt |
      | boat -gulls +fishing                    | gulls.txt |
      | path:gulls OR (fishing                  | gulls.txt |
      | gulls* ~ ^2 [a TO b]                    | gulls.txt |
      | C++ compiler                            | c++.txt   |
      | "fishing                                | gulls.txt |
      | \\ / {moon}                             | tides.txt |
      | moon 🌊 🌙                              | tides.txt |
    Then each finds its best evidence

  Scenario Outline: Who asks for a place in programs gets that before what tells of it
    Given the file "docs/rope.md" holds "# Rope\n\nA rope has its pull, the pull of a rope.\n\nA test.\n"
    And the file "src/rope.py" holds "def measure(rope):\n    return rope.pull  # of a rope\n"
    And the file "tests/test_hauling.py" holds "def test_measure(rope):\n    assert rope.pull == 3\n"
    And the file "tests/test_covering.py" holds "def test_covering(lid):\n    assert lid.covers(lid.cover), 1  # a test that a cover covers\n"
    And a sealed run "first"
    When "<question>" is asked
    Then the evidence starts with | path: <path> |

    Examples: one after the other
      | question                                  | path         |
      | which function measures the pull of a rope | src/rope.py  |
      | what is the pull of a rope                | docs/rope.md |

  Scenario Outline: A question is about its term, however it is put
    Given the file "bollard.md" holds "# Mooring\n\nA ship is made fast to the bollard with a line.\n"
    And the file "speech.md" holds "# A speech\n\nPeople keep reading one sentence. Tell one sentence, explain one sentence, describe one sentence to people.\n"
    And a sealed run "first"
    When "<question>" is asked
    Then the evidence starts with | path: bollard.md |

    Examples: one after the other
      | question                                          |
      | tell me in one sentence what a bollard does       |
      | what do people mean by bollard                    |
      | I keep reading about bollards, what are they      |
      | could you describe in a sentence what a bollard is |

  Scenario Outline: A blank question is refused
    When "<question>" is asked
    Then it is refused as "blank_question"

    Examples: one after the other
      | question |
      |          |
      | \n \t    |

  Scenario: A whole page is a valid question
    When a question of 5000 words about "moon" is asked
    Then evidence comes from "tides.txt"
