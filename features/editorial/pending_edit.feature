Feature: Approval binds to bytes
  Who edits an approved file by mistake changes nothing for those who ask: they are shown what was approved until the
  edit is approved too. What no line of the log approves is never shown on a layer that asks for approval.

  Background:
    Given a corpus with the items
      | path             | text                            |
      | drafts/tides.md  | The moon pulls the tides daily. |
      | drafts/lamp.md   | The moon lights no lamp.        |
    And the layers
      """
      - {name: raw, path: "drafts/**"}
      - {name: published, path: "published/**", from: raw}
      """
    And "drafts/tides.md" was promoted to "published"
    And the corpus was reindexed

  Scenario: A layer is a filter before ranking
    When "moon" is asked of the layer "<layer>"
    Then the evidence is | path: <path> | layer: <layer> | approval: <approval> |

    Examples:
      | layer     | path               | approval |
      | published | published/tides.md | approved |
      | raw       | drafts/lamp.md     | -        |

  Scenario: A layer that the corpus does not have
    When "moon" is asked of the layer "final"
    Then it is refused as "unknown_name", since "known: raw, published"

  Scenario: An edit is shown to nobody
    Given "published/tides.md" was since edited to "The moon pushes the tides weekly."
    And <indexed>
    When "<question>" is asked of the layer "published"
    Then evidence of the layer says "The moon pulls the tides daily.", and is "pending"
    And nothing is found for "weekly"

    Examples:
      | indexed                  | question |
      | the corpus was reindexed | moon     |
      | nothing was indexed      | moon     |

  Scenario: An edit of what stands beside an approved file is pending, too
    Given the file "published/tides.md.biblicus.yml" holds "title: Nonsense"
    And the corpus was reindexed
    When "moon" is asked of the layer "published"
    Then the evidence is | path: published/tides.md | approval: pending | title: tides |

  Scenario: An edit that is approved is shown
    Given "published/tides.md" was since edited to "The moon pushes the tides weekly."
    And "published/tides.md" was promoted to "published"
    And the corpus was reindexed
    When "moon" is asked of the layer "published"
    Then evidence of the layer says "The moon pushes the tides weekly.", and is "approved"

  Scenario: What was retracted is not shown, be it indexed or not
    Given "published/tides.md" was retracted<how>
    When "moon" is asked of the layer "published"
    Then no evidence is returned

    Examples:
      | how                    |
      |                        |
      | , and nothing indexed  |

  Scenario: Kept bytes that no line approves are not shown
    Given the file "published/lamp.md" holds "The moon lights every lamp."
    And its bytes lie among those that were approved
    And the corpus was reindexed
    When "lamp" is asked of the layer "published"
    Then no evidence is returned
    And nothing but "published/tides.md" is listed on the layer "published"

  Scenario: A damaged log approves nothing
    Given the log of promotions was damaged
    When "moon" is asked of the layer "published"
    Then it is refused as "editorial_log_damaged", since "line 1"

  Scenario: A layer may leave out what is pending
    Given the layers
      """
      - {name: raw, path: "drafts/**"}
      - {name: published, path: "published/**", from: raw, pending: left_out}
      """
    And "published/tides.md" was since edited to "The moon pushes the tides weekly."
    And the corpus was reindexed
    When "moon" is asked of the layer "published"
    Then no evidence is returned
    And nothing is found for "weekly"

  Scenario: What expired is not shown, judged at the time of the run
    Given the file "drafts/<name>.md" holds "---\nexpires: <day>\n---\nA notice on eclipses."
    And "drafts/<name>.md" was promoted to "published"
    And the corpus was reindexed
    When "eclipses" is asked of the layer "published"
    Then it comes from <evidence> alone

    Examples:
      | name   | day        | evidence              |
      | past   | 2020-05-01 | none                  |
      | future | 2999-05-01 | "published/future.md" |

  Scenario: Evidence that stands, but is approved no longer
    Given "moon" was asked of the layer "published", and the evidence kept
    And "published/tides.md" was retracted
    When the evidence is verified
    Then it is "unapproved", because "published approves it no longer"

  Scenario: Evidence of what was approved verifies while an edit is pending
    Given "moon" was asked of the layer "published", and the evidence kept
    And "published/tides.md" was since edited to "The moon pushes the tides weekly."
    When the evidence is verified
    Then it is "ok", because "the text stands at its span"
