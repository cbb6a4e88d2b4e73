Feature: An answer from source code is what its comments and docstrings say
  Lines of code are no sentences: they are quoted as code, and count less than words.

  Background:
    Given a corpus with the items
      | path     | text |
      | winch.py | import ropes\n\n\nclass Winch:\n    """\n    A drum that hauls the boats of the harbour.\n\n    Usage::\n\n        Winch(rope=hemp)\n    """\n\n    def __init__(self, rope, speed=1, tide=None, harbour=None, boats=None):\n        self.rope, self.speed = rope, speed\n        self.tide, self.harbour, self.boats = tide, harbour, boats\n\n    def haul(self, boats, harbour, tide=None):\n        # Boats are hauled at the ebb alone, since the flood\n        # lifts them off their cradles.\n        if tide == "flood":\n            raise ValueError("not at the flood")\n        return [self.rope.pull(boat, harbour) for boat in boats] |
      | bell.c   | #include "bell.h"\n\n/*\n * The bell is rung twice when fog comes in from the sea.\n */\nvoid ring(struct bell *bell, int fog, int sea)\n{\n    int rung = bell->rung + fog + sea; // rung\n    bell->rung = rung;\n}\n |
      | rope.rs  | /// Ties the mooring rope to a bollard, see [Bollard].\n///\n/// [Bollard]: struct@crate::mooring::Bollard\nfn tie(mooring: &Rope) {}\n\n// Mooring bollards ----------------------------------------\n\nfn moorings() -> Vec<Bollard> { vec![] }\n |
      | lamp.sh  | #!/bin/sh\n# The lamp is lit by the keeper one hour before dusk.\nlamp --lit --keeper "$1" --hour 1 --dusk |
      | Slip.java | package harbour;\n\n/** The stones on which boats lie dry, at most {@link #most}. */\npublic class Slip {\n\n    /** The number of boats that {@code haulAll} may bring up. */\n    private int most = 3;\n\n    /**\n     * Builds the stones anew, wider than before.\n     *\n     * @param width the metres between its walls\n     */\n    public Slip(int width) { }\n\n    /** {@inheritDoc} */\n    public boolean drain(Pump pump) { return pump.run() && pump.drain(this); }\n\n    enum Gate {\n        /** Lets the flood in, never the ebb. */\n        OPEN,\n        SHUT\n    }\n}\n |
      | Pump.java | package harbour;\n\ninterface Pump {\n    /**\n     * Empties the dock through the {@linkplain Culvert old culvert}, as long as it is {@code true} that the\n     * sluice holds. See the book of the harbour for the order in which its gates are shut, by whom and when.\n     *\n     * @param slip what is emptied\n     * @return whether any water is left\n     * @throws DryException if there was none\n     */\n    boolean drain(Slip slip);\n}\n |
      | Lamp.cs   | namespace Harbour\n{\n    public class Lamp\n    {\n        /// <summary>\n        /// Fills the <see cref="T:Harbour.Tank{T}"/> of <paramref name="lamp"/>, or gives <see langword="null"/>.\n        /// </summary>\n        /// <param name="lamp">The lamp to <c>fill</c>.</param>\n        public Tank Refuel(Lamp lamp) => null;\n    }\n}\n |
      | fog.hpp   | #pragma once\nFOG_NAMESPACE_BEGIN\nclass FOG_API Horn {\n  FOG_OBJECT\n public:\n  /// @brief return the tone that was blown last\n  /// @sa https://example.org/horn\n  FOG_INLINE const Tone& last_tone(Order order = {}) FOG_NOEXCEPT;\n};\nFOG_NAMESPACE_END\n |
      | knots.lua | local knots = {}\n\n--- tie two ropes together.\n-- @string rope the thinner one\n-- @treturn bool whether it holds\nfunction knots.bend(rope)\n  return true\nend\n\n--- make a rope fast to a ring.\nfunction knots.hitch(ring)\n  return ring\nend\n\nreturn knots\n |
      | Buoy.kt   | package harbour\n\nclass Buoy {\n    /** Rings for as long as the swell lasts. */\n    fun toll(swell: Int) {\n    }\n\n    /** Drifts with the ebb. */\n    fun drift() {\n    }\n}\n |
      | tide.rs   | cfg_tide! {\n    /// Waits for the flood without holding the rope.\n    pub async fn await_flood(rope: &Rope) {}\n}\n |
      | hook.h   | #ifndef HOOK_H\n#define HOOK_H\n\n/*\n * Statement and hook support\n */\nextern Rope *hook_rope(Rope *rope);\n\n/* old name for haul_all, as it was in the days of hemp: */\n#define haul_each(boat) haul_all(boat)\n\n#endif\n |
      | reef.py  | class Sail:\n    def reef(self, turns, wind=7):\n        """Make the sail smaller.\n\n        Parameters\n        ----------\n        turns : int\n            How often it is rolled.\n        wind : int, optional\n            From which force on.\n\n        Returns\n        -------\n        bool\n            Whether it holds.\n\n        Raises\n        ------\n        Torn\n            If there is none left.\n\n        Examples\n        --------\n        >>> sail.reef(2, wind=8)\n        True\n        """\n        return True\n\n    def furl(self, turns):\n        """Roll it up, for which no parameter is told."""\n |
      | Boat.py  | class Boat:\n    def reef(self):\n        """Set all sails.\n\n        Returns:\n            The boat itself.\n        """\n |
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
      | What does drain do?              | Empties the dock through the old culvert, as long as it is true that the sluice holds. |
      | What does Gate.OPEN mean?        | Lets the flood in, never the ebb. |
      | What does Refuel do?             | Fills the Tank<T> of lamp, or gives null. |
      | What does Horn::last_tone do?    | return the tone that was blown last |
      | What does knots.bend do?         | tie two ropes together. |
      | What does knots.hitch do?        | make a rope fast to a ring. |
      | What does Buoy.toll do?          | Rings for as long as the swell lasts. |
      | What does tide::await_flood do?  | Waits for the flood without holding the rope. |

  Scenario Outline: A docstring tells of one parameter, of what comes back and of what is raised
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                                      | answer |
      | What does the wind parameter of Sail.reef do? | wind : int, optional\nFrom which force on. |
      | What is the argument turns of reef for?       | turns : int\nHow often it is rolled. |
      | What does Sail.reef return?                   | bool\nWhether it holds. |
      | What does Boat.reef return?                   | The boat itself. |
      | What does boat.reef return?                   | The boat itself. |
      | Which exceptions does Sail.reef raise?        | Torn\nIf there is none left. |
      | What does Sail.reef return if it holds?       | bool\nWhether it holds. |
      | What is the default of the wind parameter of Sail.reef? | def reef(self, turns, wind=7): |
      | What is the default of wind?                  | def reef(self, turns, wind=7): |
      | Where is Sail.reef defined?                   | def reef(self, turns, wind=7): |
      | What is the difference between furl and reef? | Roll it up, for which no parameter is told. Make the sail smaller. |
      | What parameters does Sail.reef take?          | turns : int\nHow often it is rolled.\nwind : int, optional\nFrom which force on. |

  Scenario: Of several functions that are called so none is what is meant
    When the answerer "quote" is asked "What does reef return?"
    Then the answer is not "bool\nWhether it holds."
    And the answer is not "The boat itself."

  Scenario: What a docstring does not say is not made up
    When the answerer "quote" is asked "What does the turns parameter of Sail.furl do?"
    Then the answer is not "turns : int\nHow often it is rolled."

  Scenario Outline: A comment that says nothing of the name below it is not told
    When the answerer "quote" is asked "<question>"
    Then the answer is ""

    Examples:
      | question                  |
      | What does hook_rope do?   |
      | What does haul_each do?   |

  Scenario: Where links lead, and what parts a file, say nothing
    When the answerer "quote" is asked "which mooring rope is tied to a bollard"
    Then the answer is "Ties the mooring rope to a bollard, see [Bollard]."
    And every citation verifies

  Scenario: Code is quoted as code where that is asked for
    When the answerer "quote" is asked "show the code that pulls the rope of a boat"
    Then the answer begins with "if tide"
    And every citation verifies
