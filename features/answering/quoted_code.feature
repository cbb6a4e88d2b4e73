Feature: An answer from source code is what its comments and docstrings say
  Lines of code are no sentences: they are quoted as code, and count less than words.

  Background:
    Given a corpus with the items
      | path     | text |
      | winch.py | import ropes\n\n\nclass Winch:\n    """\n    A drum that hauls the boats of the harbour.\n\n    Usage::\n\n        Winch(rope=hemp)\n    """\n\n    def __init__(self, rope, speed=1, tide=None, harbour=None, boats=None):\n        self.rope, self.speed = rope, speed\n        self.tide, self.harbour, self.boats = tide, harbour, boats\n\n    def haul(self, boats, harbour, tide=None):\n        # Boats are hauled at the ebb alone, since the flood\n        # lifts them off their cradles.\n        if tide == "flood":\n            raise ValueError("not at the flood")\n        return [self.rope.pull(boat, harbour) for boat in boats] |
      | bell.c   | #include "bell.h"\n\n/*\n * The bell is rung twice when fog comes in from the sea.\n */\nvoid ring(struct bell *bell, int fog, int sea)\n{\n    int rung = bell->rung + fog + sea; // rung\n    bell->rung = rung;\n}\n |
      | rope.rs  | /// Ties the mooring rope to a bollard, see [Bollard].\n///\n/// [Bollard]: struct@crate::mooring::Bollard\nfn tie(mooring: &Rope) {}\n\n// Mooring bollards ----------------------------------------\n\nfn moorings() -> Vec<Bollard> { vec![] }\n |
      | lamp.sh  | #!/bin/sh\n# The lamp is lit by the keeper one hour before dusk.\nlamp --lit --keeper "$1" --hour 1 --dusk |
    And a sealed run "first"

  Scenario Outline: Words are told, without what marks them
    When the answerer "quote" is asked "<question>"
    Then the answer begins with "<answer>"
    And every citation verifies

    Examples:
      | question                         | answer |
      | what does the Winch class do     | A drum that hauls the boats of the harbour. |
      | when are boats hauled            | Boats are hauled at the ebb alone, since the flood lifts them off their cradles. |
      | when is the bell rung            | The bell is rung twice when fog comes in from the sea. |
      | who lights the lamp before dusk  | The lamp is lit by the keeper one hour before dusk. |

  Scenario: Where links lead, and what parts a file, say nothing
    When the answerer "quote" is asked "which mooring rope is tied to a bollard"
    Then the answer is "Ties the mooring rope to a bollard, see [Bollard]."
    And every citation verifies

  Scenario: Code is quoted as code where that is asked for
    When the answerer "quote" is asked "show the code that pulls the rope of a boat"
    Then the answer begins with "if tide"
    And every citation verifies
