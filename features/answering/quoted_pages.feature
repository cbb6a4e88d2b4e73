Feature: Answers out of pages whose titles stand in front matter
  Generators of sites (MDX, MyST, Docusaurus) take a page's title out of the text. Such a page begins with what its title
  names, as any other does; what only its renderer reads is no answer.

  Background:
    Given a corpus with the items
      | path                | text |
      | docs/jetski.mdx     | ---\ntitle: Jet boats\n---\n\nA jet boat is driven by water.\n\n## When to use it\n\nWhere rivers are shallow.\n\n## How it works\n\nA pump throws water out behind it.\n\n## Known limitations\n\n- It is loud.\n- Weeds stop it.\n\n## Prerequisites\n\nA licence of the second kind.\n\n## Safety\n\nKeep your hair away from the pump.\n\n## Troubleshooting\n\nClear the grate first. |
      | docs/gauge-panel.mdx | ---\ntitle: Gauge Panel\n---\n\nShows the depth of the basin.\n\n## Reference\n\n\| Prop \| Default \| Description \|\n\| --- \| --- \| --- \|\n\| `side` \| `"left"` \| Where it is put. \|\n\| `tick` \| — \| How often it is read. \|\n\n<PropsTable\n  rows={[\n    { name: "needle", type: "string", default: "red", description: "What colour it has." },\n  ]}\n/> |
      | docs/tide-panel.mdx | ---\ntitle: TidePanel\n---\n\nShows the tide.\n\n\| Prop \| Default \| Description \|\n\| --- \| --- \| --- \|\n\| `side` \| `"right"` \| Where the tide is put. \| |
      | docs/windlass.mdx   | ---\ntitle: Windlasses\ndescription: Haul it\n---\n\nimport Haul from "./haul";\n\nWindlasses are drums that haul the anchor up. It is made of oak and iron by the smith of the quay, and it is tarred every spring before the ice has gone. Whoever comes by in winter finds it under its cover, which the keeper ties with two ropes so that no storm may take it. Nobody has seen it break, though many a crew leaned on its bars through long nights at sea, and sang.\n\n## A windlass and a chain\n\nA windlass takes its chain. The windlass of a harbour is small; a windlass for chain and a windlass for rope differ in the wheel of the windlass. It is made of oak and iron by the smith of the quay, and it is tarred every spring before the ice has gone. Whoever comes by in winter finds it under its cover, which the keeper ties with two ropes so that no storm may take it. Nobody has seen it break, though many a crew leaned on its bars through long nights at sea, and sang.\n\n## A windlass of oak\n\nThe oak windlass creaks in the harbour. A windlass of oak wears as the windlass turns, so oil the windlass. It is made of oak and iron by the smith of the quay, and it is tarred every spring before the ice has gone. Whoever comes by in winter finds it under its cover, which the keeper ties with two ropes so that no storm may take it. Nobody has seen it break, though many a crew leaned on its bars through long nights at sea, and sang. |
      | docs/drum.toml.mdx  | ---\ntitle: "drum.toml"\n---\n\n`drum.toml` is the winch's configuration file.\n\n### drum.size\n\nHow large the drum of `drum.toml` is. |
      | docs/berths.mdx     | ---\ntitle: Setting up berths\n---\n\nA berth is rented by the month.\n\n### Configure with drum.toml\n\nReplace MY_BERTH by the number of the berth. Say it in `drum.toml` as the clerk does. |
      | docs/logbook.mdx    | ---\ntitle: Logbook\n---\n\nThe mate writes it each day.\n\n#### Who may read it?\n\nAll may. |
      | docs/quiet.mdx      | ---\ntitle: Engines\n---\n\nAn engine hums.\n\n### quiet\n\nEnable quiet mode. This halves the noise at the cost of speed.\n\n### loud\n\nMore noise. |
      | docs/bell.mdx       | ---\ntitle: Bells\n---\n\n<Note>\n  Bells rust.\n</Note>\n\nThe default pause of a bell is 40 seconds unless the keeper says another.\n\n## Rules of pauses\n\nWhoever rings a bell waits for the default pause, which the keeper says. |
      | docs/sloops.md      | # Rigs\n\nIf you buy a sloop, sail it with the same crew that you sail a cutter with, but not in a gale.\n\nThe main differences between a sloop and a cutter are:\n\n* The mast stands further ahead.\n* It carries one sail before that, and not two. |
      | docs/ketch.md       | # Ketches\n\nWhile a ketch may lie at many piers, a yawl may lie at one. Ketches are different from yawls in that their mizzen stands before the rudder. |
      | docs/galley.md      | (galley)=\n\n# Galleys\n\n```{note}\nMind your head.\n```\n\nThe {class}`.Galley` is the kitchen of a boat.\n\n(galley-two)=\n\n## The second galley\n\nIt is cold. |
      | docs/harbour-tow.md | ---\ntitle: harbour-tow\n---\n\n### Synopsis\n\n```sh\nharbour tow <hull>\n```\n\n### Description\n\nA tug pulls the hull to its pier.\n\n### Fees\n\nTowing a hull without a master costs twice as much as a hull with one; who tows a hull at night asks first. |
      | docs/bread.md       | # Harbour bread\n\n## Method\n\nMake the dough of rye. Bake the bread for an hour.\n\n## History\n\nIt was first baked by the widow of a pilot. |
      | docs/harbour-mop.md | ---\ntitle: harbour-mop\n---\n\n## Usage\n\n```sh\nharbour mop <deck>\n```\n\n## License\n\nIt is free for whoever mops a deck, as it stands. |
      | docs/sluice.md      | # Closing the sluice\n\nThe sluice is often left open.\n\n## By hand\n\nTurn the wheel until it stops.\n\n# Rust\n\nOil the sluice. |
      | docs/capstan.md     | # AutoCapstan extension\n\nThis is an extension that lets a capstan turn by itself.\n\n## Debug mode\n\nSet it. |
      | docs/pawl.md        | # Pawl module\n\nThis module stops a drum.\n\n## Price\n\nTen crowns. |
      | docs/turns.md       | # Turns\n\nEnable the debug mode of AutoCapstan to see its turns. The pawl is on the deck, and a pawl was heard by all. |
      | docs/splices.md     | # Splices\n\nRopes that slip should mostly be joined by hand before noon.\n\nA splice of a rope is the place where its strands are laid into each other. |
      | docs/signatures.rst | Signatures\n==========\n\n>>> signature('keel')\nkeel\n\nA ``signature()`` wraps the name of a boat in wax. |
      | docs/thimbles.md    | # Eyes\n\nThe THIMBLE ring is sensitive to salt by default. The THIMBLE ring may be made of tin. The THIMBLE ring does a turn of the rope around its eye. |
      | docs/quietness.md   | # Doldrums\n\n## What dusk mode does\n\n- bells skip the night and ring at dawn.\n- gulls sleep.\n |
      | docs/dusk-mode.md   | # The engine by night\n\nA dusk mode is a way to sail without lamps. |
      | docs/gauges.md      | # Gauges\n\n\| Gauge \| Size \|\n\|---\|---\|\n\| Rain \| 20 \|\n\| Wind \| 4 \|\n\nThe maximum size of any gauge is 60 ells. |
      | docs/kilns.md       | # Ovens\n\nFuture releases may have kilns enabled by default. Nobody knows. Kilns are disabled by default. |
      | docs/crews.md       | # Crews\n\n## Oars\n\n### oar_length\n\nHow long.\n\n### oar_colour\n\nWhich paint.\n\n### oar_wood\n\nWhich tree.\n\nOnly ash and pine are supported for oars of the north. |
      | docs/states.rst     | States\n======\n\nStates of lamps\n---------------\n\n======  ==========\nState   Seen from\n======  ==========\nlit     the sea\ndark    nowhere at\n======  ==========\n |
      | docs/rigging.md     | # Rigging\n\n```mermaid\nflowchart TD\n    A[Example of rigging] --> B{Is the rigging of wire?}\n```\n\nAn example of wire rigging:\n\n```yaml\nrigging: wire\n``` |
      | docs/derricks.md    | # Cargo\n\nIt is hoisted.\n\n## 3.2. Limitations of steam derricks\n\nCoal runs out.\n |
      | docs/quayctl.md     | # quayctl\n\nIt has commands.\n\n## drain\n\nThis command empties the basin of the quay before noon.\n\n## fill\n\nThis command lets water into it.\n\n## --wet\n\nList the ropes of the loft that are not dry.\n\n## Ends\n\nwhip <rope> [<twine>]\n\nBinds the end of a rope that frays. |
      | docs/hulls.md       | # Moving hulls\n\n## Migrating from wooden hulls to iron hulls\n\n1. Take the planks off.\n2. Rivet the plates. |
      | docs/pilotage.mdx   | ---\ntitle: Pilot Cloud\n---\n\nPilot Cloud is a place for pilots, built by the harbour. It is young, and its makers are glad of each boat.\n\n### Step 2: Book a pilot\n\nRing the bell of the hut twice. |
      | pages/rope.html     | <html><head><title>Rope</title></head><body><h1>Rope</h1><h2>What you need</h2><ol><li>Hemp from the loft</li><li>Tar</li></ol><h2>How to lay a rope</h2><p>Wet it first.</p><ol><li>Twist the yarns.</li><li>Lay the strands.</li></ol><h2>How to store a rope</h2><ol><li>Coil the rope with the sun.</li><li>Hang it up.</li></ol><h2>References</h2><ol><li>Stone, A. Rope. 1902.</li></ol></body></html> |
    And a sealed run "manual"

  Scenario Outline: A page begins with what its title names
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                                       | answer |
      | What is a windlass?                            | Windlasses are drums that haul the anchor up. |
      | What is drum.toml?                             | drum.toml is the winch's configuration file. |
      | What is a signature?                           | A signature() wraps the name of a boat in wax. |
      | What is a splice?                              | A splice of a rope is the place where its strands are laid into each other. |
      | What does the THIMBLE ring do?                 | The THIMBLE ring does a turn of the rope around its eye. |
      | What is dusk mode?                             | A dusk mode is a way to sail without lamps. |
      | What is the maximum size of a gauge?           | The maximum size of any gauge is 60 ells. |
      | Are kilns enabled by default?                  | Kilns are disabled by default. Future releases may have kilns enabled by default. |
      | Which oars are supported?                      | Only ash and pine are supported for oars of the north. |
      | What does quiet mode do?                       | Enable quiet mode. This halves the noise at the cost of speed. |
      | What is the default pause of a bell?           | The default pause of a bell is 40 seconds unless the keeper says another. |
      | What is the difference between a sloop and a cutter? | The main differences between a sloop and a cutter are:\n- The mast stands further ahead.\n- It carries one sail before that, and not two. |
      | What is the difference between a ketch and a yawl? | Ketches are different from yawls in that their mizzen stands before the rudder. While a ketch may lie at many piers, a yawl may lie at one. |
      | What is a tide panel?                          | Shows the tide. |
      | What is the default of the side prop of GaugePanel? | Prop: side; Default: "left"; Description: Where it is put. |
      | What does the side prop of the tide panel do?  | Prop: side; Default: "right"; Description: Where the tide is put. |
      | What does the needle prop of GaugePanel do?    | needle: string; default: red. What colour it has. |
      | When should I use jet boats?                   | Where rivers are shallow. |
      | How does a jet boat work?                      | A pump throws water out behind it. |
      | What are the limitations of jet boats?         | - It is loud.\n- Weeds stop it. |
      | What are the limitations of steam derricks?    | Coal runs out. |
      | an example of wire rigging                     | rigging: wire |
      | How do I empty the basin of the quay?          | drain: This command empties the basin of the quay before noon. |
      | How do I list ropes of the loft that are not dry? | --wet: List the ropes of the loft that are not dry. |
      | How do I bind the end of a rope that frays?    | whip <rope> [<twine>]: Binds the end of a rope that frays. |
      | How do I upgrade from wooden to iron hulls?    | 1. Take the planks off. 2. Rivet the plates. |
      | How do I book a pilot in Pilot Cloud?          | Ring the bell of the hut twice. |
      | Which restrictions does a jet boat have?       | - It is loud.\n- Weeds stop it. |
      | What does a jet boat require?                  | A licence of the second kind. |
      | Are jet boats safe?                            | Keep your hair away from the pump. |
      | What do I do if the jet boat doesn't work?     | Clear the grate first. |
      | What is AutoCapstan?                           | This is an extension that lets a capstan turn by itself. |
      | What is Pawl?                                  | This module stops a drum. |
      | What is a galley?                              | The Galley is the kitchen of a boat. |
      | How do I tow a hull?                           | harbour tow <hull> A tug pulls the hull to its pier. |
      | How do I make harbour bread?                   | Make the dough of rye. Bake the bread for an hour. |
      | How do I store a rope?                         | 1. Coil the rope with the sun. 2. Hang it up. |
      | How do I lay a rope?                           | 1. Twist the yarns. 2. Lay the strands. |
      | How do I mop the deck?                         | harbour mop <deck> |
      | How do I close the sluice?                     | The sluice is often left open. Turn the wheel until it stops. |
