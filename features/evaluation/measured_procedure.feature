Feature: A whole procedure is held to what it must do
  A dataset says of a question what must come of it, whoever answers: the answerer, a persona, a prompt around a pack, or
  a command of one's own. Rules hold for many questions; each time one is broken, the words that show it are kept. It is
  measured beside the rankings, compared and guarded as recipes are.

  Background:
    Given a corpus with the items
      | path      | text                                                                     |
      | lamp.txt  | The lamp of the harbour was lit in 1842. It burns oil.                   |
      | boats.txt | A visiting boat pays 12 pounds a night. Members of the club pay nothing. |
      | horn.txt  | The fog horn sounds twice a minute when the fog is thick.                |
    And a sealed run "first"
    And the dataset "keeper" says
      """
      {"id": "lit", "query": "When was the lamp of the harbour lit?", "relevant": ["lamp.txt"], "must": {"cite": ["lamp.txt"], "contain": ["1842"], "proved": true, "words": 40, "tokens": 0}}
      {"id": "pays", "query": "What does a visiting boat pay a night?", "relevant": ["boats.txt"], "tags": ["money"], "must": {"cite": ["lamp.txt"], "not_contain": ["crowns"]}}
      {"id": "opera", "query": "Which composer wrote the elephant's opera?", "must": {"refuse": true}}
      {"rule": "no-prices", "severity": "high", "says": "Prices are told at the office.", "tags": ["money"], "must": {"not_contain": ["12 pounds"]}}
      """

  Scenario: What the answerer does, beside the rankings of the recipe
    When the procedure "answer" is measured on "keeper"
    Then "lexical/answer" reaches
      | metric       | value  |
      | mrr@10       | 1      |
      | holds        | 0.6667 |
      | completed    | 1      |
      | complies     | 0      |
      | cites        | 0.5    |
      | contains     | 1      |
      | avoids       | 1      |
      | refuses      | 1      |
      | proved       | 1      |
      | within_words | 1      |
      | complies_high | 0     |
    And it falls short of
      | question | rule      | severity | requirement | detail                        | evidence                                |
      | pays     | no-prices | high     | not_contain | "12 pounds" stands in it      | A visiting boat pays 12 pounds a night. |
      | pays     | -         | -        | cite        | lamp.txt is not cited         | -                                       |

  Scenario: A dataset says how much it asks for
    Then the datasets are | name: keeper | questions: 2 | musts: 3 | rules: 1 |

  Scenario: A condition guards it
    When the procedure "answer" is measured on "keeper" with | fail-if: violations_high > 0 |
    Then the conditions are | condition: violations_high > 0 | system: lexical/answer | holds: false |

  Scenario: Two of them are compared, question by question
    Given a command that replies
      | question                                   | reply                                                             |
      | When was the lamp of the harbour lit?      | {"answer": "In 1842.", "citations": ["lamp.txt#lines=1-1"]}       |
      | What does a visiting boat pay a night?     | {"answer": "Ask at the office.", "citations": ["biblicus://corpus/item/lamp.txt#span=0-9"]} |
      | Which composer wrote the elephant's opera? | {"answer": "That is not in our books.", "refused": true}          |
    When the procedure "answer" and the command are measured on "keeper"
    Then among the comparisons are
      | base           | other       | metric   | wins | losses | ties |
      | lexical/answer | lexical/own | holds    | 1    | 1      | 1    |
      | lexical/answer | lexical/own | complies | 1    | 0      | 0    |
    And it falls short of
      | question | requirement | detail                                                |
      | lit      | proved      | what it cites of lamp.txt is not proved               |
      | lit      | tokens      | it does not say how many tokens it took, at most 0    |

  Scenario: What a command cites is proved by what query gave it
    Given a command that cites the evidence of the query for "lamp lit"
    When the command is measured on "keeper"
    Then "lexical/own" reaches
      | metric             | value  |
      | proved             | 1      |
      | citations_verified | 1      |

  Scenario Outline: A command that fails has failed at that question, and at no other
    Given a command that <does> where it is asked "What does a visiting boat pay a night?", and else replies
      """
      {"answer": "In 1842.", "refused": true, "usage": {"input_tokens": 0}}
      """
    When the command is measured on "keeper"
    Then the question "pays" has no reply because "<reason>"
    And "lexical/own" reaches
      | metric    | value  |
      | completed | 0.6667 |
      | refuses   | 1      |

    Examples:
      | does                         | reason                                                            |
      | leaves with 3 saying "no oil" | it left with exit code 3: no oil                                 |
      | never ends                   | it took longer than 1 s                                           |
      | says too much                | it said more than 1,048,576 bytes                                 |
      | writes "oil"                 | what it wrote is no reply: line 1, column 1                       |
      | writes "{}"                  | what it wrote is no reply: answer: field required                 |
      | writes "{'answer': 'A', 'refuse': true}" | unknown key "refuse"; did you mean "refused"?         |
      | writes "{'answer': 'A', 'citations': [{'path': 'lamp.txt'}]}" | citations.0.item_id: field required |

  Scenario: A persona is held to the same
    Given the persona "keeper" is
      """
      name: The keeper
      """
    When the procedure "persona:keeper" is measured on "keeper"
    Then "lexical/persona:keeper" reaches
      | metric  | value |
      | refuses | 1     |
      | avoids  | 1     |

  Scenario: A prompt around a pack cites by its numbers
    Given a language model that the user calls "mine"
    And the model always says "It was lit in 1842 [1]."
    And the file "short.md" outside is
      """
      version: 1

      ## system
      Answer in one sentence.
      ## user
      $question

      $evidence
      """
    When the prompt "short.md" outside is measured on "keeper"
    Then "lexical/pack:short" reaches
      | metric   | value |
      | contains | 1     |
      | proved   | 1     |

  Scenario: A command of the user's settings goes by its name
    Given a command that replies | question: When was the lamp of the harbour lit? | reply: {"answer": "In 1842.", "citations": ["lamp.txt"]} |
    And the user's settings call it "keeper-agent"
    When the procedure "keeper-agent" is measured on "keeper"
    Then "lexical/keeper-agent" reaches | metric: contains | value: 1 |

  Scenario: No command comes from a corpus
    Given the corpus's configuration says "procedures: {agent: {command: [touch, pwned]}}"
    When the procedure "agent" is measured on "keeper"
    Then it is refused as "invalid_file"
    And the message says "procedures"

  Scenario Outline: A dataset that is wrong is refused in one line, which names line and key
    Given the dataset "wrong" says
      """
      {"query": "When was the lamp lit?", "relevant": ["lamp.txt"]}
      <line>
      """
    When the procedure "answer" is measured on "wrong"
    Then it is refused as "invalid_file"
    And the message says "questions.jsonl: line 2: <says>"

    Examples:
      | line                                                             | says                                                |
      | {"query": "Who?", "must": {"contains": ["oil"]}}                 | unknown key "must.contains"; did you mean "contain" |
      | {"query": "Who?", "must": {}}                                    | must: name what must be done                        |
      | {"query": "Who?", "must": {"refuse": true, "cite": ["a.txt"]}}   | must: what must be refused                          |
      | {"query": "Who?", "must": {"words": 0}}                          | must.words:                                         |
      | {"query": "Who?", "unanswerable": true, "must": {"cite": ["a"]}} | an unanswerable question must be refused            |
      | {"rule": "r", "severity": "dire", "must": {"refuse": true}}      | severity:                                           |
      | {"rule": "r"}                                                    | must:                                               |
      | {"query": "Who?", "command": "touch pwned"}                      | unknown key "command": a dataset names nothing that is run |
      | {"rule": "r", "must": {"refuse": true}, "procedure": "pwned"}    | unknown key "procedure"                             |

  Scenario Outline: What cannot be measured is refused before anything is asked
    When the dataset "keeper" is evaluated with | <option>: <value> |
    Then it is refused as "<code>"
    And the message says "<says>"

    Examples: one after the other
      | option    | value          | code             | says                              |
      | procedure | anwser         | usage            | did you mean "answer"             |
      | procedure | persona:nobody | persona_not_found | nobody                           |
      | procedure | pack:short.md  | no_llm           | The procedure pack:short.md needs |
      | command   | no-such-thing  | usage            | There is no program "no-such-thing" |
      | seconds   | 5              | usage            | Nothing here takes seconds: only a procedure does |

  Scenario Outline: What no procedure named here uses is refused
    When the dataset "keeper" is evaluated with | command: cat | <option>: <value> |
    Then it is refused as "usage"
    And the message says "No procedure named here uses <what>"

    Examples: one after the other
      | option   | value   | what             |
      | answerer | extract | an answerer      |
      | llm      | mine    | a language model |

  Scenario: Rules alone are enough: they are for questions of which nothing else is said
    Given the dataset "rules" says
      """
      {"id": "lit", "query": "When was the lamp of the harbour lit?"}
      {"id": "pays", "query": "What does a visiting boat pay a night?", "tags": ["money"]}
      {"rule": "no-prices", "tags": ["money"], "must": {"not_contain": ["12 pounds"]}}
      """
    When the procedure "answer" is measured on "rules"
    Then "lexical/answer" reaches
      | metric   | value |
      | holds    | 0     |
      | complies | 0     |
    And 1 question was asked
    And it falls short of
      | question | rule      | severity | requirement | detail                   | evidence                                |
      | pays     | no-prices | medium   | not_contain | "12 pounds" stands in it | A visiting boat pays 12 pounds a night. |

  Scenario: Procedures that go by one name are told apart
    Given the file "a/short.md" outside is
      """
      version: 1

      ## system
      Answer.
      ## user
      $question $evidence
      """
    And the file "b/short.md" outside is
      """
      version: 1

      ## system
      Answer in one sentence.
      ## user
      $question $evidence
      """
    And a language model that the user calls "mine"
    And the model always says "It was lit in 1842 [1, 2]."
    When the prompts "a/short.md" and "b/short.md" outside are measured on "keeper"
    Then the systems are "lexical/pack:short" and "lexical/pack:short (2)"

  Scenario: What is cited must be of a layer, by the corpus's word
    Given the corpus's configuration says "layers: [{name: open, path: boats.txt}]"
    And a sealed run "second"
    And the dataset "layers" says
      """
      {"id": "pays", "query": "What does a visiting boat pay a night?", "must": {"layer": "open"}}
      {"id": "lit", "query": "When was the lamp of the harbour lit?", "must": {"layer": "open"}}
      """
    When the procedure "answer" is measured on "layers"
    Then "lexical/answer" reaches | metric: in_layer | value: 0.5 |
    And it falls short of | question: lit | requirement: layer | path: lamp.txt | detail: lamp.txt is cited, which is of no layer, not of open |

  Scenario: A layer that the corpus does not have
    Given the dataset "layers" says
      """
      {"query": "When was the lamp lit?", "must": {"layer": "published"}}
      """
    When the procedure "answer" is measured on "layers"
    Then it is refused as "unknown_name"
    And the message says "published"

  Scenario Outline: Each report says what fell short
    When the procedure "answer" is measured on "keeper" with the report "out.<format>"
    Then the report "out.<format>" says "<says>"

    Examples: one after the other
      | format | says                                              |
      | html   | no-prices (high): &quot;12 pounds&quot; stands in it |
      | md     | no-prices (high): "12 pounds" stands in it        |
      | xml    | type="policy"                                     |
      | json   | "rule": "no-prices"                               |
