Feature: Source code is found by what it defines
  A chunk is a function, a method, or what a class says before its first method, each with its decorators and the
  comment above it, headed by its qualified name. Who asks for a name finds where it is defined before where it is used.

  Background:
    Given a corpus with the items
      | path        | text |
      | ferry.py    | """Ferries."""\nFARE = 3\n\n# The only one.\n@boat\nclass Ferry(Boat):\n    """Crosses the harbour."""\n\n    seats = 40\n\n    def cross(self, tide):\n        """Take everybody to the other side."""\n        return dock(tide)\n\n    async def dock_all(self):\n        await dock(1), dock(2), dock(3)\n\nopened = True\n |
      | dock.py     | from ferry import Ferry\n\ndef dock(tide):\n    def rope():\n        pass\n    return rope\n |
      | crew.js     | function board(ferry) {\n  return dock(dock(ferry));\n}\n |
    And the notebook "log.ipynb" with the cells
      | kind     | source                                                                          | printed      |
      | markdown | # Crossings\nOf last May.                                                       |              |
      | code     | import pandas as pd\ncrossings = pd.read_csv('may.csv')                         | 41 crossings |
      | code     | crossings.head(10).plot(kind='bar', title='per day', stacked=True)\nplt.show() |              |
    And a sealed run "first"

  Scenario: A definition is one piece of evidence, under its name
    When "FARE crosses harbour everybody await opened rope" is asked with | max_per_source: 10 |
    Then the evidence holds
      | path     | heading              | line_start | line_end |
      | ferry.py | ferry                | 1          | 2        |
      | ferry.py | ferry.Ferry          | 4          | 9        |
      | ferry.py | ferry.Ferry.cross    | 11         | 13       |
      | dock.py  | dock.dock            | 3          | 6        |
    And every piece of evidence is its span

  Scenario: The definition of a name comes first
    When these questions are asked
      | question                    | path     |
      | dock                        | dock.py  |
      | dock()                      | dock.py  |
      | where is dock defined?      | dock.py  |
      | Ferry                       | ferry.py |
      | Ferry.cross                 | ferry.py |
      | ferry.Ferry.dock_all        | ferry.py |
      | dock_all                    | ferry.py |
      | board                       | crew.js  |
    Then each finds its best evidence

  Scenario: What a notebook printed is left out where the recipe says so
    Given the recipe "sources" is "lexical" with
      """
      build: {extraction: {notebook: {outputs: false}}}
      """
    And a sealed run "sources" of the recipe "sources"
    When "crossings read_csv" is asked of the recipe "sources"
    Then the evidence starts with | path: log.ipynb | heading: Crossings | line_start: 4 | line_end: 5 |
