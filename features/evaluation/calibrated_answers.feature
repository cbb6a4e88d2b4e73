Feature: A corpus calibrates its own doubt
  Confidence is fitted to the corpus's own questions, those that it answers and those that it does not, and kept beside
  the recipe. Answers use it from then on; without enough questions nothing is fitted.

  Scenario: Fitted, kept and used
    Given a corpus with 40 harbours and questions about them, half of them unanswered here
    When I type "biblicus eval doubt --answers --calibrate --json"
    Then the exit code is 0
    And the figures have "calibrated_after, calibrated_before"
    And the fit is no worse on what was held out
    And the answers of the recipe use the fit

  Scenario: Too few questions
    Given a corpus with 4 harbours and questions about them, half of them unanswered here
    When I type "biblicus eval doubt --answers --calibrate"
    Then the exit code is 2
    And standard error says "calibrate nothing"
