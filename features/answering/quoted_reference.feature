Feature: What a reference says of a name answers what it does
  References list many names, each with what it is called like, its type and default, and only then with what it does.

  Background:
    Given a corpus with the items
      | path           | text |
      | tackle.html    | <h1>Tackle</h1><p>These functions move boats.</p><dl class="def"><dt id="index-haul"><span class="category">: </span><span><strong>haul</strong> <em>(<var>boat</var>)</em><a href='#index-haul' class='copiable-anchor'> &para;</a></span></dt><dt id="index-haul-1"><span class="category">: </span><span><em>[<var>depth</var>, <var>time</var>] =</em> <strong>haul</strong> <em>(&hellip;)</em><a href='#index-haul-1' class='copiable-anchor'> &para;</a></span></dt><dd><p>Move a boat up the slip, slowly enough for its keel.</p><p>It calls haul again where the tide is low, and haul (boat) is all that is needed.</p></dd></dl><dl class="def"><dt id="index-veer"><span class="category">Function: </span><span><strong>veer</strong> <em>(<var>chain</var>)</em><a href='#index-veer' class='copiable-anchor'> &para;</a></span></dt><dd><p>Let a chain run out through the hawse, as long as the anchor has not held.</p></dd></dl> |
      | api.html       | <h1>Boats in Python</h1><dl class="py method"><dt class="sig sig-object py" id="fleet.Boat.launch"><em class="property">class method </em><span class="sig-prename descclassname">fleet.Boat.</span><span class="sig-name descname">launch</span><span class="sig-paren">(</span><em>tide=None</em><span class="sig-paren">)</span><a class="reference internal" href="_modules/fleet.html#Boat"><span class="viewcode-link">[source]</span></a><a class="headerlink" href="#fleet.Boat.launch">¶</a></dt><dd><p>Slide the hull into the water, once its planks have swollen.</p><p>It is what launch of a raft does, too.</p></dd></dl> |
      | org/harbour/Winch.html | <!DOCTYPE html><html><head><title>Winch (Harbour 1.2)</title><meta name="generator" content="javadoc/ClassWriterImpl"></head><body class="class-declaration-page"><main role="main"><div class="header"><div class="sub-title"><span>Package</span>&nbsp;<a href="package-summary.html">org.harbour</a></div><h1 title="Class Winch" class="title">Class Winch&lt;R&gt;</h1></div><div class="inheritance">java.lang.Object<div class="inheritance">org.harbour.Winch</div></div><section class="class-description"><dl class="notes"><dt>Type Parameters:</dt><dd><code>R</code> - the kind of rope that is wound</dd></dl><hr><div class="type-signature"><span class="modifiers">public class </span><span class="element-name">Winch&lt;R&gt;</span> extends Object</div><div class="block">A drum with a crank that hauls boats over the sill.</div></section><section class="summary"><ul><li><section class="method-summary"><h2>Method Summary</h2><div>veer(int) lets the rope run</div></section></li></ul></section><section class="details"><ul class="details-list"><li><section class="constructor-details"><h2>Constructor Details</h2><ul class="member-list"><li><section class="detail" id="&lt;init&gt;()"><h3>Winch</h3><div class="member-signature">public Winch()</div><div class="block">Builds one with a drum that is bare yet.</div></section></li></ul></section></li><li><section class="method-details"><h2>Method Details</h2><ul class="member-list"><li><section class="detail" id="veer(int)"><h3>veer</h3><div class="member-signature">public void veer(int metres)</div><div class="block">Lets the rope run out until its brake is put on.</div><dl class="notes"><dt>Parameters:</dt><dd><code>metres</code> - how far at most</dd></dl></section></li></ul></section></li></ul></section></main></body></html> |
      | classCapstan.html | <html><head><title>Harbour: harbour::Capstan Class Reference</title><meta name="generator" content="Doxygen 1.9.4"/></head><body><div id="top"><p>Our survey is open to whoever uses this library.</p></div><div class="header"><div class="summary"><a href="a.html">List of all members</a></div><div class="headertitle"><div class="title">harbour::Capstan&lt; Rope &gt; Class Template Reference<div class="ingroups"><a href="g.html">Deck</a></div></div></div></div><div class="contents"><h2 class="groupheader">Detailed Description</h2><div class="textblock"><div class="compoundTemplParams">template&lt;typename Rope&gt;<br/>class harbour::Capstan&lt; Rope &gt;</div><p>Winds hemp by the steps of its crew.</p></div><h2 class="groupheader">Member Function Documentation</h2><h2 class="memtitle"><span class="permalink"><a href="#a1">&#9670;&nbsp;</a></span>torque() <span class="overload">[1/2]</span></h2><div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">double harbour::Capstan::torque </td><td>(</td><td class="paramname"></td><td>)</td><td> const</td></tr></table></div><div class="memdoc"><dl class="section return"><dt>Returns</dt><dd>an estimate of the force with which its bars are pushed around by the crew.</dd></dl></div></div></div></body></html> |
      | harbour/struct.Sluice.html | <!DOCTYPE html><html lang="en"><head><title>Sluice in harbour - Rust</title><meta name="generator" content="rustdoc"></head><body class="rustdoc struct"><main><section id="main-content" class="content"><div class="main-heading"><h1 class="fqn"><span class="in-band">Struct <a href="index.html">harbour</a>::<wbr><a class="struct" href="#">Sluice</a></span><span class="out-of-band"><a class="srclink" href="src.html">source</a></span></h1></div><p>Holds the water of the dock back.</p><h2 id="implementations">Implementations</h2><div id="implementations-list"><details class="rustdoc-toggle method-toggle" open><summary><section id="method.drain" class="method"><span class="rightside">1.6.0 <a class="srclink" href="s.html">source</a></span><a href="#method.drain" class="anchor"></a><h4 class="code-header">pub fn <a href="#method.drain" class="fnname">drain</a>&lt;R&gt;(&amp;mut self, range: R) -&gt; Drain&lt;R&gt;<span class="notable-traits">Notable traits for Drain</span></h4></section></summary><div class="docblock"><p>Lets the water out of that range, slowly enough for the fish.</p><h5 id="examples"><a href="#examples">Examples</a></h5><pre class="rust"><code>sluice.drain(1..2);</code></pre></div></details></div></section></main></body></html> |
      | keywords.html  | <h1>Keywords</h1><h2>All of them</h2><a name="tide client"></a><a name="2-tide client"></a><div class="keyword"><b><a name="tide client"></a><a href="#2-tide%20client">tide client</a></b> <span>&lt;hours&gt;</span></div><pre class="text">Set how long a boat that has been silent may stay at the quay.</pre><p>It counts from tide client on.</p><a name="tide_server"></a><div class="directive"><table><tr><th>Syntax:</th><td><code><strong>tide_server</strong> <i>hours</i>;</code></td></tr><tr><th>Default:</th><td><pre>tide_server 12h;</pre></td></tr></table></div><p>Defines how long the harbour waits for the pilot to answer.</p><p><a id="Ebb"></a><strong>ebb</strong> Lets the mud of the basin dry at noon.</p> |
      | repeats.html   | <h1>Ropes and knots</h1><dl class="def"><dt><strong>splices</strong> <em>(<var>rope</var>)</em></dt><dd><p>Count the places where two ropes were laid into each other by hand.</p></dd></dl><dl class="def"><dt><strong>splice</strong> <em>(<var>rope</var>)</em></dt><dd><p>Lay two ropes into each other; a splice holds where a knot would slip, and a splice of three strands holds best.</p></dd></dl> |
      | lib/Harbour/Davit.pm | package Harbour::Davit;\nuse strict;\n\n# Lowers the crew.\nsub lower { my ($boat) = @_; return $boat->lower; }\n\n1;\n\n=head1 NAME\n\nHarbour::Davit - a B<crane> for the boats\n\n=head1 METHODS\n\n=head2 lower_crew\n\n  $davit->lower_crew($boat);\n\nLets a boat down to the water, as long as C<$sea> is calm, see L<the sea\|Harbour::Sea>.\n\n=over 4\n\n=item swing ARM,ANGLE\n\n=item swing ARM\n\nTurns the arm of the crane out over the side.\n\n=back\n\n=cut\n |
      | ropes.html     | <h1>Ropes</h1><h2>Parameters</h2><h3>rope_min</h3><ul><li>Units: ropes</li><li>Default: 40</li></ul><p>The fewest ropes that lie ready on the quay.</p><h3>rope_rest</h3><ul><li>Units: hours</li><li>Default: 5</li><li>Maximum: 95% of rope_min</li></ul><p>Ropes in excess of rope_min, which have rested so long, are coiled.</p><h3>rope_watch</h3><p>Who looks after them.</p> |
      | settings.html  | <h1>Settings</h1><h3>3.1.&nbsp;watch_url</h3><p>Type:&nbsp;string</p><p>Default:&nbsp;(empty)</p><p>Defines the host where the watch is written to, which is asked every hour of the night for as long as the lamp is lit and the harbour is open, whatever the weather.</p><h3>3.2.&nbsp;watch</h3><p>Type:&nbsp;order</p><p>Default:&nbsp;night</p><p>Specifies who stands on the quay after dusk.</p><h3>3.3.&nbsp;watch_bell</h3><p>Type:&nbsp;boolean</p><p>Default:&nbsp;yes</p><p>When set, the variable $watch is rung.</p> |
      | buoy.xml       | <refentry><refnamediv><refname>Buoys in JavaScript</refname><refpurpose>Buoys and their lights</refpurpose></refnamediv><refsection><title>buoy.drop()</title><programlisting>buoy.drop(place)</programlisting><para>Let the buoy into the water.</para></refsection><refsection><title>wharf.lit()</title><programlisting>lamp = wharf.lit(colour)</programlisting><para>Get the lamp that burns.</para></refsection></refentry> |
      | winch.conf     | # The winch of the harbour.\n\n# Orders are taken here, and nowhere else on\n# the whole quay.\norder-port 6379\n\n# How many ropes one drum may hold before the brake is put on by itself.\n#\n#max_ropes 3\n\n[moorings]\nslack = 4   # fathoms a rope may hang, measured at low water\n |
      | settings.txt   | THE LAMP\n\n2.1. LIGHTING\n\nSee below.\n\n3.141. lamp_oil\n\nType: boolean\nDefault: no\n\nWhen set, the lamp is filled from the barrel.\n\n3.142. wick\n\nType: number\nDefault: 3\n\nSpecifies how many threads are lit.\n\n3.143. wick_trim\n\nType: boolean\nDefault: yes\n\nWhether the wick variable is cut at noon.\n |
      | man/gaff.8.html | <title>Harbour manual - gaff(8)</title><pre>\nGAFF(8)                    GAFF(8)\n\n<b>NAME</b>\n       gaff - keeps boats off the quay\n\n<b>SYNOPSIS</b>\n       <b>gaff</b> [<b>-e</b>] [<b>-k</b>]\n\n<b>DESCRIPTION</b>\n       The <b>gaff</b>(8) server waits for boats.\n\n       <b>-e</b> <i>pole</i>\n              Extends the pole by an ell before it is used.\n\n       <b>-k</b> <i>hook</i>\n              Keeps the hook out of the mud.\n</pre> |
      | man/sprit.txt | SPRIT(1)                    SPRIT(1)\n\nNAME\n       sprit - spreads a sail\n\nSYNOPSIS\n       sprit [-ek]\n\nDESCRIPTION\n       It holds the peak aloft.\n\n       -e     Eases the snotter until the sail\n              shakes in the wind.\n\n       -k     Keeps the heel dry.\n |
      | luff.html | <h1>Sails</h1><h2>luff</h2><p>Grammar: luff ( hard ) { soft };</p><p>Blocks: jib, main, mizzen (fore, main, aft, square)</p><p>Brings the bow up into the wind until the sail shakes.</p> |
      | girt.html | <h1>Numbers</h1><dl><dt>girt</dt><dd><p>Return the width of a rope, measured around all of its girt strands.</p><p>In a calm, girt is about three.</p></dd></dl> |
      | crt/heave.md | ---\ntitle: "heave, heave_all"\n---\n# `heave`, `heave_all`\n\nPulls a chain in, link by link.\n\n## Syntax\n\n```C\nint heave(int links, char *tone);\n```\n\n### Parameters\n\n*`links`*\\\n[in] How many are pulled.\n\n*`tone`*<br/>\nThe song of the crew.\n\n## Return value\n\nThe links that are left outside. If there are none, -1 is given.\n\n### Errors\n\nThe chain may be foul.\n\n## Requirements\n\n\|Routine\|Required header\|\n\|---\|---\|\n\|`heave`\|\\<chain.h>\|\n\|`heave_all`\|\\<crew.h>\|\n\n## Remarks\n\nThe **`heave`** function returns late at the turn of the tide. |
      | crt/Berth.md | # Berth class\n\nA place for a boat.\n\n## <a name="warp"></a> Berth::warp\n\nMoves a boat along the quay.\n\n### Parameters\n\n\|Name\|Description\|\n\|---\|---\|\n\|`line`\|What it is pulled with.\|\n\n### Returns\n\nWhether it has moved.\n\n## <a name="fend"></a> Berth::fend\n\nPuts fenders out.\n\n### Return Value\n\nHow many hang out.\n\n## Requirements\n\n**Header:** berth.h\n\n**Library:** quay.lib |
      | crt/skiff.md | # Class: Skiff\n\n### `new Skiff(oars[, name])`\n\nArguments:\n\n* **oars** `number` - How many there are.\n* **name** `string` (optional) - What is painted on its stern.\n\nReturns: `Skiff \| null`, as long as wood is left.\n\n### `Skiff.scull(stroke)`\n\n* `stroke` {number} How long it is.\n* Returns: {boolean}\n\nMoves it with one oar. |
      | crt/gybe.md | ---\ntitle: Sail.prototype.gybe()\n---\n\nBrings the stern through the wind.\n\n### Parameters\n\n- `helm`\n  - : How hard it is put over.\n\n### Return value\n\nThe course behind.\n |
      | crt/furl.html | <h1>furl</h1><p>Rolls a sail.</p><h3>Parameters</h3><dl><dt><code>cloth</code></dt><dd><p>The sail that is rolled.</p></dd><dt><code>ties</code></dt><dd><p>What holds it.</p></dd></dl> |
      | crt/model.md | # Model\n\nIt stands in the hall.\n\n## Requirements\n\nVisitors need a ticket. The library is closed on Mondays. |
      | crt/kedge.md | ---\ntitle: kedge\n---\n\nLays an anchor out.\n\n## Paramètres\n\n### rode\n\nThe rope behind it.\n\n## Valeur de retour\n\nThe depth that was found. |
      | lib/quoin.html | <html><head><title>Quoin Class</title></head><body><div class="navigationbar"><ul><li>Harbour 5</li><li><a href="deck.html">Deck</a></li><li>Quoin</li><li><a href="all.html">What a Quoin is, in Harbour 5.15</a></li></ul></div><h1>Quoin Class</h1><p>The Quoin class is a template class that holds a stone.</p><table><tr><td>Header:</td><td>#include &lt;Quoin&gt;</td></tr><tr><td>Since:</td><td>Harbour 5.10</td></tr></table><p>This class was introduced in Harbour 5.10.</p><h2>Static Public Members</h2><table><tr><td>Quoin</td><td>hewn(int width)</td></tr><tr><td>Quoin</td><td>cast(int width)</td></tr></table><h2>Detailed Description</h2><p>A Shim is much like a Quoin. The differences are:</p><ul><li>A Shim is thin.</li><li>A Quoin has a slope.</li></ul><h2>Member Function Documentation</h2><h3>Quoin::Quoin()</h3><p>Constructs an empty one. This function was introduced in Harbour 5.14.</p><h3>Quoin::~Quoin()</h3><p>Destroys the stone.</p><h3>[virtual] bool Quoin::wedge(int depth)</h3><p>Drives it in, returning true if it holds. It must be dry.</p></body></html> |
      | lib/harbour.index | <?xml version="1.0"?>\n<INDEX><class name="Quoin" status="active" access="public" location="quoin.h" lineno="3" documented="true" brief="A Quoin is a stone"/>\n<function name="Quoin" status="active" access="public" location="quoin.h" lineno="4" documented="true" meta="constructor"/></INDEX> |
      | deck/hoist.mdx | ---\ntitle: Hoists\n---\n\n## The hoist\n\nIt lifts a load.\n\n### Arguments <Badge text="new" />\n\n<ParamField path="strop" type="Rope" required>\n  The rope around the load. It is checked each day.\n</ParamField>\n\n<ParamField path="hook_size" type="number" default="3">\n  How wide the hook is.\n\n  <Expandable title="more">\n    <ParamField path="barb" type="bool">Whether it has a barb.</ParamField>\n  </Expandable>\n</ParamField>\n\n## Rust\n\nOil the hoist. |
      | lib/shackle.html | <html><head><title>Shackle Class</title></head><body><h1>Shackle Class</h1><p>The Shackle class provides a link that opens.</p></body></html> |
      | lib/carabiner.html | <html><head><title>Carabiner Class</title></head><body><h1>Carabiner Class</h1><p>The Carabiner class provides a link with a spring.</p></body></html> |
      | deck/slackline.rst | slackline\n---------\n\n.. versionadded:: 3.13\n\n:rope:`hawser` honors the ebb.\n\nThe old way was to slacken it at noon, and nobody who saw the slackline minded. |
      | deck/light.md | # Light sails\n\n## Raffee\n\nA triangle above the highest yard.\n\n## Others\n\nThere are others that are set in light air, of which nobody knows how many there were. |
      | deck/heavy.md | # Heavy sails\n\n## Trysail\n\nIt is hoisted in a storm.\n\n## Others\n\nThere are more that are set in heavy air, and few who know them. |
      | deck/davit.mdx | # Davits\n\n## Davit.Arm\n\n{Davit.Arm?.deprecated && (\n  <p>The Davit.Arm does not bend: {Davit.Arm.deprecated}</p>\n)}\n\nSwings a boat out over the side.\n\n<DavitTable rows={Davit.Arm.rows.filter((row) => row.of !== "arm")} /> |
      | deck/gantry.mdx | # Gantries\n\n<PropertiesTable\n  content={[\n    {\n      name: "spanWidth",\n      type: "number",\n      isOptional: true,\n      defaultValue: "40",\n      description:\n        "How far its legs stand apart",\n    },\n    { name: "rails", type: "Rail[]", description: "The rails that it runs on." },\n  ]}\n/>\n |
    And a sealed run "first"

  Scenario Outline: What it does is told, not how it is called
    When the answerer "quote" is asked "<question>"
    Then the answer begins with "<answer>"
    And every citation verifies

    Examples:
      | question                           | answer |
      | What does wharf.lit do?            | Get the lamp that burns. |
      | What does haul do?                 | Move a boat up the slip, slowly enough for its keel. |
      | What does tide client do?          | Set how long a boat that has been silent may stay at the quay. |
      | What does tide_server do?          | Defines how long the harbour waits for the pilot to answer. |
      | What does ebb do?                  | ebb Lets the mud of the basin dry at noon. |
      | What is the default of tide_server? | Default: tide_server 12h; |
      | What does order-port do?           | Orders are taken here, and nowhere else on the whole quay. |
      | What does max_ropes do?            | How many ropes one drum may hold before the brake is put on by itself. |
      | What is the default of max_ropes?  | How many ropes one drum may hold before the brake is put on by itself. max_ropes 3 |
      | What does slack do?                | slack = 4 # fathoms a rope may hang, measured at low water |
      | What does gaff -e do?              | Extends the pole by an ell before it is used. |
      | What does sprit -e do?             | -e Eases the snotter until the sail shakes in the wind. |
      | What does sprit -k do?             | -k Keeps the heel dry. |
      | What is a luff?                    | Brings the bow up into the wind until the sail shakes. |
      | What does luff do?                 | Brings the bow up into the wind until the sail shakes. |
      | What is a girt?                    | Return the width of a rope, measured around all of its girt strands. |
      | What does launch do?               | Slide the hull into the water, once its planks have swollen. |
      | What does Winch do?                | A drum with a crank that hauls boats over the sill. |
      | What is a Winch?                   | A drum with a crank that hauls boats over the sill. |
      | What does Winch.veer do?           | Lets the rope run out until its brake is put on. |
      | What does Capstan do?              | Winds hemp by the steps of its crew. |
      | What does Capstan::torque do?      | Returns: an estimate of the force with which its bars are pushed around by the crew. |
      | What does Sluice::drain do?        | Lets the water out of that range, slowly enough for the fish. |
      | What does splices do?              | Count the places where two ropes were laid into each other by hand. |
      | What does splice do?               | Lay two ropes into each other |
      | What does lower_crew do?           | Lets a boat down to the water, as long as $sea is calm, see the sea. |
      | What does swing do?                | Turns the arm of the crane out over the side. |
      | What does veer do?                 | Let a chain run out through the hawse, as long as the anchor has not held. |
      | What does the watch variable do?   | Specifies who stands on the quay after dusk. |
      | What does rope_min do?             | The fewest ropes that lie ready on the quay. |
      | What does rope_rest do?            | Ropes in excess of rope_min, which have rested so long, are coiled. |
      | What is the default of rope_rest?  | Default: 5 Ropes in excess of rope_min |
      | What does the wick variable do?    | Specifies how many threads are lit. |
      | What does the lamp_oil variable do? | When set, the lamp is filled from the barrel. |
      | What does the strop argument of the hoist do? | strop: Rope; required The rope around the load. |
      | What is the default of hook_size?  | hook_size: number; default: 3 |
      | What does barb do?                 | Whether it has a barb. |
      | What does spanWidth do?            | How far its legs stand apart |
      | What is the default of spanWidth?  | spanWidth: number; default: 40 |
      | What does rails do?                | The rails that it runs on. |
      | What does slackline do?            | hawser honors the ebb. |
      | What does Davit.Arm do?            | Swings a boat out over the side. |

  Scenario Outline: Of a parameter, of what comes back and of what is raised the page says what stands under that
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                                  | answer |
      | What does heave_all return?               | The links that are left outside. If there are none, -1 is given. |
      | What is the return value of heave?        | The links that are left outside. If there are none, -1 is given. |
      | Was gibt heave zurück?                    | The links that are left outside. If there are none, -1 is given. |
      | What is the tone parameter of heave for?  | The song of the crew. |
      | Which parameters does heave take?         | links: [in] How many are pulled.\ntone: The song of the crew. |
      | What errors can heave return?             | The chain may be foul. |
      | Which header does heave_all need?         | Routine: heave_all; Required header: <crew.h> |
      | What header do I include for heave?       | Routine: heave; Required header: <chain.h> |
      | Which library does Berth need?            | Library: quay.lib |
      | What does Berth::warp return?             | Whether it has moved. |
      | What does Berth.fend return?              | How many hang out. |
      | What is the line argument of Berth::warp? | Name: line; Description: What it is pulled with. |
      | What is the oars argument of Skiff?       | oars number - How many there are. |
      | What are the arguments of Skiff?          | - oars number - How many there are.\n- name string (optional) - What is painted on its stern. |
      | What does new Skiff return?               | Returns: Skiff \| null, as long as wood is left. |
      | What parameters does Skiff.scull take?    | - stroke {number} How long it is.\n- Returns: {boolean} |
      | What does gybe return?                    | The course behind. |
      | What does Sail.prototype.gybe return?     | The course behind. |
      | What is the cloth parameter of furl?      | The sail that is rolled. |
      | What does kedge return?                   | The depth that was found. |
      | What is a Quoin?                          | The Quoin class is a template class that holds a stone. |
      | When was Quoin introduced?                | This class was introduced in Harbour 5.10. |
      | Which header does Quoin need?             | Header: #include <Quoin> |
      | What does Quoin::wedge return?            | Drives it in, returning true if it holds. |
      | What is the difference between a Shackle and a Carabiner? | The Shackle class provides a link that opens. The Carabiner class provides a link with a spring. |
      | What is the difference between a Shim and a Quoin? | The differences are:\n- A Shim is thin.\n- A Quoin has a slope. |
      | How does a Shackle differ from a Carabiner? | The Shackle class provides a link that opens. The Carabiner class provides a link with a spring. |
      | What is the difference between a raffee and a trysail? | A triangle above the highest yard. It is hoisted in a storm. |
      | What does heave return if none are left?  | The links that are left outside. If there are none, -1 is given. |
      | What does the rode parameter of kedge do? | The rope behind it. |

  Scenario Outline: A part that a page does not tell is not made up
    When the answerer "quote" is asked "<question>"
    Then the answer is not "<answer>"

    Examples:
      | question                                  | answer |
      | What is the line parameter of Berth::fend? | Name: line; Description: What it is pulled with. |
      | Which library does the model need?        | The library is closed on Mondays. |
