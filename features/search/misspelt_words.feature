Feature: Misspelt words
  A word that stands nowhere in the corpus is taken for the one most like it, and the result says so. A word that may
  have been another still counts as missing where it is judged whether the result is sufficient.

  Background:
    Given a corpus with the items
      | path   | text                                                             |
      | k.txt  | Kubernetes rolls a deployment out, and back where it fails.      |
      | h.txt  | The harbour is full. Receive your berth at the office.           |
      | de.txt | Die Verfassung wird vom Bundesverfassungsgericht ausgelegt.      |
      | n.txt  | Error X100 means that the boiler is empty; error X200 is a leak. |
    And a sealed run "first"
    And a sealed run "live" of the recipe "scan"

  Scenario Outline: Taken for the word most like it
    When "<question>" is asked with | recipe: <recipe> |
    Then the evidence starts with | path: <path> |
    And the result notes that <asked> stands nowhere and <meant> is meant

    Examples: one after the other
      | question                          | recipe  | path   | asked                     | meant                    |
      | How does Kuberntes roll back?     | lexical | k.txt  | Kuberntes                 | Kubernetes               |
      | How does Kuberntes roll back?     | scan    | k.txt  | Kuberntes                 | Kubernetes               |
      | kuberntes                         | lexical | k.txt  | kuberntes                 | Kubernetes               |
      | recieve a berth                   | lexical | h.txt  | recieve                   | Receive                  |
      | Wer ist Bundesverfasungsgericht?  | lexical | de.txt | Bundesverfasungsgericht   | Bundesverfassungsgericht |
      | What is a deploymnet?             | lexical | k.txt  | deploymnet                | deployment               |

  Scenario Outline: A word that may have been another counts as missing
    When "<question>" is asked
    Then the evidence is "<judged>"

    Examples: one after the other
      | question                           | judged       |
      | How does Kuberntes photosynthesise | insufficient |
      | full habour                        | insufficient |
      | full harbuor                       | sufficient   |
      | harbuor                            | sufficient   |
      | habour                             | sufficient   |
