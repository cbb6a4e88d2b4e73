Feature: A dataset is imported, its documents as items
  A folder in BEIR's layout becomes items that keep their ids and titles, and questions under the folder's name. Doing it
  again changes nothing that is the same.

  Background:
    Given a corpus with the items | path: tides.txt | text: Tides are pulled. |
    And a dataset folder "lights" outside with the documents
      | id   | title       | text                         |
      | 1    | Lamp        | Trim the wick every evening. |
      | 2    | The horn    | The horn sounds in fog.      |
      | a/ß  |             | Oil is kept in the cellar.   |
      | void | Empty sheet |                              |
    And the dataset "lights" outside asks
      | id | question             | relevant |
      | q1 | when is it trimmed   | 1        |
      | q2 | what sounds in fog   | 2, a/ß   |
      | q3 | what nobody answered |          |

  Scenario: Documents become items with their own ids and titles
    When the dataset "lights" outside is imported
    Then the catalog holds
      | item_id             | path                              | title          |
      | 1                   | imports/lights/1.txt              | Lamp           |
      | 2                   | imports/lights/2.txt              | The horn       |
      | lights-e24496d13a79 | imports/lights/a-e24496d13a79.txt | a e24496d13a79 |
      | void                | imports/lights/void.txt           | Empty sheet    |
      | 66e15b88e97c        | tides.txt                         | tides          |
    And each imported document names its source

  Scenario: Its questions are registered under the folder's name
    Given the dataset "lights" outside was imported
    When the datasets are listed
    Then the datasets are | name: lights | questions: 2 | unjudged: 1 | judgements: 3 | missing: 0 |

  Scenario: A document that was edited here stays as it is
    Given the dataset "lights" outside was imported
    And the file "imports/lights/1.txt" was since given the line "My own remark."
    And the document "1" of "lights" outside now says "Trim the wick every morning."
    When the dataset "lights" outside is imported
    Then the import leaves aside "imports/lights/1.txt" because "edited here"
    And the file "imports/lights/1.txt" ends with "My own remark."

  Scenario: Two datasets with the same document ids
    Given a dataset folder "horns" outside with the documents | id: 1 | title: Horn | text: A horn needs compressed air. |
    And the dataset "horns" outside asks | id: q1 | question: what needs air | relevant: 1 |
    And the dataset "lights" outside was imported
    And the dataset "horns" outside was imported
    And the corpus was reindexed
    When the dataset "horns" is evaluated
    Then "lexical" reaches
      | metric    | value |
      | mrr@10    | 1.0   |
      | recall@10 | 1.0   |
    And the item "imports/horns/1.txt" is | item_id: horns-1 |

  Scenario: An import can be removed
    Given the dataset "lights" outside was imported
    When "1" is removed
    Then the folder holds no "imports/lights/1.txt"

  Scenario Outline: A dataset that is not as it should be leaves no trace
    Given the file "<file>" of the dataset "lights" outside is
      """
      <text>
      """
    When the dataset "lights" outside is imported
    Then it is refused as "invalid_file"
    And the message says "<says>"
    And the folder holds no ".biblicus/datasets/lights"
    And the folder holds no "imports/lights"

    Examples:
      | file           | text                                | says                                      |
      | corpus.jsonl   | {"_id": "1", "text": "a"}{          | corpus.jsonl: line 1                      |
      | corpus.jsonl   | {"_id": "1", "title": "no text"}    | corpus.jsonl: line 1: "text" must be      |
      | corpus.jsonl   | ["1"]                               | corpus.jsonl: line 1: expected a JSON obj |
      | queries.jsonl  | {"_id": "q1", "text": " "}          | queries.jsonl: line 1: "text" must be     |
      | queries.jsonl  | {"_id": "q9", "text": "unheard of"} | no question has a relevant judgement      |
      | qrels/test.tsv | q1 1 1                              | test.tsv: line 1: expected question       |
      | qrels/test.tsv | q1\t1\tvery                         | test.tsv: line 1: "very" is no grade      |

  Scenario: Questions alone are registered too
    Given the file "own.jsonl" outside is
      """
      {"query": "what is pulled", "relevant": ["tides.txt"]}
      {"query": "by what", "relevant": [{"item": "tides.txt", "grade": 2, "span": [0, 5]}], "tags": ["why"]}
      """
    When the dataset "own.jsonl" outside is imported
    Then the datasets are | name: own | layout: questions | questions: 2 | judgements: 2 | spans: 1 |

  Scenario: Importing it again changes nothing
    Given the dataset "lights" outside was imported
    When the dataset "lights" outside is imported
    Then the import counts | documents: 4 | added: 0 | changed: 0 | unchanged: 4 | registered: false |
