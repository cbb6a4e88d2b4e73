Feature: The profile desk
  Clients that cite repositories ask a service in words of their own, over HTTP and as an agent alike: documents, lines,
  addresses that can be opened, and no answer where the evidence is too thin.

  Background:
    Given a corpus with the items
      | path              | text                                                                                             |
      | alpha/README.md   | ---\ntoolkit: alpha\nsource: {kind: git, uri: "https://github.com/ada/alpha/blob/0123456789abcdef0123456789abcdef01234567/README.md"}\n---\n# Install\n\nInstall alpha with conda.\n\n# Options\n\nSet retries to three. |
      | alphabet/guide.md | ---\ntoolkit: alphabet\n---\n# Install\n\nInstall alphabet with conda or pip.\n\nSet retries to five, always retries. |
    And a sealed run "first"
    And a service with the profile "desk"

  Scenario: A hit says where it can be opened
    When its client calls | method: GET | address: /search?query=alpha+install+with+conda&toolkit=alpha |
    Then its answer has "hits, index_version, insufficient, message, strength"
    And its "hits.0" has "content_sha256, default_branch, doc_id, doctype, end, github_url, heading, index_version, path, rank, score, snippet, start, title, toolkit"
    And its answer says
      | what               | value                                                   |
      | hits.0.path        | "alpha/README.md"                                       |
      | hits.0.toolkit     | "alpha"                                                 |
      | hits.0.doctype     | "readme"                                                |
      | hits.0.github_url  | "https://github.com/ada/alpha/blob/0123456789abcdef0123456789abcdef01234567/README.md?plain=1#L5-L11" |
      | insufficient       | false                                                   |
      | message            | ""                                                      |

  Scenario: A document of a repository tells the branch that is followed
    Given a repository "harbour" with the files | path: tide.md | text: The moon pulls the seaweed. |
    And the repository "harbour" is a source with | web: https://github.com/ada/harbour |
    And the sources were synced
    And the corpus was reindexed
    When its client calls | method: GET | address: /search?query=seaweed |
    Then its answer says
      | what                  | value                     |
      | hits.0.path           | "imports/harbour/tide.md" |
      | hits.0.default_branch | "trunk"                   |

  Scenario Outline: A toolkit's look-alike does not answer for it, however the toolkit is spelled
    When its client calls | method: GET | address: /search?query=retries&toolkit=<toolkit>&limit=6 |
    Then the "path" of its "hits" are only "alpha/README.md"

    Examples: one after the other
      | toolkit |
      | alpha   |
      | Alpha   |

  Scenario Outline: Where the evidence is too thin
    When its client calls | method: GET | address: /search?query=<question> |
    Then its answer says
      | what         | value                   |
      | insufficient | true                    |
      | message      | "Insufficient evidence" |
      | hits         | []                      |

    Examples: one after the other
      | question                                |
      | install+gamma+with+conda&toolkit=gamma  |
      | retries+zeppelin+parade&threshold=0.9   |
      | VBBL+install+with+conda&threshold=0.1   |

  Scenario Outline: A threshold of the question stands in the place of the recipe's
    When its client calls | method: GET | address: /search?query=install+alpha+with+conda+zeppelin+parade<threshold> |
    Then its answer says
      | what         | value          |
      | insufficient | <insufficient> |
      | hits.0.path  | "alpha/README.md" |

    Examples: one after the other
      | threshold       | insufficient |
      |                 | true         |
      | &threshold=0.01 | false        |

  Scenario: The lines of a hit
    When its client calls | method: POST | address: /retrieve | body: {"doc_id": "alpha/README.md", "start": 7, "end": 7} |
    Then its answer has "content_sha256, doc_id, end, github_url, index_version, start, text"
    And its answer says | what: text | value: "Install alpha with conda.\n" |

  Scenario Outline: Several at once
    When its client calls
      | method | address         | body                                                                                                            |
      | POST   | /retrieve/batch | {"<name>": [{"doc_id": "alpha/README.md", "start": 7, "end": 7}, {"doc_id": "nosuch", "start": 1, "end": 1}]} |
    Then its answer says
      | what                 | value                          |
      | results.0.text       | "Install alpha with conda.\n" |
      | results.1.error.code | "item_not_found"               |

    Examples: one after the other
      | name     |
      | requests |
      | items    |

  Scenario: The tree
    When its client calls | method: GET | address: /tree?prefix=alpha&max_entries=1 |
    Then its answer says
      | what             | value             |
      | entries.0.path   | "alpha/README.md" |
      | truncated        | false             |

  Scenario: Which index and which software
    When its client calls | method: GET | address: /version |
    Then its answer has "build_sha, built_at, index_version"

  Scenario: Whether it answers, without a token
    Given the service has opened its indexes
    When a stranger calls | method: GET | address: /health |
    Then its answer says | what: state | value: "ok" |

  Scenario: A weight needs the right to write
    When its client calls | method: POST | address: /weight | body: {"doc_id": "alpha/README.md", "multiplier": 2} |
    Then it answers 403 as "scope_missing"
    And its answer names its trace

  Scenario: A weight
    Given a service with the profile "desk" for who may write
    When its client calls | method: POST | address: /weight | body: {"doc_id": "alpha/README.md", "multiplier": 2, "namespace": "alpha", "ttl_days": 30} |
    Then its answer says
      | what       | value   |
      | multiplier | 2.0     |
      | namespace  | "alpha" |

  Scenario: The same as an agent
    Given an agent with the profile "desk"
    When it calls the tool "search" with
      """
      {"query": "alpha install with conda", "toolkit": "alpha"}
      """
    Then its answer says | what: hits.0.path | value: "alpha/README.md" |
    And the tools begin with "search, retrieve, retrieve_batch, tree, version, health"

  Scenario: As an agent, too, a toolkit that is not here has no evidence
    Given an agent with the profile "desk"
    When it calls the tool "search" with
      """
      {"query": "How do I install VBMicrolensing with conda?"}
      """
    Then its answer says
      | what         | value                   |
      | insufficient | true                    |
      | message      | "Insufficient evidence" |

  Scenario: A tool that there is not
    Given an agent with the profile "desk"
    When it calls the tool "serch", which there is not
    Then it is told
      """
      There is no tool "serch"; known: search, retrieve, retrieve_batch, tree, version, health, knowledge_base_query,
      """

  Scenario Outline: Its other tools
    Given an agent with the profile "desk" that may write
    When it calls the tool "<tool>" with
      """
      <arguments>
      """
    Then its answer says | what: <what> | value: <value> |

    Examples: one after the other
      | tool           | arguments                                                                    | what            | value                         |
      | retrieve       | {"doc_id": "alpha/README.md", "start": 7, "end": 7}                          | text            | "Install alpha with conda.\n" |
      | retrieve/batch | {"requests": [{"doc_id": "alpha/README.md", "start": 7, "end": 7}]}          | results.0.start | 7                             |
      | retrieve_batch | {"requests": [{"doc_id": "alpha/README.md", "start": 7, "end": 7}]}          | results.0.end   | 7                             |
      | tree           | {"prefix": "alpha"}                                                          | entries.0.kind  | "item"                        |
      | weight         | {"doc_id": "alpha/README.md", "multiplier": 0.5}                             | outcome         | "set"                         |
      | list_tree      | {"prefix": "alpha", "depth": 1, "max_entries": 9}                            | entries.0.kind  | "item"                        |
      | set_weight     | {"doc_id": "alpha/README.md", "multiplier": 2, "namespace": "team", "ttl_days": 3} | outcome   | "set"                         |
      | health         | {}                                                                           | state           | "ok"                          |

  Scenario Outline: The family's names for our tools' arguments
    Given an agent with the profile "desk" that may write
    When it calls the tool "<tool>" with
      """
      <arguments>
      """
    Then its answer says | what: <what> | value: <value> |

    Examples: one after the other
      | tool                  | arguments                                                       | what            | value                         |
      | knowledge_base_query  | {"q": "conda", "k": 1, "doctype": "readme"}                     | evidence.0.path | "alpha/README.md"             |
      | knowledge_base_get    | {"doc_id": "alpha/README.md", "start": 7, "end": 7}             | results.0.text  | "Install alpha with conda.\n" |
      | knowledge_base_tree   | {"prefix": "alpha", "depth": 1, "max_entries": 5}               | nodes.0.path    | "alpha/README.md"             |
      | knowledge_base_weight | {"doc_id": "alpha/README.md", "multiplier": 3}                  | outcome         | "set"                         |
