Feature: A name that no document has makes evidence insufficient
  Common words find something in every corpus. What is found then is about another thing of the same kind, and is no
  evidence about the thing that the question names.

  Background:
    Given a corpus with the items
      | path               | text                                                                                       |
      | alpha/README.md    | # alpha\n\nInstall alpha with conda: conda install alpha. The option timeout is in seconds. |
      | pyBeta/README.md   | # pyBeta\n\nInstall pyBeta with conda or pip. The function lru_cache keeps results.         |
      | GammaRay/README.md | # GammaRay\n\nInstall GammaRay with conda. Ada Kolm wrote the utf-8 reader.                 |
    And a sealed run "first"
    And a sealed run "live" of the recipe "scan"

  Scenario Outline: Enough or not
    When "<question>" is asked with | recipe: <recipe> |
    Then the evidence is "<judgement>"

    Examples: names that are not here, by their spelling
      | question                                   | recipe  | judgement    |
      | How do I install VBMicrolensing with conda? | lexical | insufficient |
      | How do I install VBMicrolensing with conda? | scan    | insufficient |
      | VBBL install with conda                    | lexical | insufficient |
      | How do I install h5beta2 with conda?       | lexical | insufficient |
      | How do I install beta_zorb with conda?     | lexical | insufficient |
      | How do I install Zorblatt with conda?      | lexical | insufficient |
      | Is Marie Zorb the one who wrote the reader? | lexical | insufficient |

    Examples: names that are here, however they are written
      | question                                   | recipe  | judgement    |
      | How do I install Alpha with conda?         | lexical | sufficient   |
      | How do I install PYBETA with conda?        | lexical | sufficient   |
      | How do I install GammaRay with conda?      | scan    | sufficient   |
      | Does lruCache keep results?                | lexical | sufficient   |
      | Has Ada Kolm written the UTF8 reader?      | lexical | sufficient   |
      | HOW DO I INSTALL ALPHA WITH CONDA          | lexical | sufficient   |
      | How To Install Alpha With Conda            | lexical | sufficient   |

  Scenario: It is told which name
    When "How do I install VBMicrolensing with conda?" is asked
    Then the result notes "VBMicrolensing"

  Scenario: An answer is in doubt
    When the answerer "quote" is asked "How do I install VBMicrolensing with conda?" with | limit: 3 |
    Then the answer is in doubt

  Scenario: A question that takes anything
    When "How do I install VBMicrolensing with conda?" is asked with | threshold: 0 |
    Then the evidence is "sufficient"
