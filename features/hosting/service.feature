Feature: A service over HTTP
  Other programs ask a corpus over HTTP and get the same evidence. Whoever has no business there is told so, and by
  nothing but a code and a sentence.

  Background:
    Given a corpus with the items
      | path      | text                  |
      | tides.txt | The moon pulls tides. |
      | lamp.txt  | The lamp burns oil.   |
    And a sealed run "first"

  Scenario: A question
    Given a service with a token to read
    When the service is asked | method: GET | address: /search?q=moon | token: valid |
    Then it answers 200
    And its evidence comes from "tides.txt"
    And its answer names its index version

  Scenario: An answer with its citations
    Given a service with a token to read
    When the service is asked | method: GET | address: /answer?q=What+pulls+tides%3F&k=3 | token: valid |
    Then it answers 200
    And its answer "The moon pulls tides." cites "tides.txt"
    And its answer names its index version
    And its answer verifies

  Scenario Outline: A question with a threshold of its own
    Given a service with a token to read
    When the service is asked | method: GET | address: /search?q=moon+over+Reykjavik&threshold=<threshold> | token: valid |
    Then it answers 200
    And its evidence is <judgement>

    Examples: one after the other
      | threshold | judgement    |
      | 0         | sufficient   |
      | 1         | insufficient |

  Scenario Outline: A question that comes through other services
    Given a service with a token to read
    When the service is asked | method: GET | address: /search?q=moon | token: valid | through: <through> |
    Then it answers <status>

    Examples: one after the other
      | through     | status |
      | a           | 200    |
      | a b c d e   | 200    |
      | a b c d e f | 508    |
      | u v w x y z | 200    |

  Scenario: Exact text names the index beside it
    Given a service with a token to read
    When the text of "tides.txt" is retrieved from the service
    Then it answers 200
    And its answer names its index version

  Scenario Outline: An answer that cannot be asked for
    Given a service with a token to read
    When the service is asked | method: GET | address: <address> | token: valid |
    Then it answers <status> as "<code>"

    Examples: one after the other
      | address                        | status | code              |
      | /answer?q=moon&k=1001          | 400    | usage             |
      | /answer?q=moon&answerer=nosuch | 400    | unknown_name      |
      | /answer?q=moon&persona=nosuch  | 404    | persona_not_found |
      | /answer?q=moon&recipe=a.yml    | 400    | usage             |
      | /answer?q=+                    | 400    | blank_question    |

  Scenario: A public address that is none
    When I type "biblicus serve --public-url notes.example"
    Then the exit code is 2
    And standard error says "biblicus serve --public-url https://notes.example"

  Scenario: A token is shown once
    When I type "biblicus token new --scope ingest --name laptop --token-file kept.json --json"
    Then standard output is one document with "token"
    And the token is nowhere in "kept.json"
