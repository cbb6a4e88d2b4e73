Feature: Answers out of documentation for users
  Pages that tell what a product has, what its options do and what to do when it fails: kinds of things by headings,
  texts of help in fences, causes and remedies below headings that say only that.

  Background:
    Given a corpus with the items
      | path                | text |
      | docs/knots.md       | # Knots of the harbour\n\nA knot holds a rope, and a rope holds a boat.\n\n## Kinds of hitches\n\nHitches are tied to posts by whoever comes first to the quay.\n\n### Clove hitch\n\nIt is quick to tie.\n\n### Cow hitch\n\nIt slips on one side.\n\n### Timber hitch\n\nIt drags logs.\n\n## Bends\n\nBends join ropes.\n\n### Examples\n\nTwo ropes of hemp.\n\n### Sheet bend\n\nOf unequal ropes.\n\n### Carrick bend\n\nOf hawsers. |
      | docs/berth-tow.md   | # berth-tow\n\n```text\nUsage:  berth-tow [OPTIONS] HULL\n\nPull one hull or several to a pier\n\nOptions:\n      --slack            Let the rope hang between tug and hull\n  -n, --night int        Hang so many lanterns on the hull\n```\n\n## Fees\n\nTowing a hull by night costs twice. |
      | docs/berth-list.mdx | # berth list\n\n## Options\n\n```md definition-list\n`-p, --pier <pier>`\n: The pier of which the berths are listed.\n\n`--tide [tide]`\n: The tide for which depths are reckoned.\n``` |
      | docs/hand-add.mdx   | # crew hand add\n\nTakes a sailor aboard\n\n## Usage\n\n```sh\nharbour crew hand add [options]\n```\n\n## Options\n\n```md definition-list\n`-n, --name <name>`\n: How the sailor is called.\n\n`-r, --rank [rank]`\n: Which rank the new hand has on deck.\n``` |
      | docs/hand-list.mdx  | # crew hand list\n\nTells who is aboard\n\n## Usage\n\n```sh\nharbour crew hand list [options]\n```\n\n## Options\n\n```md definition-list\n`-r, --rank [rank]`\n: Of which rank they are.\n```\n\n## Examples\n\nTells who is aboard the sloop, of which the crew hand list is short |
      | docs/api.md         | # Harbour API\n\n## Update a hull\n\nSlack: 50000\n\nNight: 2 |
      | docs/leak.md        | # The bilge pump stalls\n\nA pump that stalls lets the bilge fill, and the bilge pump of a ketch stalls more often than others.\n\n## Symptoms\n\nThe pump stalls and the bilge fills while the pump hums.\n\n## Cause\n\nWeed has grown into the intake.\n\n## Resolution\n\n1. Close the seacock.\n2. Pull the weed out of the intake with a hook.\n\n## Pricing\n\nThere is no charge for a hook. |
      | docs/winter.md      | # Wintering\n\nWhoever winters here pays by the foot, and asks the keeper before the first ice.\n\n## How to lay up a ketch\n\n### With a crane\n\n1. Hang the ketch into the slings.\n2. Lift it over the wall.\n\n## Ketches\n\nKetches have two masts. |
      | docs/lamp.md        | # Lamps\n\n## lamp_wick\n\nSays how wide the wick of the lamp is.\n\n\| Lamp \| Default (mm) \|\n\|---\|---\|\n\| Pier \| 12 \|\n\| Quay \| 9 \|\n\n## lamp_glass\n\nSays which glass the lamp has. |
      | docs/portal.md      | # The portal\n\n## Rent a mooring\n\n1. Go to the [Harbour Portal](https://harbour.example/portal).\n2. Choose a pier.\n3. Pay for a month. |
      | docs/davits.md      | # Davits\n\nINFO: This is hardly ever seen on a ketch of the harbour.\n\nDavits hang over the side and swing a boat out. |
      | docs/buoy.md        | # Lights\n\nThe lantern buoy is seen by all who come in from the sea.\n\nThe lantern buoy is Harbour's light for the fairway. |
      | docs/links.md       | # Reading\n\n- Sail cloth and how to wash it, an overview: https://harbour.example/sails\n\nA sail is washed in a river. |
      | docs/club.md        | # The club\n\n## Members\n\nMembers meet in the boat house each spring.\n\n### Fees\n\nFees are due in May.\n\n### Meetings\n\nMeetings are held twice for members.\n\n### Joining\n\nAsk Ida. |
      | docs/dories.md      | # The yard\n\n## Dories\n\nDories are hauled out by a crane.\n\n### Hauling dories\n\nBy day.\n\n### Storing dories\n\nIn the shed.\n\n### Insuring dories\n\nBy nobody. |
      | docs/sails.md       | # Rigging\n\n## Sails\n\nThe following sails are carried.\n\n### Jib\n\nAt the bow.\n\n### Genoa\n\nLarger.\n\n### Spinnaker\n\nBefore the wind. |
      | docs/davit-hooks.md | # Fittings\n\n## Hooks\n\nHooks hold what hangs.\n\n### Gaff\n\nA gaff is a hook for fish.\n\n### Grapnel\n\nA grapnel is a hook with arms.\n\n### Snatch\n\nOf iron. |
      | docs/slip.md        | # The slip\n\n## Pricing\n\nThe season costs more in May.\n\n## Cost of a trolley\n\nA trolley is 40 crowns. |
      | docs/lending.md     | # Lending\n\n## Fees\n\nWhoever lends a skiff pays a fee of 9 crowns for each day that it is late. |
      | docs/ring.md        | # ring\n\n\| Option \| Meaning \|\n\|---\|---\|\n\| `--bell` \| Which bell; `1` is rung where none is given \|\n\| `--gong` \| Which gong \| |
      | docs/splice.md      | # Splicing\n\nUse `--force` to force the splice. The default is off.\n\nSplices are made of hemp by the splicer. |
      | docs/trawls.html    | <h1>Trawls</h1><h2>trawl_depth setting</h2><table><tr><th>Syntax:</th><td>trawl_depth ells</td></tr><tr><th>Default:</th><td>trawl_depth 9</td></tr></table> |
      | docs/tuning.md      | # Tuning\n\n## trawl_depth\n\nWherever trawl_depth is large, the winch hums and its trawl_depth is felt. |
      | docs/purses.md      | # Purses\n\n## purse_line (ells; default: 60; since 2.2)\n\nHow long the line is with which it is shut. In 2.0, the default was 180. |
      | docs/haul.md        | # haul\n\n## Options\n\n### -a, --all\n\nHauls every cable at once, whatever its load.\n\n### -i, --in\n\nHauls towards the drum. |
      | docs/torno.md       | # torno\n\n## Opciones\n\n### -y, --asumir\n\nCuando se pregunta algo, se asume que la respuesta es afirmativa, y no se espera a nadie.\n\n### -e, --todo\n\nRecoge todos los cables a la vez, sea cual sea su carga, y los deja en su sitio. |
    And a sealed run "manual"

  Scenario Outline: What is asked for is told, by what stands under it
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                          | answer |
      | Which hitches are there?          | - Clove hitch\n- Cow hitch\n- Timber hitch |
      | What kinds of hitches exist?      | - Clove hitch\n- Cow hitch\n- Timber hitch |
      | What does berth-tow do?           | Pull one hull or several to a pier |
      | What does --slack do?             | --slack — Let the rope hang between tug and hull |
      | What does the --rank option of crew hand list do? | Of which rank they are. |
      | What does the --rank option of crew hand add do? | Which rank the new hand has on deck. |
      | What does harbour crew hand list do? | Tells who is aboard |
      | What does --tide do?              | The tide for which depths are reckoned. |
      | What does haul -a do?             | Hauls every cable at once, whatever its load. |
      | What does --all do?               | Hauls every cable at once, whatever its load. |
      | What does the -i option do?       | Hauls towards the drum. |
      | ¿Qué hace torno -y?               | Cuando se pregunta algo, se asume que la respuesta es afirmativa, y no se espera a nadie. |
      | ¿Qué hace la opción -e de torno?  | Recoge todos los cables a la vez, sea cual sea su carga, y los deja en su sitio. |
      | What causes the bilge pump to stall? | Weed has grown into the intake. |
      | How do I fix a stalling bilge pump? | 1. Close the seacock. 2. Pull the weed out of the intake with a hook. |
      | What does it cost when the bilge pump stalls? | There is no charge for a hook. |
      | How do I lay up a ketch?          | 1. Hang the ketch into the slings. 2. Lift it over the wall. |
      | What is the default of lamp_wick? | Lamp: Pier; Default (mm): 12 |
      | How do I rent a mooring?          | 1. Go to the Harbour Portal. 2. Choose a pier. 3. Pay for a month. |
      | What is a davit?                  | Davits hang over the side and swing a boat out. |
      | How do I wash sail cloth?         | A sail is washed in a river. |
      | How do I add a hand to a crew?    | Takes a sailor aboard harbour crew hand add [options] |
      | What is a lantern buoy?           | The lantern buoy is Harbour's light for the fairway. The lantern buoy is seen by all who come in from the sea. |
      | Which members are there?          | Members meet in the boat house each spring. |
      | What dories are there?            | Dories are hauled out by a crane. By day. In the shed. By nobody. |
      | Which sails are there?            | - Jib\n- Genoa\n- Spinnaker |
      | Which hooks are there?            | - Gaff\n- Grapnel\n- Snatch |
      | What does a trolley cost?         | A trolley is 40 crowns. The season costs more in May. |
      | What is the default of purse_line? | purse_line (ells; default: 60; since 2.2) |
      | What is the default of trawl_depth? | Default: trawl_depth 9 |
      | What is the default of --force?   | Use --force to force the splice. The default is off. |

  Scenario: A heading below which stands more than names tells no kinds
    When the answerer "quote" is asked "Which bends are there?"
    Then the answer is "Bends join ropes."

  Scenario: A default that nothing tells is doubted
    Given the answerer "quote" was asked "What does lamp_glass do?"
    When the answerer "quote" is asked "What is the default of lamp_glass?"
    Then the confidence is lower

  Scenario Outline: A default that is told in other words, or is no setting's, is not doubted
    Given the answerer "quote" was asked "<question>"
    When the answerer "quote" is asked "What is the default of --gong?"
    Then the confidence is lower

    Examples:
      | question                                        |
      | What is the default of --bell?                  |
      | What fee is paid on default of a lent skiff?    |
