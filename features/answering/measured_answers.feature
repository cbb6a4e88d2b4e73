Feature: Answers are measured
  How often they are right, whether what they cite is relevant and can be proved, whether they are silent where the
  corpus has nothing to say, and whether their confidence means what it says.

  Background:
    Given a corpus with the items
      | path      | text                                                                  |
      | lamp.txt  | The lamp of the harbour was lit in 1842. It burns oil.                |
      | boats.txt | A visiting boat pays 12 pounds a night. Members of the club pay nothing. |
      | horn.txt  | The fog horn sounds twice a minute when the fog is thick.             |
    And a sealed run "first"
    And questions with answers "keeper"
      | query                                      | relevant  | answers       | unanswerable |
      | When was the lamp of the harbour lit?      | lamp.txt  | 1842          |              |
      | What does a visiting boat pay a night?     | boats.txt | 12 pounds, 12 |              |
      | What does the lamp of the harbour burn?    | lamp.txt  | paraffin      |              |
      | How often does the fog horn sound?         | horn.txt  |               |              |
      | Which composer wrote the elephant's opera? |           |               | yes          |

  Scenario: Right words, right sources, silence, and proof
    When the answers to "keeper" are measured
    Then "lexical" reaches
      | metric             | value  |
      | answer_right       | 0.75   |
      | answer_gold        | 0.6667 |
      | answered           | 1      |
      | citation_precision | 1      |
      | citation_recall    | 1      |
      | citations_verified | 1      |
      | abstained          | 1      |
    And the abstention AUC is 1
    And confidence is held against being right for "lexical"

  Scenario: Questions of another corpus are none that this one answers
    Given the questions "elsewhere"
      | query                                  | relevant  |
      | How many legs has a centipede?         | lamp.txt  |
      | Who painted the ceiling of the chapel? | boats.txt |
    When the answers to "keeper" are measured with | unanswerable: elsewhere |
    Then 3 questions were unanswerable

  Scenario: Questions that this corpus does not answer are a dataset of their own
    Given questions with answers "silence" | query: Which composer wrote the elephant's opera? | relevant: | answers: | unanswerable: yes |
    When the answers to "silence" are measured
    Then "lexical" reaches | metric: abstained | value: 1 |

  Scenario: A build fails where answers got worse than they may be
    When the answers to "keeper" are measured with | fail-if: answer_right < 0.9 |
    Then the conditions are | condition: answer_right < 0.9 | system: lexical | holds: false |

  Scenario: What cannot be both
    Given questions with answers "wrong" | query: When was it founded | relevant: lamp.txt | answers: 1842 | unanswerable: yes |
    When the answers to "wrong" are measured
    Then the message says "an unanswerable question has no answers"

  Scenario: A kept conversation is no source of the answers that are measured
    Given the file "talk.md" holds "---\ndoctype: conversation\n---\nThe lamp of the harbour burns paraffin.\n"
    And a sealed run "second"
    When the answers to "keeper" are measured
    Then "lexical" reaches
      | metric             | value  |
      | answer_right       | 0.75   |
      | citation_precision | 1      |
