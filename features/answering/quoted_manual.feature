Feature: Answers out of manuals
  Documentation has markup, lists of links, code and tables around what it says. Only what says something is quoted, as
  people read it; the citation keeps the exact words. What a question asks for decides which sentence that is: one that
  defines, sets apart, the steps in their order, a row of a table with its columns' names, code.

  Background:
    Given a corpus with the items
      | path               | text |
      | manual/mooring.md  | # Mooring\n\nFor more information about a mooring, see [Buoys](buoys.md).\n\nA *mooring* is a [permanent structure](glossary.md#structure) to which a **vessel** is\nsecured\\.\n\n## In this section\n\n- [Mooring a boat](boat.md)\n- [What is a mooring for](why.md)\n\n```sh\nmooring --is a mooring\n```\n |
      | manual/boat.md     | # Mooring a boat\n\nThis section describes how to moor a boat.\n\nTo moor a boat:\n\n1. Bring the boat up against the wind.\n2. Take the `buoy` with the hook.\n3. Make the chain fast.\n\nNever swim to the buoy.\n |
      | manual/options.md  | # Options of the winch\n\n\| Option \| Effect \|\n\|---\|---\|\n\| [`/MD`](md.md) \| Lets the winch run **down**. \|\n\| [`/MU`](mu.md) \| Hauls the chain up. \|\n |
      | manual/lines.md    | # Lines\n\nA warp is thick, whereas a heaving line is thin and is thrown first.\n\nA heaving line is thrown. A warp is hauled.\n\nRead about the difference between a warp and a heaving line in [Lines](lines.md).\n |
      | manual/terms.html  | <h1>Terms</h1><dl><dt>fairlead</dt><dd>A ring that guides a rope around an object.</dd><dt>cleat</dt><dd>A fitting to make a rope fast.</dd></dl> |
      | manual/names.md    | ---\ntitle: Names of things\n---\n\ndavit\n: A crane that lowers a boat.\n\nthwart\n: A seat across a boat.\n |
      | manual/contents.html | <h1>Contents of the handbook</h1><p>All about the harbour.</p><ul><li>The harbour bell</li><li>The harbour lamp</li><li>The harbour chain</li><li>The harbour boats</li><li>The harbour crew</li><li>The harbour dues</li></ul> |
      | manual/bell.rst    | :Title: The harbour bell\n:Author: Ada\n\nThe harbour bell\n================\n\nIt is rung by the keeper when fog comes.\n |
      | manual/horn.md     | # Horn\n\nThe horn is sounded with this command.\n\n```sh\nhorn sound --twice\n```\n |
      | manual/seine.md    | # Seine\n\nA seine hangs upright.\n\n## Installation\n\nInstall it with the winch:\n\n```sh\nseine install --deep\n```\n |
      | manual/watch.md    | # Orders\n\nNobody asked about the chain of command. A chain of command is a line of orders.\n\n## STRENGTH\n\nNine hands. See [the list](list.md) of strength.\n |
      | pintle-3.0/README.md | ## Fitting\n\nDrop the rudder onto it, and lock it with a pin.\n\n## Letting go\n\nLift the rudder off the pintle, which is heavy.\n |
      | gypsy-2.1/README.md | # Wind in chain on deck\n\nThe gypsy stands before the mast. Please oil the gypsy well.\n\n## Weight\n\nTwelve tons.\n |
      | manual/bosun.md    | # The bosun\n\nName: Mads Holm\nBorn: 1842, in a lighthouse\nWhistle:: silver, with a chain\n |
      | mail/oakum.eml     | From: Oakum Works <oakum@example.org>\nTo: quay@example.org\nSubject: Order 12\nDate: Mon, 02 Mar 2026 09:12:00 +0100\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\nDear all,\n\nwe deliver the oakum on Friday at noon, at the east gate.\n |
      | manual/dues.csv    | hull,fee,settled\nSloop,12.50,yes\nKetch,14.00,no\n |
      | manual/asked.md    | # Asked at the quay\n\nQ: How do I light a brazier?\nA: With dry kelp.\n\nQ: Is there a ferry?\nA: Not yet.\n\n**Q: Who mends my lantern?**\nA: The smith, on Mondays.\n\n`LOA`: length over all\n\nThe rest is told at the gate, every day but on Sundays.\n |
      | manual/rig.html    | <h1>rig(1)</h1><dl><dt>--splice=&lt;kind&gt;</dt><dd>Print which splice a splice of this kind makes, and for which ropes it is any good.</dd><dt>splice.guess</dt><dd>The default splice where no splice is given, for ropes of whatever size there may be.</dd><dt>pop [--slow] [&lt;rope&gt;]</dt><dd>Take the last rope off the stack, and give its place to the one that lies below it.</dd><dt>push [--slow]</dt><dd>Unlike pop, rig push keeps what rig pop does not, whatever lies on the stack already.</dd></dl> |
      | manual/words.html  | <h1>Words</h1><dl><dt>bight</dt><dd>The slack part of a rope between its ends, or a loop that is made with it.</dd><dt>splice</dt><dd>A join of two ropes without a knot, for which their strands are woven together.</dd><dt>reef</dt><dd>A reef is a special kind of knot that is quickly undone.</dd><dt>bend</dt><dd>A knot that joins two ropes of about the same size for as long as it is under load.</dd></dl> |
      | manual/knots.md    | # Reef knots\n\nThere is one special case not mentioned above, which is treated differently.\n |
      | manual/net.md      | # Mending a net\n\nSpread it on the quay, and tie a new mesh in wherever the net has a hole.\n |
      | acts/act-0021-ebb-and-flood.rst | .. _ACT21:\n\n==========================\nACT 21 — Counting the ebb\n==========================\n\n:Author: Nan Moor\n:Author: Ike Lee\n:Status: Deferred\n\n.. contents::\n\nAbstract\n--------\n\nEvery ebb is to be counted twice, by night as by day.\n\nReason\n------\n\nPeople drown at the ebb.\n |
      | acts/3/README.md   | # HEP-3: Lights on all buoys\n\n- Status: Accepted\n- Start Date: 1999-03-02\n\n## Summary\n\nOil burns on each of them from dusk.\n |
      | manual/tide.rst    | The tide\n########\n\nIt comes twice a day.\n\nReading the tide gauge\n~~~~~~~~~~~~~~~~~~~~~~\n\nIt hangs below the lamp. To see it by night, light that::\n\n    lamp turn --down\n\nSee :ref:`lamps`. The lower mark counts.\n\nPainting the gauge\n~~~~~~~~~~~~~~~~~~\n\nReading the tide gauge is hard when its paint is old.\n |
      | manual/lash.rst    | Options of the lashing\n======================\n\n.. option:: --lash ROPE\n\n   Holds a load on deck against the sea, whatever the weather.\n\n.. option:: --belay\n\n   Ends what a rope began. Nothing is held where --no-lash is said.\n |
      | manual/week.md     | # A week in May\n\nNobody could mend a net in that rain, so all did what they liked best: they slept.\n |
      | manual/chandler.rst | The chandler\n############\n\nTo sell a rope, weigh it:\n\n* take the scales\n* write the weight down\n\nThe chandler sells these kinds of rope:\n\n* hemp, which floats\n* .. option:: manila\n* **nylon**\n\nAll of that is sold by weight. |
      | manual/flags.rst   | Flags\n=====\n\n:Author: Ada of the harbour office\n:Version: one of many more\n\nThe mast shows these flags:\n\n:Red flag: Nobody may leave\n:White flag [wet]: All may leave if they\n  can swim\n |
      | manual/locks.md    | # Locks\n\nThe keeper opens these locks:\n\n\| lock \| from \|\n\|---\|---\|\n\| old \| six \|\n\| new \| nine \|\n |
      | manual/berths.md   | # Berths\n\nYachts may berth at five piers:\n\n- [North pier](n.md)\n- [East pier](e.md)\n- [South pier](s.md)\n- [West pier](w.md)\n- [Old pier](o.md)\n |
      | manual/strakes.md  | # Garboard\n\n> [!NOTE]\n> The old handbook is still on its shelf.\n\nThe first plank beside the keel. |
      | manual/oakum.md    | # Picking oakum\n\n> [!NOTE]\n> The old handbook is still on its shelf.\n\nTopics include:\n\n- [Rope](r.md)\n- [Tar](t.md)\n\nUntwist old rope.\n\n> [!WARNING]\n> Mind your nails. |
      | manual/skeg.md     | # Skeg\n\n::: moniker range="<=boat-2019"\n\nOlder boats have none of these.\n\n::: moniker-end\n\nA fin below the stern. |
      | manual/thole.rst   | Thole\n=====\n\n.. note::\n\n   The old handbook is still on its shelf.\n\nA pin that holds an oar. |
      | manual/buoyage.md  | # Buoyage\n\nThe articles are grouped by colour. Seen from the sea, buoyage is a set of marks that tell where it is deep. |
      | manual/brakes.html | <h1>Brakes</h1><h2>DrumBrake Directive</h2><table><tr><th>Description:</th><td>Slows the drum</td></tr></table><h2><span>ChainBrake</span> Directive</h2><table><tr><th>Description:</th><td>Holds the chain fast</td></tr><tr><th>Syntax:</th><td>ChainBrake On</td></tr><tr><th>Default:</th><td>ChainBrake Off</td></tr></table><p>The band around the drum is let go by hand.</p><dl><dt>drum_size (default: 40)</dt><dd>How many turns of chain lie on the drum of the winch.</dd></dl> |
      | chats/pier.txt     | 12/03/2025, 18:05 - Anna: Who has the key of the pilot house?\n12/03/2025, 18:06 - Tom: Ida keeps it\n12/03/2025, 18:09 - Anna: The pilgrim boat leaves at 9:42 from pier 7\n |
      | chats/crew.json    | [{"ts": "1738574460.000300", "of": {"name": "Maria Lopez", "rank": "steward"}, "text": "The purser pays on Friday,\\nat the capstan."}] |
      | setup/pumps.toml   | [bilge]\n# How many hours the bilge pump rests.\nrest_hours = 6\n |
      | setup/lamps.yml    | gimbal:\n  housing: brass\n  rings: two\n |
      | vault/careen.md    | # Careening\n\n- [ ] Who scrapes the barnacles?\n- [x] Ask [[Ada Stone\|Ada]] for a careening permit ^permit\n\n\| who \| what \| bell \|\n\|---\|---\|---\|\n\| Petra Lang \| scraper of the fore hull \| 0431 77 12 \|\n\| Jo Meyer \| caulker \| 0431 99 \|\n |
      | manual/capstan.html | <title>Capstan</title><h1>Capstan</h1><p>New in version 3.1.</p><h2>Overview</h2><p>It hauls heavy chains by means of bars that the crew walks around with.</p> |
      | bylaws/bylaw-0007.rst | Bylaw: 7\nTitle: Harbour fees\nAuthor: Ada Stone,\n        Bob Reed\nApproved-By:\nStatus: Final\nCreated: 02-Mar-1999\n\nAbstract\n========\n\nThis bylaw says who pays for a berth. |
      | bylaws/storm.eml   | From: Carol <carol@example.org>\nSubject: Storm tonight\nDate: Mon, 01 Feb 2021 10:00:00 +0000\n\nBylaw 7 is not Final in a storm, wrote Ada. |
      | setup/paths.md     | # Where it lies\n\n## /stow/wharftab\n\nLists the moorings that are taken at dawn.\n\n## Remarks\n\nThe file /stow/wharftab is read by the night watch. |
      | acts/bill3.txt     | Bill: 3                                                        Roe & Sons Ltd\nDue: 12 May 1999                                               A. Vik\n\n    Rope, 200 m. |
      | acts/act94.txt     | Harbour Working Group                                          A. Vik, Ed.\nAct: 94                                                          Quay Inc.\nCategory: Best Practice                                             B. Roe\n                                                                  June 1991\n\n                         Nets on a Pier\n\n1. Purpose\n\nNobody dries a net there. |
      | acts/act95.txt     | From:    A. Vik\nTo:      B. Roe\nCategory: Ropes\n\nAct 95 is about ropes on a pier. |
      | bylaws/lamp.md     | # Burn gas\n\n* Status: rejected\n* **Date:** 2023-05-06\n\nOil is dear. |
      | acts/flare.md      | # Flares\n\nA flare is kept dry. The crew looks at each flare in spring. If a flare gets wet, it is thrown away and the purser is told. If a flare does not get wet, it stays. |
      | acts/shoal.md      | # Shoals\n\n## touchdown(boat)\n\nLays a boat on a shoal. Raises Stranded when the shoal has no buoy. Shoals with a buoy are marked on the chart.\n\nThe keeper laughs. |
      | acts/marlinspike.md | # Marlinspike\n\nA marlinspike is a steel cone. Rust is brushed off each month.\n\nUse a marlinspike when a knot is too tight for fingers. Its tip is blunt. |
    And a sealed run "manual"

  Scenario Outline: The form of the answer is that of the question
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                                                 | answer |
      | What happens if a flare gets wet?                        | If a flare gets wet, it is thrown away and the purser is told. |
      | what happens when a shoal has no buoy?                   | Raises Stranded when the shoal has no buoy. |
      | What should I do if a flare gets wet?                    | If a flare gets wet, it is thrown away and the purser is told. |
      | When should I use a marlinspike?                         | Use a marlinspike when a knot is too tight for fingers. |
      | What is a marlinspike?                                   | A marlinspike is a steel cone. |
      | What is a mooring?                                       | A mooring is a permanent structure to which a vessel is secured. |
      | How do I moor a boat?                                    | 1. Bring the boat up against the wind. 2. Take the buoy with the hook. 3. Make the chain fast. |
      | What does the /MD option of the winch do?                | Option: /MD; Effect: Lets the winch run down. |
      | What does /stow/wharftab do?                              | Lists the moorings that are taken at dawn. |
      | What is the difference between a warp and a heaving line? | A warp is thick, whereas a heaving line is thin and is thrown first. |
      | What does the ChainBrake directive do?                   | Description: Holds the chain fast The band around the drum is let go by hand. |
      | What is the default of ChainBrake?                       | Default: ChainBrake Off The band around the drum is let go by hand. |
      | What is the default of drum_size?                        | drum_size (default: 40) How many turns of chain lie on the drum of the winch. |
      | Who has the key of the pilot house?                      | 12/03/2025, 18:06 - Tom: Ida keeps it |
      | When does the pilgrim boat leave?                        | 12/03/2025, 18:09 - Anna: The pilgrim boat leaves at 9:42 from pier 7 |
      | When does the purser pay?                                | The purser pays on Friday, at the capstan. |
      | What is the rank of Maria Lopez?                         | name: Maria Lopez; rank: steward |
      | How many hours does the bilge pump rest?                 | How many hours the bilge pump rests. rest_hours = 6 |
      | Which housing does the gimbal have?                      | housing: brass |
      | Who asks for a careening permit?                         | Ask Ada for a careening permit |
      | Who is the caulker?                                      | who: Jo Meyer; what: caulker; bell: 0431 99 |
      | What does the capstan do?                                | It hauls heavy chains by means of bars that the crew walks around with. |
      | What is a fairlead?                                      | A ring that guides a rope around an object. |
      | What is a davit?                                         | A crane that lowers a boat. |
      | What is a splice?                                        | A join of two ropes without a knot, for which their strands are woven together. |
      | What is a reef knot?                                     | A reef is a special kind of knot that is quickly undone. |
      | What does rig pop do?                                    | Take the last rope off the stack, and give its place to the one that lies below it. |
      | When is the harbour bell rung?                           | It is rung by the keeper when fog comes. |
      | What does thwart mean?                                   | A seat across a boat. |
      | What is the --lash option for?                           | Holds a load on deck against the sea, whatever the weather. |
      | What does the --no-lash flag do?                         | Nothing is held where --no-lash is said. |
      | What is the command to sound the horn?                   | horn sound --twice |
      | davit                                                    | A crane that lowers a boat. |
      | What is a garboard?                                      | The first plank beside the keel. |
      | What is a thole?                                         | A pin that holds an oar. |
      | What is a skeg?                                          | A fin below the stern. |
      | How do I pick oakum?                                     | Untwist old rope. Mind your nails. |
      | What is buoyage?                                         | Seen from the sea, buoyage is a set of marks that tell where it is deep. |
      | Which kinds of rope does the chandler sell?              | The chandler sells these kinds of rope:\n- hemp, which floats\n- manila\n- nylon |
      | Which flags does the mast show?                          | The mast shows these flags:\n- Red flag: Nobody may leave\n- White flag [wet]: All may leave if they can swim |
      | Which locks does the keeper open?                        | The keeper opens these locks: lock: old; from: six\nlock: new; from: nine |
      | At which piers may yachts berth?                         | Yachts may berth at five piers:\n- North pier\n- East pier\n- South pier\n- West pier\n- Old pier |
      | How does the --lash option work?                         | Holds a load on deck against the sea, whatever the weather. |
      | read the tide gauge by night                             | It hangs below the lamp. To see it by night, light that: lamp turn --down The lower mark counts. |

  Scenario Outline: What a document says of itself is told where it is asked for
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                            | answer |
      | Who wrote bylaw 7?                  | Author: Ada Stone, Bob Reed |
      | who is the author of Harbour fees   | Author: Ada Stone, Bob Reed |
      | When was Bylaw 7 made?              | Created: 02-Mar-1999 |
      | Is bylaw 7 final?                   | Status: Final |
      | What does bylaw-0007 say?           | This bylaw says who pays for a berth. |
      | Who wrote act 94?                   | A. Vik, Ed.\nB. Roe |
      | When was act 94 published?          | June 1991 |
      | What is the status of act 94?       | Category: Best Practice |
      | Who wrote ACT 21?                   | Author: Nan Moor\nAuthor: Ike Lee |
      | Is act-21 accepted?                 | Status: Deferred |
      | What does ACT 21 propose?           | Every ebb is to be counted twice, by night as by day. |
      | What is the status of HEP 3?        | Status: Accepted |
      | When was HEP-3 made?                | Start Date: 1999-03-02 |
      | What is HEP 3 about?                | Oil burns on each of them from dusk. |
      | Which HEP is about buoys?           | Oil burns on each of them from dusk. |
      | Who sent the mail about Storm tonight? | From: Carol <carol@example.org> |
      | What is the status of Burn gas?     | Status: rejected |
      | When was Burn gas written?          | Date: 2023-05-06 |

  Scenario Outline: What a document does not say of itself is no field of its head
    When the answerer "quote" is asked "<question>"
    Then the answer is not "<answer>"

    Examples:
      | question                     | answer |
      | Why is bylaw 7 final?        | Status: Final |
      | Which HEP adds whale blubber? | Oil burns on each of them from dusk. |
      | Who wrote of the harbour?    | Author: Ada Stone, Bob Reed |
      | Who wrote bill3.txt?         | Roe & Sons Ltd\nA. Vik |
      | Who wrote act 95?            | A. Vik\nB. Roe |
      | What is the status of act 95? | Category: Ropes |

  Scenario: How something is done is told by the page that comes first
    When the answerer "quote" is asked "How do I mend a net?"
    Then the answer begins with "Spread it on the quay"

  Scenario: How something is done is quoted from where its section begins, in order, with the code
    When the answerer "quote" is asked "How do I read the tide gauge?"
    Then the answer is "It hangs below the lamp. To see it by night, light that: lamp turn --down The lower mark counts."
    And every citation verifies

  Scenario: A folder names what the files in it are about
    When the answerer "quote" is asked "How do I fit a pintle?"
    Then the answer is "Drop the rudder onto it, and lock it with a pin."

  Scenario Outline: What something has is told where a section is called so, below its title or in its folder
    When the answerer "quote" is asked "<question>"
    Then the answer begins with "<answer>"

    Examples:
      | question                         | answer                                       |
      | What is a chain of command?      | A chain of command is a line of orders. |
      | What is the strength of orders?  | Nine hands.                                  |
      | What strength do orders have?    | Nine hands.                                  |
      | Which strength do the orders need? | Nine hands.                                |
      | What is the weight of the gypsy? | Twelve tons.                                 |

  Scenario Outline: Of lines that each say one thing the one that answers is told
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                             | answer                         |
      | When was the bosun born?             | Born: 1842, in a lighthouse    |
      | What is the whistle of the bosun?    | Whistle: silver, with a chain |
      | What is the fee of a ketch?          | hull: Ketch; fee: 14.00; settled: no |
      | Is there a ferry?                    | A: Not yet.                    |
      | What is LOA?                         | LOA: length over all           |
      | When is the oakum delivered?         | we deliver the oakum on Friday at noon, at the east gate. |

  Scenario Outline: A section that is but code, and a line that leads to it, is told however it is asked for
    When the answerer "quote" is asked "<question>"
    Then the answer is "Install it with the winch: seine install --deep"
    And every citation verifies

    Examples:
      | question                 |
      | How do I install it?     |
      | how to install           |
      | How is this installed?   |
      | Installation             |

  Scenario Outline: A word that is only mentioned is not explained
    When the answerer "quote" is asked "<question>"
    Then it is an empty answer

    Examples:
      | question          |
      | What is a boat?   |
      | What is a chain?  |
      | What is a rope?   |
      | What is a crew?   |
