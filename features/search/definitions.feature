Feature: A definition is found as its name is spelled
  Where two definitions differ in their capitals alone, the question's spelling decides, and where it says what kind of
  thing is meant, that does. A class comes before what stands in it.

  Background:
    Given a corpus with the items
      | path       | text |
      | source.py  | class Source:\n    """Where a page came from: the address that it was fetched from, when that was, the answer of the server, and what the reader has said of it since, one line for each remark, the latest first."""\n\n    def __init__(self, source, address):\n        """Make a Source of a source."""\n        self.source = source |
      | page.py    | class Page:\n    def source(self):\n        """The source of this page: a Source."""\n        return self._source |
      | event.py   | class Event:\n    """Something that happened."""\n\n    def __init__(self, event):\n        self.event = event |
      | listen.py  | def event(name):\n    """Make an event of a class: the event is defined where the class Event is."""\n    return Event(name) |
      | notes.txt  | Where a class is defined, its source says. An event is no class; every event is defined by its source. |
    And a sealed run "first"

  Scenario: The question's capitals decide between namesakes
    When these questions are asked
      | question                            | path      |
      | Source                              | source.py |
      | source                              | page.py   |
      | Where is class Event defined?       | event.py  |
      | Where is the class event defined?   | event.py  |
      | Event class                         | event.py  |
      | Where is Event defined?             | event.py  |
      | where is event defined              | listen.py |
      | the function event                  | listen.py |
      | What does the method source return? | page.py   |
      | def event                           | listen.py |
      | `Source`                            | source.py |
      | which file defines Source           | source.py |
    Then each finds its best evidence

  Scenario: A class comes before its constructor
    When "Where is class Source defined?" is asked
    Then the evidence starts with
      | path      | heading       | line_start |
      | source.py | source.Source | 1          |
