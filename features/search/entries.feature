Feature: An entry of a manual is a place of its own
  Lists of terms, options and functions are cut by entry: each is found by its name, and its first sentence tells what
  it is, in whatever words it is asked.

  Background:
    Given a corpus with the items
      | path                | text |
      | ref/tools.html      | <h1>tools</h1><p>Tools of a harbour, for pulling and lifting.</p><dl><dt><code>tools.winch(rope, *, speed=1)</code></dt><dd><p>Pull a rope until it is tight, and hold it.</p><pre class="code">winch(rope)\nwinch(rope, speed=2)</pre></dd><dt>tools.crane(load)</dt><dd><p>Lift a load, unlike winch, which only pulls; a winch cannot lift.</p></dd></dl> |
      | ref/glossary.html   | <h1>Glossary</h1><dl><dt>Ebb</dt><dd><p>The tide as it goes out, which leaves boats on the sand.</p></dd><dt>Ebb current</dt><dd><p>Water on its way out of a harbour, and ebb again.</p></dd></dl> |
      | ref/ebb.html        | <h1>Commands of the tide table</h1><p>EBB lists when boats lie on the sand; so does ebb, and ebb -v.</p> |
      | ref/options.rst     | Options\n=======\n\n.. option:: --anchor DEPTH\n\n   How deep the anchor is let down, in metres of chain.\n\n.. option:: --buoy\n\n   Mark the place of the anchor by a buoy, if there is an anchor.\n\n.. class:: Davit\n\n   A crane of the quay, for boats of any size. Its methods:\n\n   .. method:: haul_in(rope)\n\n      Wind a rope until it is short enough.\n\n   .. attribute:: rope_count\n\n      How many ropes are on it. |
      | ref/news.md         | # What is new\n\nDavit.haul_in is turned on by default, and used as --anchor is used. The default of --anchor works: turn it on when you need it. |
      | ref/contents.html   | <h1>Pages</h1><p>All of the pages of this manual.</p><dl><dt>caulk(1)</dt><dd><p>Close the seams of a leaking hull, and keep them closed.</p></dd><dt>adze(1)</dt><dd><p>Smooth a plank of a hull until it fits the others.</p></dd></dl> |
      | ref/caulk.md        | # Caulk(1)\n\nOakum is driven into the seams with an iron and a mallet, plank after plank, and is payed with hot pitch until nothing of it shows. |
      | ref/searchindex.js  | Search.setIndex({"winch": 1, "tools.winch": 2, "winch rope": 3, "tools winch": [4, "tools.winch"], "crane": 5}) |
      | ref/codes.html  | <title>Codes</title><h1>Codes of the harbour</h1><h2>Berth codes</h2><dl><dt>full</dt><dd><p>Every place at the quay is taken until the next tide.</p></dd><dt>shut</dt><dd><p>Nobody may moor for as long as the lamp is red.</p></dd></dl><h2>5.1. Lock codes (all of them)</h2><dl><dt>full</dt><dd><p>The water stands as high as the basin behind the gate.</p></dd><dt>shut</dt><dd><p>The gate is closed, and its valves are open below the sill.</p></dd></dl> |
      | ref/manual.html | <h1>Manual pages</h1><h2>hoist - lift what is heavy</h2><h3>Options</h3><dl><dt><span class="sig-name descname">-slow</span><span class="sig-prename descclassname"> <span>N</span></span>, <span class="sig-name descname">-s</span></dt><dd><p>Turns the drum as slowly as its brake allows.</p></dd></dl><h2>lower - let down what is heavy</h2><h3>Options</h3><dl><dt><span class="sig-name descname">-slow</span></dt><dd><p>Lets the chain out link by link, with the pawl on.</p></dd></dl> |
      | ref/slipway.rst     | Slipway\n=======\n\nThe slipway hauls a boat out of a harbour at high tide.\n\n.. option:: -a\n\n   Haul whatever the tide is, as long as there is a crew.\n\n.. option:: --bow\n\n   Haul by the bow, as a slipway does with a boat that has a keel. |
    And a sealed run "first"

  Scenario Outline: An entry is found by its name
    When "<question>" is asked
    Then the evidence starts with | path: <path> | heading: <heading> |

    Examples: one after the other
      | question               | path              | heading                       |
      | tools.winch            | ref/tools.html    | tools.winch(rope, *, speed=1) |
      | what does winch do     | ref/tools.html    | tools.winch(rope, *, speed=1) |
      | what does --anchor do  | ref/options.rst   | --anchor DEPTH                |

  Scenario Outline: Its first sentence is quoted
    When the answerer "quote" is asked "<question>"
    Then the answer holds "<sentence>"
    And every citation verifies

    Examples: one after the other
      | question              | sentence                                                     |
      | what does winch do    | Pull a rope until it is tight, and hold it.                  |
      | what does --anchor do | How deep the anchor is let down, in metres of chain.         |
      | --anchor              | How deep the anchor is let down, in metres of chain.         |
      | rope_count            | How many ropes are on it.                                    |

  Scenario Outline: An entry is found, and quoted, by its name and what it stands in
    When the answerer "quote" is asked "<question>"
    Then the answer holds "<sentence>"
    And every citation verifies

    Examples: one after the other
      | question                             | sentence |
      | What does full mean in lock codes?   | The water stands as high as the basin behind the gate. |
      | What does the berth code full mean?  | Every place at the quay is taken until the next tide. |
      | What does the shut lock code mean?   | The gate is closed, and its valves are open below the sill. |
      | What does hoist -slow do?            | Turns the drum as slowly as its brake allows. |
      | What does hoist -s do?               | Turns the drum as slowly as its brake allows. |
      | What does lower -slow do?            | Lets the chain out link by link, with the pawl on. |
