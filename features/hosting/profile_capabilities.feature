Feature: The profile capabilities
  A node offers corpora to others: it describes what can be called, takes documents by what they hold, tells of each,
  and asks another node for a corpus that it does not have. What is personal is offered to nobody.

  Background:
    Given a corpus with the items
      | path      | text                                        |
      | tides.txt | ---\ntags: [sea]\n---\nThe moon pulls tides. |
      | lamp.txt  | The lamp burns oil.                         |
    And a sealed run "first"

  Scenario: What it offers
    Given a node that serves "notes, personal, system"
    When its client calls | method: GET | address: /capabilities |
    Then each of its "capabilities" has "idempotent, max_concurrent, name, params, request_schema, response_schema, stability, stream_schema, timeout_seconds, trust_required, version"
    And its capabilities are
      | name             | corpus | trust_required | timeout_seconds |
      | rag.query        | notes  | member         | 10.0            |
      | rag.query        | system | member         | 10.0            |
      | rag.ingest       | -      | trusted        | 300.0           |
      | rag.list_corpora | -      | member         | 10.0            |
      | embed.text       | -      | member         | 60.0            |
    And its answer says
      | what                                    | value               |
      | capabilities.0.params.corpora_available | ["notes", "system"] |
      | capabilities.2.params.corpora_available | ["notes"]           |

  Scenario: Its corpora
    Given a node that serves "notes, personal, system"
    When its client calls | method: POST | address: /rag.list_corpora | body: {} |
    Then the "corpus" of its "corpora" are only "notes, system"
    And its answer says
      | what                        | value |
      | corpora.0.size_bytes        | 60    |
      | corpora.0.language_majority | "en"  |
      | corpora.1.writable          | false |

  Scenario: A question
    Given a node that serves "notes, personal"
    When its client calls | method: POST | address: /rag.query | body: {"corpus": "notes", "query": "moon lamp", "k": 3, "tags": ["sea"]} |
    Then the chunks are of "tides.txt" by its content id
    And its "chunks.0" has "chunk_id, citation_url, doc_cid, metadata, page, score, source_uri, text, title"
    And its "chunks.0.metadata" has "chunk_index, doc_cid, doc_title, language, page"

  Scenario Outline: A question as params and input, with a filter
    Given a node that serves "notes, personal"
    When its client calls | method: POST | address: /rag.query | body: {"params": {"corpus": "notes"}, "input": {"query": "moon lamp", "k": 8, "filter": {"<filter>": "<value>"}}} |
    Then the "source_uri" of its "chunks" are only "<found>"

    Examples: one after the other
      | filter   | value    | found               |
      | language | en       | lamp.txt, tides.txt |
      | language | de       |                     |
      | tags     | sea      | tides.txt           |
      | path     | lamp.txt | lamp.txt            |

  Scenario: Texts that another node wants embedded
    Given a node that serves "notes"
    When its client calls | method: POST | address: /embed.text | body: {"model": "minilm-int8", "texts": ["the moon", "a lamp"]} |
    Then its answer says
      | what       | value         |
      | dimensions | 384           |
      | model      | "minilm-int8" |
    And its answer has "dimensions, embeddings, fingerprint, model, ms, tokens"

  Scenario: Two nodes embed for each other
    Given two nodes, each of which embeds with the model of the other
    When a question by meaning is asked of each
    Then each answers with its own chunk, by vectors of the other

  Scenario Outline: What the places of its user call system is, too, by whatever name it is served
    Given the corpus is "system" among my places
    And a node that serves "notes" for who may write
    When its client calls | method: POST | address: <address> | body: <body> |
    Then it answers 403 in the category "unauthorized"

    Examples: one after the other
      | address     | body                                                              |
      | /reindex    | {}                                                                |
      | /rag.ingest | {"corpus": "notes", "content_base64": "R3JleSBzZWFscyByZXN0Lg=="} |

  Scenario Outline: Our own address keeps the first of equal texts, too
    Given a node that serves "notes" for who may write
    When its client calls | method: POST | address: /ingest | body: {"text": "Grey seals rest on the sandbank.", "source": "https://a.example/one"} |
    Then it answers 201
    When its client calls | method: POST | address: /ingest | body: {"text": "Grey  seals rest on the sandbank.", "tags": ["x"], "source": "<source>"} |
    Then it answers 409 as "duplicate"
    And the corpus has 3 items

    Examples:
      | source                |
      | https://b.example/two |
      | cli                   |

  Scenario: A kept conversation is no chunk for a model
    Given the file "talk.md" holds "---\ndoctype: conversation\n---\nThe moon pulls tides, the moon pulls tides.\n"
    And a sealed run "second"
    And a node that serves "notes, personal"
    When its client calls | method: POST | address: /rag.query | body: {"corpus": "notes", "query": "moon"} |
    Then the "source_uri" of its "chunks" are only "tides.txt"

  Scenario Outline: What it says instead of an answer
    Given a node that serves "notes, personal, system" for who may <scope>
    When its client calls | method: POST | address: <address> | body: <body> |
    Then it answers <status> in the category "<category>"

    Examples:
      | scope | address     | body                                                                                           | status | category     |
      | read  | /rag.query  | {"corpus": "nosuch", "query": "moon"}                                                          | 404    | not_found    |
      | read  | /rag.query  | {"corpus": "personal", "query": "moon"}                                                        | 404    | not_found    |
      | read  | /query?corpus=personal | {"query": "moon"}                                                                   | 404    | not_found    |
      | read  | /rag.query  | {"params": {"corpus": "notes"}, "input": {"query": "moon", "filter": {"nosuch": "x"}}}         | 400    | bad_request  |
      | read  | /rag.query  | {"params": [], "input": {"query": "moon"}}                                                     | 400    | bad_request  |
      | read  | /embed.text | {"model": "nosuch", "texts": ["moon"]}                                                         | 400    | bad_request  |
      | read  | /embed.text | {"model": "minilm-int8", "texts": []}                                                          | 400    | bad_request  |
      | read  | /rag.query  | {"corpus": "notes", "query": "moon", "k": 101}                                                 | 400    | bad_request  |
      | read  | /rag.ingest | {"corpus": "notes", "content_base64": "R3JleSBzZWFscyByZXN0Lg=="}                              | 403    | unauthorized |
      | write | /rag.ingest | {"corpus": "system", "content_base64": "R3JleSBzZWFscyByZXN0Lg=="}                             | 403    | unauthorized |
      | write | /rag.ingest | {"corpus": "notes", "doc_cid": "sha256:0000000000000000000000000000000000000000000000000000000000000000"} | 404 | not_found |
      | write | /rag.ingest | {"corpus": "notes", "content_base64": "AAECAwQFBgc=", "filename": "a.bin"}                     | 422    | bad_request  |
      | write | /rag.ingest | {"corpus": "notes"}                                                                            | 400    | bad_request  |

  Scenario: A document by its bytes, and again
    Given a node that serves "notes" for who may write
    And its client ingested "Grey seals rest on the sandbank."
    When its client ingests "Grey seals rest on the sandbank." again
    Then its answer has "chunks_indexed, doc_cid, ingest_event_id, ms, tokens_indexed"
    And its answer is what it was the first time
    And the corpus has 3 items

  Scenario: A document with its language and metadata
    Given a node that serves "notes" for who may write
    And its client ingests
      """
      {"language": "de", "metadata": {"shelf": "north"}, "title": "Robben", "content_base64": "R3JleSBzZWFscyByZXN0Lg=="}
      """
    When its client calls | method: POST | address: /rag.query | body: {"corpus": "notes", "query": "seals", "filter": {"language": "de", "where": {"shelf": "north"}}} |
    Then its answer says
      | what                        | value    |
      | chunks.0.metadata.doc_title | "Robben" |
      | chunks.0.metadata.language  | "de"     |

  Scenario: The same words in other bytes are another document
    Given a node that serves "notes, other" for who may write
    And its client ingested "Grey seals rest on the sandbank."
    When its client ingests "Grey  seals rest on the sandbank." again
    Then it answers 200
    And the corpus has 4 items
    When its client ingests the content id of "Grey  seals rest on the sandbank." into "other"
    Then it answers 200

  Scenario: A document by its content id
    Given a node that serves "notes, other" for who may write
    When its client ingests "lamp.txt" into "other" by its content id
    Then its answer says | what: chunks_indexed | value: 1 |

  Scenario: A scan whose text nobody has recognised
    Given a node that serves "notes" for who may write
    When its client ingests the scan "skew.pdf"
    Then it answers 422 in the category "bad_request"
    And the hint of its answer says "ocrmypdf"
    And the corpus has 2 items

  Scenario: Others follow what is ingested
    Given a node that serves "notes" for who may write
    And its client ingested "Grey seals rest on the sandbank."
    When another node follows its events from the beginning
    Then the last event is "rag.document.ingested" of "Grey seals rest on the sandbank."
    And it has the id that its client was given

  Scenario: A corpus that another node has
    Given a node that serves "notes"
    And another node that serves "far", which is among the places of this one
    When its client calls | method: POST | address: /rag.query | body: {"corpus": "far", "query": "seals"} |
    Then its answer says
      | what          | value                              |
      | chunks.0.text | "Grey seals rest on the sandbank." |
      | forwarded     | true                               |

  Scenario: A node that cannot be reached
    Given a node that serves "notes"
    And "far" among my places is "http://127.0.0.1:9"
    When its client calls | method: POST | address: /rag.query | body: {"corpus": "far", "query": "seals"} |
    Then it answers 503 in the category "partition"

  Scenario: No embedder can be reached
    Given a server of models
    And the user defines the model "mine" at that server
    And the recipe "own" is "vector" with
      """
      build:
        legs: {vector: {engine: exact, embedder: mine}}
      """
    And a sealed run "meant" of the recipe "own"
    And the setting "default_recipe" is "own"
    And a node that serves "notes"
    And the server of models is stopped
    When its client calls | method: POST | address: /rag.query | body: {"corpus": "notes", "query": "moon"} |
    Then it answers 503 in the category "partition"

  Scenario: A corpus that was built with another model
    Given a model that knows what words mean
    And a sealed run "meant" of the recipe "vector"
    And the setting "default_recipe" is "vector"
    And the model was since replaced by another
    When I type "biblicus serve --profile capabilities --port 0"
    Then the exit code is 5
    And standard error says "meaning-1"
    And standard error says "meaning-2"
    And standard error says "biblicus reindex -C"

  Scenario: A profile that there is not
    When I type "biblicus serve --profile nosuch"
    Then the exit code is 2
    And standard error says "memos, desk, capabilities"

  Scenario: Nothing but what is personal
    When I type "biblicus serve personal=. --profile capabilities --port 0"
    Then the exit code is 2
    And standard error says "never offered"

  Scenario Outline: The same as an agent, by the name that clients take and by the family's own
    Given an agent with the profile "capabilities"
    When it calls the tool "<tool>" with
      """
      {"corpus": "notes", "query": "moon"}
      """
    Then its answer says | what: chunks.0.text | value: "The moon pulls tides." |
    And the tools begin with "rag_query, rag_list_corpora"

    Examples: one after the other
      | tool      |
      | rag_query |
      | rag.query |

  Scenario Outline: What is personal answers its owner on this machine alone
    Given a service of "notes, personal" without tokens
    When <who> asks the corpus "personal" for "moon"
    Then it answers <status>

    Examples: one after the other
      | who                          | status |
      | its owner                    | 200    |
      | somebody through a proxy     | 404    |
      | another user of this machine | 404    |
