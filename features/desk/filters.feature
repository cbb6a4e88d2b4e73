Feature: A question about one toolkit is answered from its documents alone
  Where documents of several toolkits, sources and years stand side by side, a filter says which may speak. It acts
  before ranking: nothing else is looked at, however well it would fit.

  Background:
    Given a corpus with the items
      | path             | text                                                                                        |
      | a/retry.md       | ---\ntoolkit: alpha\ncategory: guide\ndate: 2026-05-12\n---\nSet retries to three. |
      | a/api.md         | ---\ntoolkit: alpha\ncategory: reference\nupdated: 2025-11-02T08:00:00Z\n---\nThe option retries counts. |
      | b/retry.md       | ---\ntoolkit: [beta, gamma]\ncategory: guide\ncreated_at: 2026-05\n---\nSet retries to five, always retries. |
      | notes.md         | ---\nsource: {kind: url, uri: "https://example.org/docs/retries.html"}\n---\nOn retries.      |
      | imports/wiki/x.md| ---\nsource: {kind: url, uri: "https://example.org/docset/x"}\n---\nMore about retries.           |
    And a sealed run "first"
    And a sealed run "scanned" of the recipe "scan"

  Scenario: One filter
    When "retries" is asked with each of
      | filter   | value                         | path                                |
      | toolkit  | alpha                         | a/retry.md, a/api.md                |
      | toolkit  | gamma                         | b/retry.md                          |
      | category | guide                         | a/retry.md, b/retry.md              |
      | source   | wiki                          | imports/wiki/x.md                   |
      | source   | url                           | notes.md, imports/wiki/x.md         |
      | source   | https://example.org/docs      | notes.md                            |
      | source   | https://example.org/doc       |                                     |
      | since    | 2026-05-12                    | a/retry.md                          |
      | since    | 2026                          | a/retry.md, b/retry.md              |
      | until    | 2026-05                       | a/retry.md, a/api.md, b/retry.md    |
      | until    | 2025-11-02                    | a/api.md                            |
      | path     | a                             | a/retry.md, a/api.md                |
      | path     | ./imports/wiki                | imports/wiki/x.md                   |
      | path     | a/api.md                      | a/api.md                            |
    Then each finds evidence there alone

  Scenario: Evidence says what it is about
    When "retries always three" is asked
    Then the evidence holds
      | path       | toolkit     |
      | a/retry.md | alpha       |
      | b/retry.md | beta, gamma |
