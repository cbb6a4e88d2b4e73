Feature: A question that names a toolkit is answered from it first
  No filter is needed: what is of the toolkit, or of the repository, that the question names counts more. The others are
  still found.

  Background:
    Given a corpus with the items
      | path                    | text                                                                             |
      | lens/install.md         | ---\ntoolkit: pyLIMA\n---\n# Getting started\n\nThe package is installed from its folder by conda or pip, once numpy is there. |
      | lens/fit.md             | ---\ntoolkit: pyLIMA\n---\n# Fits\n\nA light curve is fitted in three steps.             |
      | other/notebook.md       | ---\ntoolkit: [VBMicro, extra-tools]\n---\n# Install with conda\n\nTo install with conda: conda install pyLIMA. Install pyLIMA with conda, then install VBMicro with conda. |
      | notes.md                | Install with conda, says everybody.                                              |
    And a sealed run "first"
    And a sealed run "scanned" of the recipe "scan"

  Scenario: By its name, in any spelling
    When these questions are asked
      | question                                    | path              |
      | pyLIMA install with conda                   | lens/install.md   |
      | How do I install PYLIMA with conda?         | lens/install.md   |
      | install with conda                          | other/notebook.md |
      | install VBMicro with conda                  | other/notebook.md |
      | extra tools: is the package there by pip    | other/notebook.md |
      | install the vbmicroscope with numpy and pip | lens/install.md   |
    Then each finds its best evidence

  Scenario: The same, ranked just in time
    When these questions are asked of both recipes
      | question                  |
      | pyLIMA install with conda |
      | install with conda        |
    Then both rank alike

  Scenario: The others are still found, and the score says what counted
    When "pyLIMA install with conda" is asked
    Then the evidence starts with | path: lens/install.md | stage: weights |
    And its score is 3 times that of "lexical"
    And evidence comes from "other/notebook.md"

  Scenario: By the name of a repository that is followed
    Given a repository "lighthouse" with the files | path: README.md | text: # Lamps\n\nSome lamp is lit by conda too. |
    And the repository "lighthouse" is a source
    And the sources were synced
    And a sealed run "second"
    When these questions are asked
      | question                      | path                              |
      | install lighthouse with conda | imports/lighthouse/README.md      |
      | install with conda            | other/notebook.md                 |
    Then each finds its best evidence
