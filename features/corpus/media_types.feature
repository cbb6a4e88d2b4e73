Feature: What a file is
  The media type comes from content and name, the doctype from both by rule; where name and content contradict, content
  wins. A sidecar and the rules in `config.yml` overrule them.

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
