Feature: Answers out of pages of references
  Many generators show the description in a page's front matter below its title. Pages of functions have several names in
  their title, and tables explain names that have no heading.

  Background:
    Given a corpus with the items
      | path              | text |
      | docs/haulAll.md   | ---\ntitle: haulAll\ndescription: Hauls all ropes of a deck at once.\n---\n\nWith a wet drum, use `haulDry` instead.\n\n## Remarks\n\n`haulAll` is a macro on small boats. |
      | docs/trim.md      | ---\ntitle: trim\ndescription: >-\n  Shortens a rope to a length\n  without fraying its end.\n---\n\nThe knife is on the pier. |
      | docs/keel.md      | ---\ntitle: keel\ndescription: A keel holds a boat upright.\n---\n\nThe crew looks at it in spring. |
      | docs/whip.md      | ---\ntitle: How to whip a rope\ndescription: Learn to whip ropes with the guide of our crew.\n---\n\n1. Lay a loop.\n2. Wind the twine around it. |
      | docs/list.md      | ---\ntitle: list\ndescription: Reference for the list of boats.\n---\n\nNames every boat of the pier. |
      | docs/moor.md      | ---\ntitle: moor\ndescription: Moor your boat with our leading moor function.\n---\n\n# moor\n\nTies a boat to its pier. |
      | docs/coil.md      | # `coil`, `_coil`, `coil_r`\n\nLays a rope in rings.\n\n## Requirements\n\n\| Routine \| Header \|\n\|---\|---\|\n\| `coil` \| rope.h \|\n\| `_coil` \| rope.h \| |
      | docs/splice_lost.md | # splice_lost Class\n\nThis class describes what is told when a splice is not there.\n\n## Members\n\n\| Name \| Description \|\n\|---\|---\|\n\| [splice_lost](#ctor) \| Makes a splice_lost object. \|\n\n## <a name="ctor"></a> splice_lost\n\nMakes a splice_lost object. |
      | docs/logs.md      | # How a boat keeps its log\n\nThe kinds of logs are these.\n\n\| Kind \| Description \|\n\|---\|---\|\n\| `slate` \| Chalk on a slate, wiped at noon. \|\n\| `book` \| Ink in a bound book. \|\n\| `json-file` \| One file a day. \| |
      | docs/parts.md     | # Parts\n\nParts of a boat.\n\n\| Part \| Description \|\n\|---\|---\|\n\| [`fender`](use.md) \| The fender of a boat. \|\n\| [`hawser`](use.md) \| The hawser of a boat. \| |
      | docs/use.md       | # How a fender is used\n\nIt is handled by a crew who knows it well, at each tide and in each weather. A fender is costly. |
      | docs/oars.md      | ---\ntitle: Oars\n---\n\n{{% note "Mind" %}}\nOars rot in the {{< ref "sea.md" >}} winter.\n{{% /note %}}\n\nOars of ash bend. |
      | docs/footer.md    | # Put a footer on a page\n\nTo put a footer on a page, write:\n\n    {% include footer.html %}\n\n{% include note.html %}\n{{< hint >}}\n\nIt stands last. |
      | docs/guard.txt    | To guard a crane, write\n\n{% if crane %}\nThe crane is up.\n{% endif %} |
      | docs/gaff.md      | # Gaff\n\nA gaff is a spar that holds the head of a sail.\n\n## Hoisting a gaff\n\n1. Take the line.\n2. Haul it until it hangs level.\n\n## Painting it\n\nIt is painted in spring. |
      | rules/HB021.md    | # `HB021` - Lamps on deck\n\nTags: `lamps`\n\nFixable: Some faults can be mended by the crew\n\nParameters:\n\n- `lamp_height`: Height of a lamp above the deck (`integer`)\n\nThis rule is broken where a lamp stands on the bare deck.\n\nHang it up. |
      | rules/no-tar.md   | Tar on ropes is not allowed here.\n\n## Examples\n\nA rope with tar.\n\n## See also\n\nRopes. |
      | docs/davit.md     | # Davit\n\nA davit is an arm that lowers a boat. |
      | docs/bitt.md      | # Bitt\n\nA bitt is a post that holds a rope. It is tarred in May. |
      | docs/upkeep.md    | # Spring\n\nEvery davit is oiled on the first of May. |
      | docs/slates.md    | # Roofs\n\nWho lays a roof of slate begins with the lowest row of it. |
    And a sealed run "manual"

  Scenario Outline: A reference says what it is about where its reader looks for it
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                                    | answer |
      | What does the haulAll function do?          | Hauls all ropes of a deck at once. |
      | What does trim do?                          | Shortens a rope to a length without fraying its end. |
      | What does keel do?                          | A keel holds a boat upright. |
      | How do I whip a rope?                       | 1. Lay a loop. 2. Wind the twine around it. |
      | What does list do?                          | Names every boat of the pier. |
      | What does moor do?                          | Ties a boat to its pier. |
      | When do oars rot?                           | Oars rot in the winter. |
      | How do I put a footer on a page?            | To put a footer on a page, write: {% include footer.html %} It stands last. |
      | How do I guard a crane?                     | To guard a crane, write {% if crane %} The crane is up. {% endif %} |
      | What does coil do?                          | Lays a rope in rings. |
      | What is a gaff and how do I hoist it?       | A gaff is a spar that holds the head of a sail. 1. Take the line. 2. Haul it until it hangs level. |
      | What is a bitt and when is it tarred?       | A bitt is a post that holds a rope. It is tarred in May. |
      | What is a davit and how often is it oiled?  | A davit is an arm that lowers a boat. Every davit is oiled on the first of May. |
      | What does HB021 do?                         | This rule is broken where a lamp stands on the bare deck. Hang it up. |
      | What does HB021 check for?                  | This rule is broken where a lamp stands on the bare deck. Hang it up. |
      | What does the no-tar rule forbid?           | Tar on ropes is not allowed here. |
      | What is the splice_lost class?              | This class describes what is told when a splice is not there. Makes a splice_lost object. |

  Scenario Outline: A name in code that a row begins with finds its table, unless it leads to another page
    When "<question>" is asked
    Then the evidence starts with
      | path   |
      | <path> |

    Examples:
      | question               | path         |
      | How is a fender used?  | docs/use.md  |
