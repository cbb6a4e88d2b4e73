Feature: One question to several corpora
  Whoever has several corpora asks them together. What they bring is one list, fused by rank within one budget, and what
  does not answer is named.

  Background:
    Given a corpus with the items
      | path      | text                              |
      | tides.txt | The moon pulls tides.             |
      | lamp.txt  | The lamp burns oil.               |
    And a sealed run "first"
    And a corpus beside it, called "quay", with the items
      | path     | text                               |
      | moon.txt | The moon shines on the quay.       |
      | rope.txt | A rope lies there, beside the net. |

  Scenario: As a program
    When I type "biblicus query moon --also ../quay --json"
    Then standard output is one document with "evidence"
    And its evidence is of the corpora "corpus, quay"
    And standard error is empty

  Scenario: As a person, who is told how to go on
    When I type "biblicus query moon --also ../quay"
    Then standard output says "quay: moon.txt, line 1"
    And standard output says "--lines 1:1 -C ../quay"

  Scenario: What was asked otherwise, and where
    When I type "biblicus query pullss --also ../quay"
    Then standard output says "corpus: "pullss" stands nowhere; this is by "pulls"."

  Scenario: What was asked otherwise, as a program
    When I type "biblicus query pullss --also ../quay --json"
    Then standard output says ""notes": ["\"pullss\" stands nowhere"

  Scenario: Within one budget
    When I type "biblicus query moon -n 1 --also ../quay --json"
    Then its evidence is of the corpora "corpus"

  Scenario: One that does not answer
    When I type "biblicus query moon --also far=http://127.0.0.1:9 --json"
    Then its evidence is of the corpora "corpus"
    And standard error says "far: http://127.0.0.1:9 does not answer: connection refused."

  Scenario Outline: What is said of one corpus
    When I type "biblicus query moon --also ../quay <option> --json"
    Then the exit code is 2
    And the last line of standard error holds | code: usage |

    Examples:
      | option         |
      | --at local     |
      | --refresh      |
      | --format paths |
      | -0             |

  Scenario Outline: A corpus that is named twice
    When I type "biblicus query moon --also <other>"
    Then the exit code is 2
    And standard error says "<message>"

    Examples:
      | other   | message                                 |
      | .       | The corpus "corpus" is named twice.     |
      | again=. | "again" and "corpus" are the same corpus. |

  Scenario: An answer from all of them, as a person
    When I type "biblicus answer 'What lies beside the net on the quay?' --also ../quay"
    Then standard output says "A rope lies there, beside the net."
    And standard output says "quay: rope.txt:1"

  Scenario: An answer from all of them, as a program, whose citations are proved where they are from
    When I type "biblicus answer 'What burns oil?' --also ../quay --json"
    Then standard output is one document with "statements"
    And standard output says ""corpus": "corpus""
    And standard output says ""failed": []"

  Scenario: An answer as a persona of one
    When I type "biblicus answer 'What burns oil?' --persona keeper --also ../quay"
    Then the exit code is 2
    And standard error says "Give --also or --persona, not both."

  Scenario: Items of the same id are not taken for each other
    Given a corpus beside it, called "pier", with the items | path: lamp.txt | text: The lamp of the pier burns gas. |
    When I type "biblicus answer 'What does the lamp of the pier burn?' --also ../pier"
    Then standard output says "pier: lamp.txt:1"

  Scenario: One that was built by another version, with what to type
    Given the corpus beside it, called "quay", was built by another version
    When I type "biblicus query moon --also ../quay --json"
    Then its evidence is of the corpora "corpus"
    And standard error says "Try: biblicus -C ../quay reindex"

  Scenario: Evidence of several is proved where it is from
    Given I typed "biblicus query moon --also ../quay --json > evidence.json"
    When I type "biblicus verify evidence.json --also ../quay"
    Then standard output says "2 of 2 pieces of evidence hold."

  Scenario: Evidence of a corpus that was not asked
    Given I typed "biblicus query moon --also ../quay --json > evidence.json"
    When I type "biblicus verify evidence.json"
    Then the exit code is 4
    And standard output says "moon.txt: it is of the corpus quay, which was not asked (verify --also)"

  Scenario: Evidence of a clone is proved in that clone
    Given a clone beside it, called "pier", of the corpus "quay", in which "rope.txt" says "The rope is gone."
    And I typed "biblicus query rope --also ../quay --also pier=../pier --json > evidence.json"
    When I type "biblicus verify evidence.json --also ../quay --also pier=../pier"
    Then standard output says "2 of 2 pieces of evidence hold."

  Scenario Outline: Evidence that says anything of its corpus
    Given I typed "biblicus query moon --also ../quay --json > evidence.json"
    And its evidence is said to be of the corpus <corpus_id>
    When I type "biblicus verify evidence.json --also ../quay"
    Then the exit code is 4
    And standard output says "moon.txt: it is of the corpus quay, which was not asked (verify --also)"

    Examples:
      | corpus_id  |
      | "elsewhere" |
      | ["quay"]   |

  Scenario: Evidence, and a service that does not answer
    Given I typed "biblicus query moon --json > evidence.json"
    When I type "biblicus verify evidence.json --also far=http://127.0.0.1:9"
    Then the exit code is 6
    And standard error says "does not answer: connection refused. Try: the same when it runs"

  Scenario: The corpus that was named first comes first
    When I type "biblicus answer 'What lies beside the net on the quay?' -C ../quay --also . --json"
    Then standard output says ""corpora": [{"corpus": "quay""
