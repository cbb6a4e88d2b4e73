Feature: A persona is a file, checked before it answers
  A persona says who answers: with which manual, recipe, style and limits. It is data that may come from a stranger: it
  points to what came with it or to a name of the user's own, and loosens nothing.

  Background:
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"

  Scenario: No personas yet
    When the personas are listed
    Then there are no personas

  Scenario: A new persona passes its check
    Given a new persona "keeper" was written
    When the persona "keeper" is checked
    Then the persona holds

  Scenario: Personas are listed, a broken one too
    Given the persona "keeper" is
      """
      name: The keeper
      description: Knows the tides.
      """
    And the persona "broken" is
      """
      nmae: The one who cannot write
      """
    When the personas are listed
    Then the personas are
      | id     | name       | description       |
      | broken | -          | -                 |
      | keeper | The keeper | Knows the tides.  |

  Scenario: An existing persona is never overwritten
    Given a new persona "keeper" was written
    When a new persona "keeper" is written
    Then it is refused as "usage"
    And the hint is "edit .biblicus/personas/keeper.yml"

  Scenario: A persona that does not exist
    When the persona "nobody" is shown
    Then it is refused as "persona_not_found"
    And the hint is "biblicus personas list"

  Scenario: A manual, its index and a recipe that are there
    Given a manual in "../manual" with the items | path: tides.md | text: # Tides\n\nAsk for the **moon**. |
    And the persona "keeper" is
      """
      name: The keeper
      manual_corpus: ../manual
      recipe: lexical
      """
    When the persona "keeper" is checked
    Then the persona holds

  Scenario Outline: What a check finds
    Given the persona "keeper" is
      """
      name: The keeper
      <line>
      """
    When the persona "keeper" is checked
    Then the persona does not hold, for "<reason>"

    Examples:
      | line                        | reason                                         |
      | recipies: lexical           | did you mean "recipe"                          |
      | id: captain                 | its file says other                            |
      | recipe: nosuch              | There is no recipe "nosuch"                    |
      | recipe: ../evil             | recipe                                         |
      | budget: {items: 0}          | budget.items                                   |
      | limits: {queries: 1000}     | limits.queries                                 |
      | focus: {entites: [boat]}    | did you mean "entities"                        |
      | manual_corpus: nosuch       | there is no corpus in nosuch                   |
      | manual_corpus: .            | a corpus of its own                            |
      | manual_corpus: /etc         | is a relative path or corpus://NAME            |
      | manual_corpus: ../../etc    | lies outside                                   |
      | manual_corpus: https://x.io | is a relative path or corpus://NAME            |
      | manual_corpus: corpus://x   | No corpus is named "x" here                    |
      | name: &a Anchored           | twice                                          |
      | style: &a Anchored          | anchors                                        |

  Scenario: A manual that was not indexed yet
    Given a manual in "manual" with the items, not indexed | path: tides.md | text: # Tides\n\nAsk for the **moon**. |
    And the persona "keeper" is
      """
      name: The keeper
      manual_corpus: manual
      """
    When the persona "keeper" is checked
    Then the persona does not hold, for "has no run yet"

  Scenario: A manual whose items are the corpus's too
    Given a manual in "manual" with the items | path: tides.md | text: # Tides\n\nAsk for the **moon**. |
    And the persona "keeper" is
      """
      name: The keeper
      manual_corpus: manual
      """
    And the corpus was reindexed
    When the persona "keeper" is checked
    Then the persona holds, with the note "add manual/ to .biblicusignore"

  Scenario: What has no effect without a model is said
    Given the persona "keeper" is
      """
      name: The keeper
      style: Short sentences.
      """
    When the persona "keeper" is checked
    Then the persona holds, with the note "these change nothing: style"
