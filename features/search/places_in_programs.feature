Feature: Places in programs
  Who pastes a frame of a stack, or what a compiler prints, wants that line of that file, not a page that has its words.

  Background:
    Given a corpus with the items
      | path                                 | text |
      | src/harbour/winch.py                 | def wind(rope):\n    return rope.length\n\n\ndef haul(rope):\n    return wind(rope)\n\n\ndef turn_0(rope):\n    return rope.turn(0)\n\n\ndef turn_1(rope):\n    return rope.turn(1)\n\n\ndef turn_2(rope):\n    return rope.turn(2)\n\n\ndef turn_3(rope):\n    return rope.turn(3)\n\n\ndef turn_4(rope):\n    return rope.turn(4)\n\n\ndef turn_5(rope):\n    return rope.turn(5)\n\n\ndef turn_6(rope):\n    return rope.turn(6)\n\n\ndef turn_7(rope):\n    return rope.turn(7)\n\n\ndef turn_8(rope):\n    return rope.turn(8)\n\n\ndef turn_9(rope):\n    return rope.turn(9)\n\n\ndef turn_10(rope):\n    return rope.turn(10)\n\n\ndef turn_11(rope):\n    return rope.turn(11)\n\n\ndef turn_12(rope):\n    return rope.turn(12)\n\n\ndef turn_13(rope):\n    return rope.turn(13)\n\n\ndef turn_14(rope):\n    return rope.turn(14)\n\n\ndef turn_15(rope):\n    return rope.turn(15)\n\n\ndef slack(rope):\n    raise Jammed(rope)\n |
      | src/mole/winch.py                    | def haul(lamp):\n    return lamp\n |
      | src/main/java/org/harbour/Winch.java | package org.harbour;\n\nclass Winch {\n    int haul(int rope) {\n        return rope;\n    }\n}\n |
      | utils.py                             | def tie(rope):\n    return rope\n |
      | libraries.txt                        | The library requests in dist-packages has a utils.py; in read_netrc is line 2. |
      | sources.txt                          | src/harbour/winch.py src/mole/winch.py Winch.java File line 6 in haul, harbour winch haul line 73 slack |
    And a sealed run "first"

  Scenario: Of its file, the piece with its line, or with its function where the file has changed since
    When "at Winch.slack (/usr/lib/harbour/winch.py:900:4)" is asked
    Then the evidence starts with | path: src/harbour/winch.py | line_start: 73 |
