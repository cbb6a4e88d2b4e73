Feature: Exact text is cited where it came from
  A part of an item is read by lines, characters or page, within its bounds, and says what address to open for it.

  Background:
    Given a corpus with the items
      | path                | text                                |
      | moon.py             | a = 1\nb = 2\nc = 3\n            |
      | moon.py.biblicus.yml | source: {kind: git, uri: "https://github.com/sky/moon/blob/4f2ad1c09b7e6a5f3c2b1a09f8e7d6c5b4a39281/moon.py", ref: 4f2ad1c09b7e6a5f3c2b1a09f8e7d6c5b4a39281}\n |
      | own.md              | One.\nTwo.\n                      |

  Scenario: Lines of an item from a repository
    When the item "moon.py" is read with | lines: 2:3 |
    Then its citation is "https://github.com/sky/moon/blob/4f2ad1c09b7e6a5f3c2b1a09f8e7d6c5b4a39281/moon.py#L2-L3"

  Scenario: The text says which index there is beside it
    Given a sealed run "first"
    When the item "own.md" is read
    Then it names the index version of "first"

  Scenario: A file born here has no address
    When the item "own.md" is read
    Then it has no citation

  Scenario: What was edited here since is no longer what the address shows
    Given "moon.py" was since edited to "a = 1\nx = 0\nb = 2\n"
    When the item "moon.py" is read
    Then it has no citation

  Scenario: A file that is gone since it was indexed
    Given a sealed run "first"
    And "own.md" was since deleted
    When the item "own.md" is read
    Then it is refused as "item_not_found"
    And the message says "is not there any more: its file is gone"
