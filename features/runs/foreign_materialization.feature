Feature: What another machine built is not opened
  An index is opened only with this machine's seal, or after `trust`; otherwise it is built anew from the raw files.
  A committed file is data: it cannot run a command, name a module or loosen a limit.

  Background:
    Given a corpus with the items | path: tides.txt | text: The moon pulls tides. |
    And a sealed run "first"

  Scenario: A copied index is refused
    Given we are in a copy of the whole folder, on another machine
    When "moon" is asked
    Then it is refused as "untrusted"
    And the hint is "biblicus reindex (or: biblicus trust)"

  Scenario: A reindex builds it anew
    Given we are in a copy of the whole folder, on another machine
    When the corpus is reindexed
    Then the runs are | recipe: lexical | built: rematerialised |
    And a query for "moon" returns evidence from "tides.txt"

  Scenario: Trust takes it as it is
    Given we are in a copy of the whole folder, on another machine
    When the corpus is trusted
    Then the run "first" is "sealed"
    And a query for "moon" returns evidence from "tides.txt"

  Scenario: Trust refuses tables that are not what the manifest says
    Given we are in a copy of the whole folder, on another machine
    And a text in the run's tables was forged
    When the corpus is trusted
    Then the run "first" is "refused"
    And a query for "moon" is refused as "untrusted"

  Scenario: One's own index is one's own
    When the corpus is trusted
    Then the run "first" is "already"

  Scenario: An index that was altered here is not opened either
    Given a byte of the run's index was flipped
    When "moon" is asked
    Then it is refused as "untrusted"

  Scenario: A foreign cache is not read
    Given we are in a copy of the whole folder, on another machine
    And the stamps claim other digests
    When the catalog is refreshed
    Then the catalog is that of the original

  Scenario Outline: A hostile recipe names nothing that can be imported
    Given the recipe "mine" is "lexical" with
      """
      build:
        <section>: <value>
      """
    When the corpus is reindexed with | recipe: mine |
    Then it is refused as "invalid_file"

    Examples:
      | section    | value                               |
      | legs       | {x: {engine: os.path}}              |
      | chunking   | {default: {by: "subprocess:run"}}   |
      | extraction | {"../../evil": {}}                  |

  Scenario Outline: A folder of Biblicus's own that is a link is not written through
    Given the folder "<path>" was since replaced by a link to the one outside
    When the corpus is reindexed with | fresh: yes |
    Then it is refused as "unsafe_input"
    And the folder outside is empty

    Examples:
      | path                  |
      | .biblicus/local       |
      | .biblicus/local/index |
      | .biblicus/runs        |

  Scenario: A hostile manifest names nothing that can be imported
    Given the manifest of "first" names the engine "os.path"
    When "moon" is asked
    Then it is refused as "run_damaged"

  Scenario Outline: A hostile catalog does not leave the corpus
    Given ".biblicus/catalog.json" names the path "<path>"
    When the items are listed
    Then it is refused as "catalog_unreadable"

    Examples:
      | path             |
      | /etc/passwd      |
      | ../../etc/passwd |
      | a/../../b        |

  Scenario Outline: A hostile configuration loosens no limit
    Given the corpus's configuration adds
      """
      <line>
      """
    When the catalog is refreshed
    Then it is refused as "invalid_file"

    Examples:
      | line                          |
      | max_file_bytes: 999999999999  |
      | extraction_seconds: 1000000   |
      | command: "touch /tmp/owned"   |
      | name: !!python/name:os.system |
