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
    And the last line of standard error holds
      | code  |
      | usage |

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
