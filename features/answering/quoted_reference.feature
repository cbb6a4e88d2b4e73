Feature: What a reference says of a name answers what it does
  References list many names, each with what it is called like, its type and default, and only then with what it does.

  Background:
    Given a corpus with the items
      | path           | text |
      | tackle.html    | <h1>Tackle</h1><p>These functions move boats.</p><dl class="def"><dt id="index-haul"><span class="category">: </span><span><strong>haul</strong> <em>(<var>boat</var>)</em><a href='#index-haul' class='copiable-anchor'> &para;</a></span></dt><dt id="index-haul-1"><span class="category">: </span><span><em>[<var>depth</var>, <var>time</var>] =</em> <strong>haul</strong> <em>(&hellip;)</em><a href='#index-haul-1' class='copiable-anchor'> &para;</a></span></dt><dd><p>Move a boat up the slip, slowly enough for its keel.</p><p>It calls haul again where the tide is low, and haul (boat) is all that is needed.</p></dd></dl><dl class="def"><dt id="index-veer"><span class="category">Function: </span><span><strong>veer</strong> <em>(<var>chain</var>)</em><a href='#index-veer' class='copiable-anchor'> &para;</a></span></dt><dd><p>Let a chain run out through the hawse, as long as the anchor has not held.</p></dd></dl> |
      | api.html       | <h1>Boats in Python</h1><dl class="py method"><dt class="sig sig-object py" id="fleet.Boat.launch"><em class="property">class method </em><span class="sig-prename descclassname">fleet.Boat.</span><span class="sig-name descname">launch</span><span class="sig-paren">(</span><em>tide=None</em><span class="sig-paren">)</span><a class="reference internal" href="_modules/fleet.html#Boat"><span class="viewcode-link">[source]</span></a><a class="headerlink" href="#fleet.Boat.launch">¶</a></dt><dd><p>Slide the hull into the water, once its planks have swollen.</p><p>It is what launch of a raft does, too.</p></dd></dl> |
      | settings.html  | <h1>Settings</h1><h3>3.1.&nbsp;watch_url</h3><p>Type:&nbsp;string</p><p>Default:&nbsp;(empty)</p><p>Defines the host where the watch is written to, which is asked every hour of the night for as long as the lamp is lit and the harbour is open, whatever the weather.</p><h3>3.2.&nbsp;watch</h3><p>Type:&nbsp;order</p><p>Default:&nbsp;night</p><p>Specifies who stands on the quay after dusk.</p><h3>3.3.&nbsp;watch_bell</h3><p>Type:&nbsp;boolean</p><p>Default:&nbsp;yes</p><p>When set, the variable $watch is rung.</p> |
      | settings.txt   | THE LAMP\n\n2.1. LIGHTING\n\nSee below.\n\n3.141. lamp_oil\n\nType: boolean\nDefault: no\n\nWhen set, the lamp is filled from the barrel.\n\n3.142. wick\n\nType: number\nDefault: 3\n\nSpecifies how many threads are lit.\n\n3.143. wick_trim\n\nType: boolean\nDefault: yes\n\nWhether the wick variable is cut at noon.\n |
    And a sealed run "first"

  Scenario Outline: What it does is told, not how it is called
    When the answerer "quote" is asked "<question>"
    Then the answer begins with "<answer>"
    And every citation verifies

    Examples:
      | question                           | answer |
      | What does haul do?                 | Move a boat up the slip, slowly enough for its keel. |
      | What does launch do?               | Slide the hull into the water, once its planks have swollen. |
      | What does veer do?                 | Let a chain run out through the hawse, as long as the anchor has not held. |
      | What does the watch variable do?   | Specifies who stands on the quay after dusk. |
      | What does the wick variable do?    | Specifies how many threads are lit. |
      | What does the lamp_oil variable do? | When set, the lamp is filled from the barrel. |

  Scenario: A name heads what is said of it
    When "boat up the slip" is asked
    Then the evidence starts with
      | path        | heading |
      | tackle.html | haul    |
    When "planks have swollen" is asked
    Then the evidence starts with
      | path     | heading           |
      | api.html | fleet.Boat.launch |
