Feature: A recipe is tuned on one part of a dataset and checked on the other
  Settings are tried on questions that choose the best of them, and what it is worth is said on questions held out.
  Nothing is written unless it is asked for, and nothing is ever overwritten.

  Background:
    Given a corpus with the items
      | path       | text                                                                |
      | lamp.md    | # Lamp\n\nTrim the wick every evening.\n\nFill the tank with oil.   |
      | horn.md    | # Horn\n\nThe horn sounds in fog.\n\nIt needs compressed air.       |
      | boat.md    | # Boat\n\nThe boat is launched at high tide.\n\nIts rope is long.   |
      | garden.md  | # Garden\n\nCabbage grows behind the tower.\n\nGulls eat the seeds. |
    And the questions "keeper"
      | query           | relevant  |
      | lamp oil        | lamp.md   |
      | horn air        | horn.md   |
      | boat rope       | boat.md   |
      | garden seeds    | garden.md |
      | lamp evening    | lamp.md   |
      | horn fog        | horn.md   |
      | boat tide       | boat.md   |
      | garden cabbage  | garden.md |
    And the recipe "plain" is "lexical" with
      """
      build:
        chunking: {default: {by: sentences, sentences: 1, overlap: 0}}
        legs: {lexical: {engine: tantivy, title: none}}
      """
    And a sealed run "first" of the recipe "plain"

  Scenario: Settings of the query need no run of their own
    When the recipe "plain" is tuned on "keeper" over | over: retrieve.candidates=1,2,50 |
    Then 4 settings were tried on 4 questions, 4 held out
    And the runs that can be searched here are "first"

  Scenario: Settings of the build are tried on runs that go again
    When the recipe "plain" is tuned on "keeper" over
      | over                                   |
      | build.legs.lexical.title=none,prefix   |
      | build.chunking.default.sentences=1,8   |
    Then 4 settings were tried on 4 questions, 4 held out
    And the best is no worse than the recipe on either side
    And the runs that can be searched here are "first"
    And the folder holds no ".biblicus/recipes/tuned.yml"

  Scenario: The best is saved as a recipe, with its run, but not where it may be chance
    Given the questions "forms"
      | query     | relevant |
      | trimmed   | lamp.md  |
      | launches  | boat.md  |
      | sounding  | horn.md  |
    And the recipe "bare" is "lexical" with
      """
      build:
        legs: {lexical: {engine: tantivy, title: none, stemming: none}}
      """
    When the recipe "bare" is tuned on "forms" and saved as "tuned" over | over: build.legs.lexical.stemming=none,auto |
    Then nothing is saved, since "on the questions held out the difference may be chance"
    And the folder holds no ".biblicus/recipes/tuned.yml"
    When the recipe "bare" is tuned on all of "forms" and saved as "tuned", even if by chance, over | over: build.legs.lexical.stemming=none,auto |
    Then the recipe "tuned" differs from "bare" in | setting: build.legs.lexical.stemming | value: auto |
    And a query of "tuned" for "trimmed" returns evidence from "lamp.md"

  Scenario: An existing recipe is never overwritten
    When the recipe "plain" is tuned on "keeper" and saved as "plain" over | over: retrieve.candidates=5 |
    Then it is refused as "usage"
    And the message says "exists"

  Scenario: The same seed gives the same outcome
    When the recipe "plain" is tuned twice on "keeper" over
      | over                                      |
      | retrieve.candidates=1..100:33             |
      | build.legs.lexical.title=none,prefix      |
    Then both outcomes are the same

  Scenario Outline: A mistake names the nearest known word
    When the recipe "plain" is tuned on "keeper" over | over: <over> |
    Then it is refused as "usage"
    And the message says "<says>"

    Examples: one after the other
      | over                                 | says                        |
      | qurey.retrieve.candidates=5          | did you mean "query"        |
      | retreive.candidates=5                | did you mean "retrieve"     |
      | retrieve.candidats=5                 | did you mean "candidates"   |
      | build.chunking.default.sentencs=5    | did you mean "sentences"    |
      | retrieve.candidates=0                | greater than or equal to 1  |
      | retrieve.candidates.of=3             | leads nowhere               |
      | budget.items=3,5                     | changes no ranking          |
      | retrieve.candidates=9..3:1           | from the lower              |
      | retrieve.candidates=1..1000:1        | less than 200               |
      | retrieve.candidates                  | is not KEY=                 |
      | retrieve.candidates=20               | the recipe as it stands     |
