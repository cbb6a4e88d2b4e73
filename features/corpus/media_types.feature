Feature: What a file is
  The media type comes from content and name, the doctype from both by rule; where name and content contradict, content
  wins. A sidecar and the rules in `config.yml` overrule them.

  Scenario: Media type and doctype
    Given a corpus with the items
      | path      | text                                                  |
      | a.md      | # Tides                                               |
      | README.md | # Tides                                               |
      | readme    | Tides                                                 |
      | a.py      | import this                                           |
      | Makefile  | all:                                                  |
      | run       | #!/bin/sh\necho                                       |
      | a.csv     | a,b\n1,2                                              |
      | a.json    | {"a": 1}                                              |
      | a.yaml    | a: 1                                                  |
      | a.html    | <html><p>Tides                                        |
      | page      | <!doctype html><p>Tides                               |
      | a.ipynb   | {"cells": []}                                         |
      | a.pdf     | %PDF-1.4                                              |
      | a.txt     | %PDF-1.4                                              |
      | a.png     | \x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01 |
      | a2.txt    | \x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01 |
      | a.eml     | From: ada@example.org                                 |
      | a.mp3     | ID3\x03\x00\x00                                       |
      | a.bin     | \x00\x01\x02                                          |
      | a2.pdf    | plain words                                           |
      | noext     | plain words                                           |
      | cur/1.pl  | From: a@b.example\nTo: c\nDate: x\nMessage-ID: <1>\n\nHi |
      | 12        | Received: by d\nFrom: a@b.example\nTo: c\nDate: x\n\nHi |
      | memo      | From: Ada\nTo: Bob\nSubject: Tides\nDate: Monday\n\nHi   |
      | INBOX     | From a@b Mon Jan  1 00:00:00 2024\nFrom: a@b\n\nHi        |
      | chat.json | [{"type": "message", "ts": "1714982400.000200"}]      |
    When the items are listed
    Then they are
      | path      | media_type               | doctype  |
      | 12        | message/rfc822           | message  |
      | INBOX     | application/mbox         | message  |
      | Makefile  | text/x-makefile          | code     |
      | README.md | text/markdown            | readme   |
      | a.bin     | application/octet-stream | other    |
      | a.csv     | text/csv                 | data     |
      | a.eml     | message/rfc822           | message  |
      | a.html    | text/html                | doc      |
      | a.ipynb   | application/x-ipynb+json | notebook |
      | a.json    | application/json         | data     |
      | a.md      | text/markdown            | doc      |
      | a.mp3     | audio/mpeg               | audio    |
      | a.pdf     | application/pdf          | paper    |
      | a.png     | image/png                | image    |
      | a.py      | text/x-python            | code     |
      | a.txt     | application/pdf          | paper    |
      | a.yaml    | application/yaml         | data     |
      | a2.pdf    | text/plain               | doc      |
      | a2.txt    | image/png                | image    |
      | chat.json | application/x-chat+json  | message  |
      | cur/1.pl  | message/rfc822           | message  |
      | memo      | text/plain               | doc      |
      | noext     | text/plain               | doc      |
      | page      | text/html                | doc      |
      | readme    | text/plain               | readme   |
      | run       | text/x-shellscript       | code     |

  Scenario: A sidecar overrules the media type
    Given a corpus with the items
      | path                  | text                        |
      | page.txt              | <p>The <b>moon</b> pulls.</p> |
      | page.txt.biblicus.yml | media_type: text/html       |
    When the item "page.txt" is read
    Then the text holds "The moon pulls."
    And the text holds no "<b>"
    And the item "page.txt" is | media_type: text/html | doctype: doc |

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
    Given a corpus with the items | path: a.txt | text: words |
    And the corpus's configuration adds
      """
      defualt_recipe: lexical
      """
    When the catalog is refreshed
    Then it is refused as "invalid_file"
    And the message says "did you mean "default_recipe"?"
