Feature: What a file is
  The media type comes from content and name, the doctype from both by rule; where name and content contradict, content
  wins. A sidecar and the rules in `config.yml` overrule them.

  Scenario Outline: Media type and doctype
    Given a corpus with the items
      | path   | text   |
      | <path> | <text> |
    When the items are listed
    Then they are
      | path   | media_type | doctype   |
      | <path> | <type>     | <doctype> |

    Examples:
      | path          | text                        | type                     | doctype  |
      | a.md          | # Tides                     | text/markdown            | doc      |
      | README.md     | # Tides                     | text/markdown            | readme   |
      | readme        | Tides                       | text/plain               | readme   |
      | a.py          | import this                 | text/x-python            | code     |
      | Makefile      | all:                        | text/x-makefile          | code     |
      | run           | #!/bin/sh\necho             | text/x-shellscript       | code     |
      | a.csv         | a,b\n1,2                    | text/csv                 | data     |
      | a.json        | {"a": 1}                    | application/json         | data     |
      | a.yaml        | a: 1                        | application/yaml         | data     |
      | a.html        | <html><p>Tides              | text/html                | doc      |
      | page          | <!doctype html><p>Tides     | text/html                | doc      |
      | a.ipynb       | {"cells": []}               | application/x-ipynb+json | notebook |
      | a.pdf         | %PDF-1.4                    | application/pdf          | paper    |
      | a.txt         | %PDF-1.4                    | application/pdf          | paper    |
      | a.png         | \x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01       | image/png                | image    |
      | a.txt         | \x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01       | image/png                | image    |
      | a.eml         | From: ada@example.org       | message/rfc822           | message  |
      | a.mp3         | ID3\x03\x00\x00             | audio/mpeg               | audio    |
      | a.bin         | \x00\x01\x02                | application/octet-stream | other    |
      | a.pdf         | plain words                 | text/plain               | doc      |
      | noext         | plain words                 | text/plain               | doc      |

  Scenario: A sidecar overrules the media type
    Given a corpus with the items
      | path                  | text                        |
      | page.txt              | <p>The <b>moon</b> pulls.</p> |
      | page.txt.biblicus.yml | media_type: text/html       |
    When the item "page.txt" is read
    Then the text holds "The moon pulls."
    And the text holds no "<b>"
    And the item "page.txt" is
      | media_type | doctype |
      | text/html  | doc     |

  Scenario: Rules of the corpus overrule the doctype
    Given a corpus with the items
      | path             | text    |
      | papers/a/sea.txt | words   |
      | sea.txt          | words 2 |
    And the corpus's configuration adds
      """
      doctypes:
      - {path: "papers/**", doctype: paper}
      """
    When the catalog is refreshed
    Then the catalog holds
      | path             | doctype |
      | papers/a/sea.txt | paper   |
      | sea.txt          | doc     |

  Scenario: A bad configuration names the key and the nearest one
    Given a corpus with the items
      | path  | text  |
      | a.txt | words |
    And the corpus's configuration adds
      """
      defualt_recipe: lexical
      """
    When the catalog is refreshed
    Then it is refused as "invalid_file"
    And the message says "did you mean "default_recipe"?"
