Feature: What programs may rely on
  With --json standard output carries exactly one document; progress and logs go to standard error.
  Names of fields change only with a deprecation.

  Background:
    Given the setting "max_text_bytes" is "50"
    And a corpus with the items
      | path      | text                                                            |
      | tides.txt | The moon pulls tides.                                           |
      | long.txt  | The moon pulls tides, and here are more words than the setting. |
    And a sealed run "first"

  Scenario: Documents and their fields
    When I type these commands
      | command                     | fields |
      | biblicus ingest --json      | added, changed, renamed, removed, unchanged, duplicates, skipped, failed, ms |
      | biblicus reindex --json     | refresh, runs |
      | biblicus list --json        | items |
      | biblicus show tides.txt --json | item_id, path, media_type, bytes, sha256, title, language, doctype, tags, source, metadata |
      | biblicus get tides.txt --json | text, sha256, item_id, path, span_start, span_end, line_start, line_end |
      | biblicus tree --json        | nodes |
      | biblicus tag tides.txt +a --json | item_id, path, tags |
      | biblicus stats --json       | name, corpus_id, items, bytes, languages, doctypes, media_types, tags, runs |
      | biblicus query moon --json  | query, corpus_id, run_id, recipe_id, index_version, weights_digest, as_of, evidence, insufficient, budget, timings |
      | biblicus runs list --json   | runs |
      | biblicus recipes list --json | recipes, default |
      | biblicus recipes show lexical --json | name, build, query |
      | biblicus check --json       | problems, notes, repaired, checked |
      | biblicus trust --json       | sealed, already, refused |
    Then each prints one document with its fields

  Scenario: Their parts
    When I type these commands
      | command                    | part             | fields |
      | biblicus reindex --json    | runs             | run_id, recipe_id, build_id, index_version, built, items, chunks, tokens, skipped, failed, timings |
      | biblicus reindex --json    | runs.failed      | path, reason |
      | biblicus reindex --json    | refresh.failed   | path, reason |
      | biblicus list --json       | items            | item_id, path, media_type, bytes, sha256, title, language, doctype, tags, source, metadata |
      | biblicus query moon --json | evidence         | rank, score, corpus_id, item_id, chunk_id, path, source_uri, media_type, text, snippet, stage, stage_scores, recipe_id, run_id, hash, item_sha256, extraction_id, span_start, span_end, line_start, line_end |
      | biblicus query moon --json | budget           | asked, used, dropped |
    Then each part has its fields

  Scenario: A manifest
    When I type "biblicus runs show lexical --json"
    Then standard output is one document with "schema_version, run_id, recipe, build_id, corpus_id, corpus_digest, chunks_digest, index_version, parent_run_id, built, components, counts, sizes, timings, skipped, failed"

  Scenario: A result goes straight into verify
    Given I typed "biblicus query moon --json > result.json"
    When I type "biblicus verify - --json < result.json"
    Then standard output is one document with "ok, counts, evidence"
    And the exit code is 0

  Scenario: Where an option stands does not matter
    When I type "biblicus query --json -n 1 moon pulls"
    Then standard output is one document with "query, evidence"
