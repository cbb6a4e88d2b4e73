Feature: Sources are listed, and trusted by their user
  `.biblicus/sources.yml` says what the corpus draws from. It is inert: nothing is fetched for a list that somebody else
  wrote before `biblicus trust`, and what reaches into this machine needs a word of its user.

  Background:
    Given a repository "harbour" with the files | path: tide.md | text: The moon pulls. |

  Scenario: A source is listed as it was said
    Given a corpus without items
    And the repository "harbour" is a source with | ref: trunk | toolkit: sailing | include: docs/** |
    When the sources are listed
    Then they are the sources | name: harbour | kind: git | trusted: true | allowed: local | documents: 0 |

  Scenario: Two sources have two names
    Given a corpus without items
    And the repository "harbour" is a source
    When the repository "harbour" is listed as "harbour"
    Then it is refused as "usage"

  Scenario: A path of this machine needs its user's word
    Given a corpus without items
    When the repository "harbour" is listed without more
    Then it is refused as "refused"
    And the folder holds no ".biblicus/sources.yml"

  Scenario Outline: What is no source is refused
    Given a corpus without items
    When the address "<address>" is listed
    Then it is refused as "<code>"
    And the folder holds no ".biblicus/sources.yml"

    Examples: one after the other
      | address                              | code  |
      | ftp://example.org/a                  | usage |
      | git+ssh://git@example.org/a          | usage |
      | git+http://example.org/a             | usage |
      | https://ada:secret@example.org/a.git | usage |
      | git+https://example.org/a@../x       | usage |
      | git+https://example.org/a@--output=x | usage |
      | git+ext::sh -c id                    | usage |

  Scenario: A list that came with a clone is not synced before it is trusted
    Given a corpus that is synced with "harbour"
    And another user has the corpus now
    When the sources are synced
    Then it is refused as "source_untrusted"
    And the hint is "biblicus trust"

  Scenario: A trusted list may still not read this machine
    Given a corpus that is synced with "harbour"
    And another user has the corpus now
    And the corpus was trusted
    When the sources are synced
    Then it is refused as "source_not_allowed"

  Scenario: Whoever trusts and allows a source can sync it
    Given a corpus that is synced with "harbour"
    And another user has the corpus now
    And the corpus was trusted
    When "harbour" is synced with | allow-local: yes |
    Then the sync of "harbour" is "unchanged"

  Scenario Outline: What is allowed is allowed by name
    Given a corpus that is synced with "harbour"
    When the sources are synced with | <option>: yes |
    Then it is refused as "usage"
    And the hint is "biblicus sources sync NAME --<option>"

    Examples: one after the other
      | option        |
      | allow-local   |
      | allow-private |

  Scenario: A changed entry is a new one to trust
    Given a corpus that is synced with "harbour"
    And in ".biblicus/sources.yml" "kind: git" became "kind: git\n  toolkit: other"
    When the sources are synced
    Then it is refused as "source_untrusted"

  Scenario: One source that fails does not stop the others
    Given a corpus that is synced with "harbour"
    And a repository "pilot" with the files | path: a.md | text: Pilots |
    And the repository "pilot" is a source
    And the repository "harbour" was since deleted
    When the sources are synced
    Then the sync of "harbour" is "failed"
    And the sync of "pilot" is "synced"
    And the folder holds "imports/harbour/tide.md"

  Scenario: A source is removed with its documents
    Given a corpus that is synced with "harbour"
    When the source "harbour" is removed
    Then the catalog holds
      | path |
    And the folder holds no "imports/harbour"

  Scenario: A source is removed and its documents stay, with where they came from
    Given a corpus that is synced with "harbour"
    When the source "harbour" is removed with | keep-documents: yes |
    Then every item is of the commit of "harbour"

  Scenario: An address that is ingested becomes a source
    Given a corpus without items
    When the repository "harbour" is ingested at "trunk"
    Then the catalog holds | path: imports/harbour/tide.md |

  Scenario: An address that fails is not listed
    Given a corpus without items
    When "git+https://127.0.0.1/a.git" is ingested
    Then it is refused as "url_refused"
    And there are no sources

  Scenario: An item that follows a source is not removed by itself
    Given a corpus that is synced with "harbour"
    When "imports/harbour/tide.md" is removed
    Then it is refused as "refused"
    And the folder holds "imports/harbour/tide.md"

  Scenario: A check notes what was edited here, which is no damage
    Given a corpus that is synced with "harbour"
    And "imports/harbour/tide.md" was since edited to "My own words."
    When the sources are checked
    Then the check has among its notes "imports/harbour/tide.md", since "it was edited here"
    And there are no problems

  Scenario: A check finds what is missing
    Given a corpus that is synced with "harbour"
    And "imports/harbour/tide.md" was since deleted
    When the sources are checked
    Then the check has among its problems "imports/harbour/tide.md", since "it is missing"

  Scenario: A check finds a branch that is not there
    Given a corpus that is synced with "harbour"
    And the repository "harbour" since calls its branch "main"
    And a corpus's entry of "harbour" says the ref "trunk"
    When the sources are checked
    Then the check has among its problems "harbour", since "it has no branch or tag trunk; its default branch is main"

  Scenario: A default branch that got another name is followed
    Given a corpus that is synced with "harbour"
    And the repository "harbour" since calls its branch "main"
    When the sources are synced
    Then the sync of "harbour" says nothing but its new branch "main"

  Scenario: A folder of this machine follows likewise
    Given a corpus without items
    And a folder outside with the files
      | path           | text   |
      | manual/a.md    | first  |
      | manual/b/c.md  | second |
    And the folder "manual" outside is a source
    When the sources are synced
    Then the sync of "manual" says
      | change | path                  |
      | added  | imports/manual/a.md   |
      | added  | imports/manual/b/c.md |

  Scenario: A share is what its user's settings say
    Given a corpus without items
    And a folder outside with the files
      | path              | text   |
      | cloud/may/a.md    | first  |
      | cloud/may/b/c.md  | second |
      | cloud/june/d.md   | third  |
    When the address "share:papers/../june" is listed
    Then it is refused as "usage"
    Given the share "papers/may" is a source
    When the sources are synced
    Then it is refused as "unknown_share"
    Given the share "papers" is the folder "cloud" outside
    When the sources are synced
    Then the sync of "may" says
      | change | path               |
      | added  | imports/may/a.md   |
      | added  | imports/may/b/c.md |
