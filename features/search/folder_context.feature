Feature: A folder says what is in it
  One line of context, in .biblicus/context.yml or the front matter of a folder's README, returns with every hit below.

  Background:
    Given a corpus with the items
      | path                | text                                                    |
      | manuals/README.md   | ---\ncontext: Manuals of 1990.\n---\nAll our manuals.    |
      | manuals/pumps/a.txt | Prime the pump before the tide turns.                   |
      | letters/a.txt       | The tide took the boat.                                 |
    And the file ".biblicus/context.yml" holds "contexts: {.: Papers of the harbour., manuals/pumps: Of the pumps.}"
    And the corpus was reindexed

  Scenario: Hits bring what the folders above them say
    When "tide" is asked
    Then the evidence brings the contexts
      | path                | context                                               |
      | letters/a.txt       | Papers of the harbour.                                |
      | manuals/pumps/a.txt | Papers of the harbour. Manuals of 1990. Of the pumps. |

  Scenario Outline: Where a recipe says so, they are ranked with the text
    Given the recipe "mine" is "<base>" with
      """
      build: {contexts: ranked}
      """
    And a sealed run "first" of the recipe "mine"
    When "tide 1990" is asked of the recipe "mine"
    Then the evidence is
      | path                |
      | manuals/pumps/a.txt |
      | letters/a.txt       |
      | manuals/README.md   |
    Given the file ".biblicus/context.yml" holds "contexts: {letters: Letters of 1990.}"
    And the file "manuals/README.md" holds "All our manuals."
    And a sealed run "second" of the recipe "mine"
    When "tide 1990" is asked of the recipe "mine"
    Then the evidence is
      | path                |
      | letters/a.txt       |
      | manuals/pumps/a.txt |

    Examples:
      | base    |
      | lexical |
      | scan    |

  Scenario: What is said of a path
    When it is asked what is said of "manuals/pumps/a.txt"
    Then the contexts are
      | folder        | context                | said_in                |
      | .             | Papers of the harbour. | .biblicus/context.yml  |
      | manuals       | Manuals of 1990.       | manuals/README.md      |
      | manuals/pumps | Of the pumps.          | .biblicus/context.yml  |

  Scenario: A folder is a path, too
    When it is asked what is said of "manuals"
    Then the contexts are
      | folder        | context                | said_in                |
      | .             | Papers of the harbour. | .biblicus/context.yml  |
      | manuals       | Manuals of 1990.       | manuals/README.md      |

  Scenario: A path that is not there
    When it is asked what is said of "songs"
    Then it is refused as "item_not_found"

  Scenario: A file that is none
    Given the file ".biblicus/context.yml" holds "contexts: [manuals]"
    When "tide" is asked
    Then it is refused as "invalid_file"

  Scenario: What is not approved says nothing on a layer
    Given the layers
      """
      - {name: raw, path: "letters/**"}
      - {name: published, path: "published/**", from: raw}
      """
    And the file "published/README.md" holds "---\ncontext: Nobody approved this.\n---\nSo."
    And "letters/a.txt" was promoted to "published"
    And the corpus was reindexed
    When "tide" is asked of the layer "published"
    Then the evidence brings the contexts | path: published/a.txt | context: Papers of the harbour. |
