Feature: Items are promoted from layer to layer
  An editor drafts in one layer and promotes to a more trusted one: git shows the file's move, the log says who and why,
  and what was approved is kept. Nothing is written over.

  Background:
    Given a corpus with the items
      | path             | text                            |
      | drafts/tides.md  | The moon pulls the tides daily. |
      | drafts/other.md  | The lamp is lit at dusk.        |
    And the layers
      """
      - {name: raw, path: "drafts/**"}
      - {name: curated, path: "curated/**", from: raw}
      - {name: published, path: "published/**", from: curated}
      """

  Scenario: A promotion moves the file, and its item stays the same
    Given the file "drafts/tides.md.biblicus.yml" holds "tags: [sea]"
    And the corpus was reindexed
    When "drafts/tides.md" is promoted to "curated"
    Then the outcome is "promoted", and its path "curated/tides.md"
    And the folder holds no "drafts/tides.md"
    And the file "curated/tides.md" still holds "The moon pulls the tides daily."
    And the file "curated/tides.md.biblicus.yml" still holds "tags: [sea]"
    And the log says | happened: promoted | layer: curated | from_path: drafts/tides.md | to_path: curated/tides.md |
    And the item's id is that of "drafts/tides.md" before

  Scenario: The same promotion once more changes nothing
    Given "drafts/tides.md" was promoted to "curated"
    When "<item>" is promoted to "curated"
    Then the outcome is "already", and its path "curated/tides.md"
    And the log has 1 line

    Examples:
      | item             |
      | drafts/tides.md  |
      | curated/tides.md |

  Scenario: A promotion that cannot be
    Given the file "curated/other.md" holds "Somebody else wrote this."
    And "drafts/away" is a link to "/tmp"
    When "<item>" is promoted to "<layer>"
    Then it is refused as "<code>", since "<reason>"
    And the file "curated/other.md" still holds "Somebody else wrote this."

    Examples:
      | item             | layer     | code         | reason                                   |
      | drafts/other.md  | curated   | not_promoted | curated/other.md is there                |
      | drafts/tides.md  | published | not_promoted | published is promoted from curated       |
      | drafts/tides.md  | raw       | not_promoted | takes what is put there                  |
      | drafts/tides.md  | final     | unknown_name | known: raw, curated, published           |
      | drafts/nobody.md | curated   | item_not_found | drafts/nobody.md                       |

  Scenario: What stands in no layer is put where a promotion can take it
    Given the file "all tides.md" holds "The moon pulls the tides."
    When "all tides.md" is promoted to "curated"
    Then it is refused as "not_promoted", since "all tides.md is in no layer"
    And the hint is "mv 'all tides.md' drafts/, then again"

  Scenario: What is in the way is named as a shell takes it
    Given the file "drafts/all tides.md" holds "The moon pulls the tides."
    And the file "curated/all tides.md" holds "Somebody else wrote this."
    When "drafts/all tides.md" is promoted to "curated"
    Then it is refused as "not_promoted", since "curated/all tides.md is there"
    And the hint is "biblicus editorial diff 'curated/all tides.md'"

  Scenario: Nothing is promoted through a link
    Given "curated" is a link to "/tmp"
    When "drafts/tides.md" is promoted to "curated"
    Then it is refused as "unsafe_input", since "curated is a symbolic link"
    And the folder holds "drafts/tides.md"

  Scenario: What has an edit pending is not promoted further
    Given "drafts/tides.md" was promoted to "curated"
    And "curated/tides.md" was since edited to "The sun does."
    When "curated/tides.md" is promoted to "published"
    Then it is refused as "not_promoted", since "is not approved in curated as it is now"

  Scenario: A retraction brings the file back
    Given "drafts/tides.md" was promoted to "curated"
    And "curated/tides.md" was promoted to "published"
    When "published/tides.md" is retracted
    Then the outcome is "retracted", and its path "curated/tides.md"
    And "curated/tides.md" is approved for "curated"

  Scenario: A layer may copy
    Given the layers
      """
      - {name: raw, path: "drafts/**"}
      - {name: published, path: "published/**", from: raw, by: copy}
      """
    And "drafts/tides.md" was promoted to "published"
    And "drafts/tides.md" was since edited to "The moon pulls the tides twice a day."
    When the editorial status is asked
    Then it is orphaned | path: published/tides.md | source: drafts/tides.md |
    And promoting "drafts/tides.md" to "published" brings the copy up to it

  Scenario: What was said of a published item stays when its text is promoted anew
    Given the file "drafts/tides.md.biblicus.yml" holds "tags: [sea]"
    And "drafts/tides.md" was promoted to "curated"
    And the file "drafts/tides.md" holds "The moon pulls the tides twice a day."
    When "drafts/tides.md" is promoted to "curated"
    Then the outcome is "promoted", and its path "curated/tides.md"
    And the file "curated/tides.md" still holds "The moon pulls the tides twice a day."
    And the file "curated/tides.md.biblicus.yml" still holds "tags: [sea]"
    And nothing is left to be said of the layers

  Scenario: The words of an earlier recording do not stay beside a new one
    Given the file "drafts/talk.mp4" holds "the first recording"
    And the file "drafts/talk.vtt" holds "WEBVTT\n\n00:01.000 --> 00:02.000\nThe old words.\n"
    And "drafts/talk.mp4" was promoted to "curated"
    And the file "drafts/talk.mp4" holds "the second recording"
    When "drafts/talk.mp4" is promoted to "curated"
    Then the outcome is "promoted", and its path "curated/talk.mp4"
    And the folder holds no "curated/talk.vtt"
    And nothing is left to be said of the layers

  Scenario: A copy that was promoted on is brought up to its draft once more, and stays the item that it is
    Given the layers
      """
      - {name: raw, path: "drafts/**"}
      - {name: curated, path: "curated/**", from: raw, by: copy}
      - {name: published, path: "published/**", from: curated}
      """
    And "drafts/tides.md" was promoted to "curated"
    And "curated/tides.md" was promoted to "published"
    And the id of "published/tides.md" is remembered
    And "drafts/tides.md" was since edited to "The moon pulls the tides twice a day."
    And "drafts/tides.md" was promoted to "curated"
    When "curated/tides.md" is promoted to "published"
    Then the outcome is "promoted", and its path "published/tides.md"
    And the file "published/tides.md" still holds "The moon pulls the tides twice a day."
    And the item "published/tides.md" keeps the id of "published/tides.md"
    And the folder holds no "curated/tides.md"

  Scenario: A copy that was promoted on twice goes back as the copy that it was
    Given the layers
      """
      - {name: raw, path: "drafts/**"}
      - {name: curated, path: "curated/**", from: raw, by: copy}
      - {name: published, path: "published/**", from: curated}
      """
    And "drafts/tides.md" was promoted to "curated"
    And "curated/tides.md" was promoted to "published"
    And "drafts/tides.md" was since edited to "The moon pulls the tides twice a day."
    And "drafts/tides.md" was promoted to "curated"
    And "curated/tides.md" was promoted to "published"
    When "published/tides.md" is retracted
    Then the outcome is "retracted", and its path "curated/tides.md"
    And nothing is left to be said of the layers

  Scenario: A layer without a folder is told by a key
    Given the layers
      """
      - {name: raw}
      - {name: published, from: raw}
      """
    When "drafts/tides.md" is promoted to "published"
    Then the outcome is "promoted", and its path "drafts/tides.md"
    And the file "drafts/tides.md.biblicus.yml" still holds "layer: published\n"
    And "drafts/tides.md" is approved for "published"

  Scenario: What a layer copied is deleted by a retraction, unless it was edited
    Given the layers
      """
      - {name: raw, path: "drafts/**"}
      - {name: published, path: "published/**", from: raw, by: copy}
      """
    And "drafts/tides.md" was promoted to "published"
    And "drafts/other.md" was promoted to "published"
    And "published/other.md" was since edited to "Mine."
    And "published/other.md" was retracted
    When "published/tides.md" is retracted
    Then the outcome is "retracted", and its path "published/tides.md"
    And the folder holds no "published/tides.md"
    And the folder holds no "published/tides.md.biblicus.yml"
    And the file "drafts/tides.md" still holds "The moon pulls the tides daily."
    And the file "published/other.md" still holds "Mine."

  Scenario: What is approved and gone can be taken back, too
    Given "drafts/tides.md" was promoted to "curated"
    And "curated/tides.md" was since deleted
    When "curated/tides.md" is retracted
    Then the outcome is "retracted", and its path "curated/tides.md"
    And nothing is left to be said of the layers

  Scenario: What a key told is told otherwise by a retraction
    Given the layers
      """
      - {name: raw}
      - {name: published, from: raw}
      """
    And "drafts/tides.md" was promoted to "published"
    When "drafts/tides.md" is retracted
    Then the outcome is "retracted", and its path "drafts/tides.md"
    And the file "drafts/tides.md.biblicus.yml" still holds "layer: raw\n"
    And "drafts/tides.md" is approved for "raw"

  Scenario: As many reviewers as the layer asks for
    Given the layers
      """
      - {name: raw, path: "drafts/**"}
      - {name: published, path: "published/**", from: raw, requires: {reviews: 2}}
      """
    And "drafts/tides.md" was promoted to "published" by "Ana"
    And "drafts/tides.md" was promoted to "published" by "Ana"
    And the folder holds no published file
    When "drafts/tides.md" is promoted to "published" by "Ben"
    Then the outcome is "promoted", and its path "published/tides.md"
    And the log says
      | happened | layer     | by  |
      | promoted | published | Ben |
      | reviewed | published | Ana |

  Scenario: An edit between two reviews counts them anew
    Given the layers
      """
      - {name: raw, path: "drafts/**"}
      - {name: published, path: "published/**", from: raw, requires: {reviews: 2}}
      """
    And "drafts/tides.md" was promoted to "published" by "Ana"
    And "drafts/tides.md" was since edited to "The sun does."
    When "drafts/tides.md" is promoted to "published" by "Ben"
    Then the outcome is "reviewed", and its path "drafts/tides.md"

  Scenario: Checks that a layer asks for
    Given the layers
      """
      - {name: raw, path: "drafts/**"}
      - {name: published, path: "published/**", from: raw, requires: {checks: [<check>]}}
      """
    And the file "drafts/tides.md" holds "<text>"
    When "drafts/tides.md" is promoted to "published"
    Then it is refused as "not_promoted", since "<reason>"

    Examples:
      | check  | text                                                        | reason                        |
      | links  | See [the lamp](lamp.md).                                    | published/lamp.md is not there |
      | verify | ---\nderived_from: [{item: gone.md, sha256: abc}]\n---\nSo. | gone.md is not in the corpus  |
      | verify | ---\nderived_from: [{item: drafts/other.md, sha256: abc}]\n---\nSo. | drafts/other.md changed |
