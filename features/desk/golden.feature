Feature: Golden questions keep finding what they must
  A committed list says which document answers which question, with which words and link, and what the corpus must not
  claim to know. One command asks them all; a failure says what was expected and what was found.

  Background:
    Given a corpus with the items
      | path       | text                                                         |
      | a/retry.md | ---\ntoolkit: alpha\n---\nSet retries to three in the file.  |
      | b/retry.md | ---\ntoolkit: beta\n---\nSet retries to five by the option.  |
    And a sealed run "first"

  Scenario: All of them hold
    Given the file ".biblicus/datasets/golden.yml" holds
      """
      golden:
        - question: Where do I set retries?
          ask: {toolkit: beta}
          expect: {toolkit: beta, document: b/*.md, contains: retries to FIVE, within: 1}
        - question: What do submarines eat?
          expect: insufficient evidence
        - question: How do I set retries in GammaTool?
          expect: insufficient evidence
      """
    When the golden questions are asked
    Then the golden questions come to
      | question                 | holds |
      | Where do I set retries?  | true  |
      | What do submarines eat?  | true  |
      | How do I set retries in GammaTool? | true |
