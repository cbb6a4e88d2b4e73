Feature: A publication is sealed over what is approved
  Under its name the same questions give the same evidence, on any machine, whatever was edited, approved or retracted
  since.

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

  Scenario: It holds what was approved, and nothing else
    When "spring" is published
    Then it holds 1 item of "published"
    And the publication "spring" answers "moon" with "The moon pulls the tides daily."

  Scenario: It stays what it was
    Given "spring" was published
    And "published/tides.md" was since edited to "The moon pushes the tides weekly."
    And "published/tides.md" was promoted to "published"
    And "drafts/lamp.md" was promoted to "published"
    And everything counts twice as much
    When the corpus is reindexed
    Then the publication "spring" answers "moon" as before

  Scenario: What was retracted since is in it still
    Given "spring" was published
    And "published/tides.md" was retracted
    When the corpus is reindexed
    Then the publication "spring" answers "moon" as before

  Scenario: It is the same on another machine
    Given "spring" was published
    And "published/tides.md" was since edited to "The moon pushes the tides weekly."
    And "published/tides.md" was promoted to "published"
    When the corpus is cloned to another machine, and reindexed there
    Then the publication "spring" answers "moon" as before

  Scenario: A name is never another publication's
    Given "spring" was published
    And "drafts/lamp.md" was promoted to "published"
    When "spring" is published
    Then it is refused as "usage", since "spring is published, and is never another"

  Scenario: The same once more
    Given "spring" was published
    When "spring" is published
    Then the publication is "already" there

  Scenario: There is nothing to publish
    Given "published/tides.md" was retracted
    When "spring" is published
    Then it is refused as "not_promoted", since "Nothing is approved for published"

  Scenario: No publication is pruned
    Given "spring" was published
    When the run of "spring" is deleted
    Then it is refused as "usage", since "is the publication spring"
    And the publication "spring" answers "moon" as before

  Scenario: A publication that is not there
    When the publication "autumn" is asked for "moon"
    Then it is refused as "publication_not_found", since "known: none"
