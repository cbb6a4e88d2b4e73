Feature: Names in code are found whole and in parts
  `camelCase`, `snake_case` and `dotted.names` are found as written, by their parts, and by their words.

  Background:
    Given a corpus with the items
      | path       | text                                       |
      | camel.py   | def readTideGauge(): return 1              |
      | snake.py   | tide_table_row = 2                         |
      | dotted.py  | harbour.gauge.level(3)                     |
      | plain.txt  | A gauge for the tide, to be read by hand.  |
      | crew.py    | class Crew:\n    def winder(self, given):\n        """Set who turns it."""\n        self.turns = given\n |
      | turn.py    | class Winder:\n    """Turns a drum until the rope is in."""\n\n    def __init__(self, drum, pawl, crank):\n        self.drum, self.pawl, self.crank = drum, pawl, crank\n |
      | sharpen.py | class Tool:\n    def sharpen(self, sharpen):\n        """Say whether to sharpen."""\n        self._sharpen = sharpen\n |
      | files.md   | # Tools\n\nBefore you sharpen a file, brush it.     |
      | other.txt  | Ropes are coiled.                          |
    And a sealed run "first"

  Scenario: The name itself comes first
    When these questions are asked
      | question              | path      |
      | readTideGauge         | camel.py  |
      | read tide gauge()     | camel.py  |
      | tide_table_row        | snake.py  |
      | tide table row        | snake.py  |
      | harbour.gauge.level   | dotted.py |
      | gauge.level           | dotted.py |
      | harbour level         | dotted.py |
      | where is readTideGauge defined? | camel.py |
      | How do I sharpen a file? | files.md |
    Then each finds its best evidence

  Scenario: A part finds every name that has it
    When "gauge" is asked
    Then evidence comes from "camel.py"
    And evidence comes from "dotted.py"
    And evidence comes from "plain.txt"
