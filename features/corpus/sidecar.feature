Feature: A sidecar describes any file
  `<file>.biblicus.yml` beside a file says what cannot be written into it, with the keys of front matter.
  It stands above front matter and above what the file shows, and it is no item itself.

  Scenario: A sidecar describes a file that holds no text
    Given a corpus with the items
      | path                  | text                                                   |
      | photo.png             | \x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01                                  |
      | photo.png.biblicus.yml | title: The pier\ntags: [sea]\nmetadata: {camera: Box}  |
    When the items are listed
    Then they are | path: photo.png | title: The pier | tags: sea | media_type: image/png | doctype: image | metadata: {"camera": "Box"} |

  Scenario: A sidecar stands above front matter
    Given a corpus with the items
      | path                  | text                                                     |
      | tides.md              | ---\ntitle: Front\ntags: [front]\nowner: Ada\n---\nText. |
      | tides.md.biblicus.yml | title: Side\nowner: Bob                                  |
    When the items are listed
    Then they are | title: Side | tags: front | metadata: {"owner": "Bob"} |

  Scenario: An edited sidecar changes its item
    Given a corpus with the items
      | path                   | text                  |
      | tides.txt              | The moon pulls tides. |
      | tides.txt.biblicus.yml | title: Before         |
    And "tides.txt.biblicus.yml" was since edited to "title: After"
    When the catalog is refreshed
    Then the report says | change: changed | path: tides.txt |
    And the item "tides.txt" is | title: After |

  Scenario Outline: A bad sidecar is a warning
    Given a corpus with the items
      | path                   | text                  |
      | tides.txt              | The moon pulls tides. |
      | tides.txt.biblicus.yml | <sidecar>             |
    When the catalog is refreshed
    Then the report warns of "tides.txt" that "<warning>"
    And the catalog holds | path: tides.txt | title: tides |

    Examples:
      | sidecar        | warning                                           |
      | title: [       | its sidecar was left aside                        |
      | just words     | its sidecar was left aside: it holds no keys      |
      | title: {a: b}  | its sidecar's "title" was left aside              |

  Scenario: A sidecar without its file is said so
    Given a corpus with the items
      | path                   | text        |
      | other.txt              | Some words. |
      | tides.txt.biblicus.yml | title: Lost |
    When the catalog is refreshed
    Then the report warns of "tides.txt.biblicus.yml" that "a sidecar without its file"

  Scenario: Where a file was moved without its sidecar, the warning tells how to move that
    Given a corpus with the items
      | path                   | text                  |
      | tides.txt              | The moon pulls tides. |
      | tides.txt.biblicus.yml | title: Moon and sea   |
    And "tides.txt" was since renamed to "the sea.txt"
    When the catalog is refreshed
    Then the report warns of "tides.txt.biblicus.yml" that "a sidecar without its file, which is the sea.txt now: mv tides.txt.biblicus.yml 'the sea.txt.biblicus.yml'"
