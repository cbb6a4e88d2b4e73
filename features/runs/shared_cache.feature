Feature: A team parses and embeds once
  Where the user's settings name a shared cache, what one machine parsed or embedded is fetched by the others. Each entry
  is sealed with a key of the user's, under a name that says what it was made from. What is anything else counts as
  absent, and so does a cache that is away: a build never fails for it.

  Background:
    Given a model that knows what words mean
    And a corpus with the items
      | path         | text                                         |
      | sea/gulls.md | # Gulls\n\nGulls follow boats at ebb.        |
      | ropes.txt    | Cords are coiled on deck by the bosun.       |
    And the PDF "rules.pdf" with the pages | text: # Rules\nAll berths have water and power from May to October. |
    And the PDF "fees.pdf" with the pages | text: # Fees\nIt is 12 euros a night, with power. |
    And what parsers do is counted

  Scenario: Another machine parses and embeds nothing, and gives the same evidence
    Given a shared cache
    And runs of "lexical" and "hybrid" that share what they make
    And we are in a clone of the corpus, on another machine
    When "lexical" and "hybrid" are built
    Then parsers read 0 files, and the model 0 texts
    And 6 entries were fetched, 0 put and 0 refused
    And the built runs are those of the original
    And every committed file is as it was
    When "gulls at ebb" is asked
    Then the evidence is that of the original

  Scenario: After an edit only what is new is made, and shared
    Given a shared cache
    And runs of "lexical" and "hybrid" that share what they make
    And we are in a clone of the corpus, on another machine
    And the PDF "fees.pdf" with the pages | text: # Fees\nIt is 14 euros a night by now. |
    When "lexical" and "hybrid" are built
    Then parsers read 1 files, and the model 1 texts
    And 4 entries were fetched, 2 put and 0 refused

  Scenario: What is not what was put there is made anew
    Given a shared cache
    And runs of "lexical" and "hybrid" that share what they make
    And the entries of the shared cache were since, one after the other
      | altered                       |
      | changed by a bit              |
      | cut short                     |
      | emptied                       |
      | replaced by another           |
      | sealed with another key       |
      | replaced by a link to it      |
    And we are in a clone of the corpus, on another machine
    When "lexical" and "hybrid" are built
    Then parsers read 2 files, and the model 4 texts
    And 0 entries were fetched, 6 put and 6 refused
    And the built runs are those of the original
    And the shared cache holds nothing but 6 sealed entries of ours

  Scenario: Who has another key finds nothing, and puts nothing in its place
    Given a shared cache
    And runs of "lexical" and "hybrid" that share what they make
    And we are in a clone of the corpus, on another machine
    And the key of the shared cache is another
    When "lexical" and "hybrid" are built
    Then parsers read 2 files, and the model 4 texts
    And 0 entries were fetched, 6 put and 0 refused
    When the key of the shared cache is the first again
    Then another machine fetches 6 entries

  Scenario Outline: A cache that cannot be used costs a line
    Given a shared cache
    And the shared cache <trouble>
    When "lexical" and "hybrid" are built
    Then the built runs are complete
    And it is told that the shared cache <told>

    Examples:
      | trouble                           | told                       |
      | is away                           | is not used (no such folder |
      | has a key that is too short       | is not used (shared_cache   |
      | has no key                        | is not used (shared_cache   |
      | never answers                     | is not used (nothing came   |
      | is in the cloud, which is away    | is not used (the cloud is away |
      | is in the cloud, which is full    | nothing more is put there (the cloud is full |

  Scenario: In the cloud as in a folder
    Given a shared cache in the cloud
    And runs of "lexical" and "hybrid" that share what they make
    And we are in a clone of the corpus, on another machine
    When "lexical" and "hybrid" are built
    Then parsers read 0 files, and the model 0 texts
    And 6 entries were fetched, 0 put and 0 refused

  Scenario: Nothing goes out of what a password opens
    Given a shared cache
    And the document "secret.docx" with | style: Normal | text: The strongbox is at berth 9 |
    And "secret.docx" was since locked with the password "ebb tide"
    And the setting "passwords" is "secret.docx: ebb tide"
    And runs of "lexical" and "hybrid" that share what they make
    And we are in a clone of the corpus, on another machine
    When "lexical" and "hybrid" are built
    Then parsers read 1 files, and the model 1 texts
    And 6 entries were fetched, 0 put and 0 refused

  Scenario: Nor later, when the password is at hand no more
    Given the document "secret.docx" with | style: Normal | text: The strongbox is at berth 9 |
    And "secret.docx" was since locked with the password "ebb tide"
    And the setting "passwords" is "secret.docx: ebb tide"
    And a sealed run "first"
    And the setting "passwords" is "{}"
    And a shared cache
    When "lexical" and "hybrid" are built
    Then the shared cache holds nothing but 4 sealed entries of ours

  Scenario: Only the folders that are named share
    Given a shared cache for the folder "elsewhere"
    When "lexical" and "hybrid" are built
    Then the shared cache holds nothing but 0 sealed entries of ours

  Scenario: A corpus names no cache
    Given a sealed run "first"
    And the corpus's configuration adds
      """
      shared_cache: {by: folder, path: /tmp}
      """
    When the corpus is reindexed
    Then it is refused as "invalid_file"

  Scenario: Two builders at once
    Given a shared cache
    When two machines build the corpus at the same time
    Then the shared cache holds nothing but 6 sealed entries of ours
    And another machine fetches 6 entries

  Scenario: It is bounded, the oldest first, where the settings say so
    Given a shared cache
    And runs of "lexical" and "hybrid" that share what they make
    And the bound of the shared cache is 0 bytes
    When the cache is pruned
    Then the shared cache holds nothing but 0 sealed entries of ours
