Feature: The profile memos
  A personal knowledge base over HTTP: each text goes in once, answers come out with the chunks that they stand on.

  Background:
    Given a corpus with the items
      | path      | text                                                                                    |
      | tides.txt | ---\ntags: [sea]\n---\nThe moon pulls the tides of the sea. Spring tides come at full moon. |
      | lamp.txt  | The lamp of the harbour burns oil.                                                      |
    And a sealed run "first"
    And a service with the profile "memos" for who may write

  Scenario: A text is kept
    When its client calls
      | method | address | body                                                                                                                              |
      | POST   | /ingest | {"text": "Grey seals rest on the sandbank when the tide is out.", "tags": ["seals"], "source": "note", "created_at": "2026-05-01"} |
    Then it answers 201
    And its answer has "chunk_count, chunk_ids, document_id, tags"
    And its answer says
      | what        | value     |
      | chunk_count | 1         |
      | tags        | ["seals"] |

  Scenario: The same text in other clothes is refused, and the first one named
    Given its client kept "The keeper said: \"Grey seals rest here\", and left the harbour."
    When its client calls | method: POST | address: /ingest | body: {"text": "  The keeper said:\n“Grey seals   rest here”, and left the harbour.\u0007 ", "tags": []} |
    Then it answers 409 as "duplicate"
    And it names the document that was kept

  Scenario Outline: The same text from another word, with other tags or of another day is the first document still
    Given its client kept "Grey seals rest on the sandbank when the tide is out." from "cli"
    When its client calls | method: POST | address: /ingest | body: {"text": "Grey seals rest on the sandbank when the tide is out."<and>, "tags": []} |
    Then it answers 409 as "duplicate"
    And it names the document that was kept
    And the document that was kept has the source "cli" and the tags ""

    Examples:
      | and                                       |
      | , "source": "web"                         |
      | , "source": "https://example.org/seals"   |
      | , "created_at": "2026-01-02"              |

  Scenario: The same text with other tags
    Given its client kept "Grey seals rest on the sandbank when the tide is out." from "cli"
    When its client calls | method: POST | address: /ingest | body: {"text": "Grey seals rest on the sandbank when the tide is out.", "tags": ["seals"]} |
    Then it answers 409 as "duplicate"
    And the document that was kept has the source "cli" and the tags ""

  Scenario: Our own tool keeps to the same rule
    Given its client kept "Grey seals rest on the sandbank when the tide is out." from "cli"
    And an agent with the profile "memos" that may write
    When it calls the tool "knowledge_base_ingest" with
      """
      {"text": "Grey seals rest on the sandbank when the tide is out.", "source": "web", "tags": ["seals"]}
      """
    Then its answer says | what: outcome | value: "duplicate" |
    And the document that was kept has the source "cli" and the tags ""

  Scenario Outline: A word that many clients send is no key
    Given its client kept "Grey seals rest on the sandbank when the tide is out." from "<source>"
    When its client calls | method: POST | address: /ingest | body: {"text": "Common seals rest on the rocks when the tide comes in.", "source": "<source>"} |
    Then it answers 201
    And the corpus has 4 items

    Examples:
      | source                  |
      | web                     |
      | https://example.org/one |

  Scenario Outline: What is not taken
    When its client calls | method: POST | address: /ingest | body: <body> | type: <type> |
    Then it answers 422 as "unfit_input"

    Examples: one after the other
      | body                                                                                              | type             |
      | {"text": "Too short."}                                                                            | application/json |
      | {"text": "a                                                                               b"}     | application/json |
      | {"tags": ["seals"]}                                                                               | application/json |
      | {"text": "Grey seals rest on the sandbank when the tide is out.", "tag": "seals"}                 | application/json |
      | {"text": "Grey seals rest on the sandbank when the tide is out.", "created_at": "yesterday"}      | application/json |
      | {"text": "Grey seals rest on the sandbank when the tide is out.", "created_at": "2020-13-45"}     | application/json |
      | {"text": "Grey seals rest on the sandbank when the tide is out.", "created_at": "20201345"}       | application/json |
      | {"text": "Grey seals rest on the sandbank when the tide is out.", "created_at": "2026-05-01x10"}  | application/json |
      | {"text": "Grey seals rest on the sandbank when the tide is out."}                                 | text/plain       |

  Scenario Outline: A day or a time, whichever of these forms of ISO 8601 it has
    When its client calls | method: POST | address: /ingest | body: {"text": "Grey seals rest on the sandbank when the tide is out.", "created_at": "<created_at>"} |
    Then it answers 201
    When its client calls | method: GET | address: /search?q=seals&since=2026-05-01&until=2026-05-01 |
    Then its answer says | what: evidence.0.title | value: "Grey seals rest on the sandbank when the tide is out." |

    Examples:
      | created_at                |
      | 2026-05-01T10:00:00+02:00 |
      | 2026-05-01 10:00          |
      | 20260501                  |
      | 20260501T100000Z          |
      | 2026-W18-5                |

  Scenario: Tags are words, however they are written
    When its client calls | method: POST | address: /ingest | body: {"text": "Grey seals rest on the sandbank when the tide is out.", "tags": ["", " Sea  fauna ", "Sea fauna"]} |
    Then it answers 201
    And its answer says | what: tags | value: ["Sea fauna"] |
    When its client calls | method: GET | address: /answer?q=seals+on+sandbanks&tag=&tag=+Sea++fauna |
    Then its answer says | what: debug.retrieved | value: 1 |

  Scenario: A text that is too long
    When its client sends a text of 200001 characters
    Then it answers 422 as "unfit_input"

  Scenario: A short text, and the setting that lets it in
    When its client calls | method: POST | address: /ingest | body: {"text": "Alice met Bob.\n\nThey built a PKB MVP.", "tags": ["demo", "notes"], "source": "cli"} |
    Then it answers 422 as "unfit_input"
    And the hint of its answer says "BIBLICUS_MEMOS_SHORTEST"

  Scenario: A short text, where the user takes them
    Given the setting "memos_shortest" is "20"
    When its client calls | method: POST | address: /ingest | body: {"text": "Alice met Bob.\n\nThey built a PKB MVP.", "tags": ["demo", "notes"], "source": "cli"} |
    Then it answers 201

  Scenario: An answer
    Given a service with the profile "memos"
    When its client calls | method: GET | address: /answer?q=What+pulls+the+tides%3F&k=1000 |
    Then its answer has "answer, citations, confidence, debug"
    And its "citations.0" has "chunk_id, preview, score"
    And its answer says
      | what                | value                                  |
      | answer              | "The moon pulls the tides of the sea." |
      | citations.0.preview | "The moon pulls the tides of the sea. Spring tides come at full moon." |

  Scenario: As many chunks as were asked for, whatever the recipe's budget
    Given its client kept a text of 30 paragraphs about seals
    When its client calls | method: GET | address: /answer?q=seals&k=12 |
    Then its answer says | what: debug.retrieved | value: 12 |

  Scenario: A tag
    When its client calls | method: GET | address: /answer?q=What+burns+oil%3F&tag=sea |
    Then its answer says
      | what       | value |
      | answer     | ""    |
      | citations  | []    |
      | confidence | 0.0   |

  Scenario: Nothing is found
    When its client calls | method: GET | address: /answer?q=zeppelin&tag=nosuch |
    Then its answer says
      | what            | value |
      | answer          | ""    |
      | confidence      | 0.0   |
      | debug.retrieved | 0     |

  Scenario Outline: What was found is measured
    When its client calls | method: GET | address: /answer?q=What+pulls+the+tides%3F&eval=true&gold=<gold> |
    Then its "debug.metrics" has "retrieval.hit_rate_at_k, retrieval.mean_score_top1, retrieval.mean_score_topk"
    And its answer says the hit rate <rate>

    Examples: one after the other
      | gold      | rate |
      | tides.txt | 1.0  |
      | lamp.txt  | 0.0  |

  Scenario: A model that cites nothing that holds
    Given a language model that the user calls "mine"
    And the model always says "{"statements": [{"text": "The sun does.", "citations": []}], "insufficient": false}"
    And the setting "answerer" is "llm"
    When its client calls | method: GET | address: /answer?q=What+pulls+the+tides%3F |
    Then its answer says
      | what            | value |
      | answer          | ""    |
      | confidence      | 0.0   |
      | debug.left_out  | 1     |
    And its "citations.0" has "chunk_id, preview, score"

  Scenario: A model that cites nothing, and whose sentences the best chunks support
    Given a language model that the user calls "mine"
    And the model always says "{"statements": [{"text": "The moon pulls the tides of the sea.", "citations": []}], "insufficient": false}"
    And the setting "answerer" is "llm"
    When its client calls | method: GET | address: /answer?q=What+pulls+the+tides%3F |
    Then its answer says
      | what                | value                                  |
      | answer              | "The moon pulls the tides of the sea." |
      | confidence          | 1.0                                    |
      | citations.0.preview | "The moon pulls the tides of the sea. Spring tides come at full moon." |

  Scenario: Ids as UUIDs, where the user wants them
    Given the setting "memos_ids" is "uuid"
    And its client kept "Grey seals rest on the sandbank when the tide is out." from "cli"
    When its client calls | method: POST | address: /ingest | body: {"text": "Grey seals rest on the sandbank when the tide is out.", "source": "web"} |
    Then it answers 409 as "duplicate"
    And it names the document that was kept
    And the ids that its client was given are UUIDs
    When its client asks "Where do seals rest?" with the chunk that it was given as gold
    Then its answer says the hit rate 1.0
    And the first citation is the chunk that it was given

  Scenario: Control characters are not kept
    Given its client kept "Grey seals \u0007rest on the sandbank when\u0000 the tide is out."
    When its client calls | method: GET | address: /answer?q=Where+do+seals+rest%3F |
    Then its answer says | what: citations.0.preview | value: "Grey seals rest on the sandbank when the tide is out." |

  Scenario Outline: How many chunks are looked at is a setting
    Given the setting "memos_k" is "<k>"
    And its client kept a text of 30 paragraphs about seals
    When its client calls | method: GET | address: /answer?q=seals |
    Then its answer says | what: debug.retrieved | value: <k> |

    Examples:
      | k  |
      | 12 |
      | 5  |

  Scenario: Where models are installed, nothing else is to be said
    Given the models of meaning are used
    And its client kept a text of 3 paragraphs about seals
    When its client calls | method: GET | address: /answer?q=Where+do+seals+rest%3F&eval=true |
    Then it was answered by the recipe "memos"
    And the scores of its citations are between 0 and 1
    And the recipe "memos" is
      | what                                | value                                                                 |
      | build.chunking.default.by           | sentences                                                             |
      | build.chunking.default.sentences    | 6                                                                     |
      | build.chunking.default.overlap      | 1                                                                     |
      | build.chunking.default.paragraphs   | true                                                                  |
      | query.retrieve.fusion.by            | min-max                                                               |
      | query.retrieve.fusion.weights       | {"lexical": 0.4, "vector": 0.6}                                       |
      | query.rerank.by                     | judge                                                                 |

  Scenario Outline: Wherever runs are kept, a text that goes in is found, and never goes in twice
    Given <kept>
    And the corpus was reindexed
    And its client kept "Grey seals rest on the sandbank when the tide is out." from "note"
    When its client calls | method: POST | address: /ingest | body: {"text": " Grey seals rest on the sandbank  when the tide is out. ", "tags": []} |
    Then it answers 409 as "duplicate"
    And it names the document that was kept
    When its client calls | method: GET | address: /answer?q=What+pulls+the+tides%3F&k=1000&eval=true&gold=tides.txt |
    Then its "debug.metrics" has "retrieval.hit_rate_at_k, retrieval.mean_score_top1, retrieval.mean_score_topk"
    And its answer says | what: citations.0.preview | value: "The moon pulls the tides of the sea. Spring tides come at full moon." |
    And its answer says the hit rate 1.0
    When its client calls | method: GET | address: /answer?q=What+pulls+the+tides%3F&tag=sea&k=50 |
    Then its answer says | what: debug.retrieved | value: 1 |
    When its client calls | method: GET | address: /answer?q=seals+on+sandbanks |
    Then its answer says | what: debug.retrieved | value: 1 |
    When its client calls | method: GET | address: /answer?q=zeppelin&tag=nosuch |
    Then its answer says
      | what       | value |
      | answer     | ""    |
      | confidence | 0.0   |
    And the corpus has 3 items

    Examples:
      | kept                                                           |
      | the user keeps runs on the disk                                |
      | the user keeps the runs of this folder in the database "team" |
