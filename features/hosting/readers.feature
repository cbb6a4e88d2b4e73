Feature: Readers: each person is shown only what is theirs
  Two people of one team ask the same corpus, on the page, at the command line and through an agent. Each gets what the
  corpus would answer if it held only their items.

  Background:
    Given a folder with the files
      | path           | text                                                       |
      | tides.md       | # Tides\n\nThe moon pulls the tides.                       |
      | staff/pay.md   | ---\nreaders: ["group:staff"]\n---\n# Pay\n\nThe moon lamp costs ninety crowns. |
      | staff/plan.md  | # Plan\n\nThe moon harbour opens in May.                   |
    And the file ".biblicus/access.yml" holds
      """
      paths:
        staff: [ada, group:staff]
        staff/plan.md: [ada]
      groups:
        staff: [ada, ben]
      """
    And the folder is an indexed corpus

  Scenario: The owner at a terminal sees all
    When I type "biblicus list"
    Then standard output says "staff/plan.md"

  Scenario: A hidden item and a missing one are told alike
    When I type "biblicus show staff/plan.md --as ben"
    Then the exit code is 3
    And standard error says "staff/plan.md"
    And standard error says no "ada"

  Scenario: Who was taken out of a group is shown nothing of an older run
    Given "ben" was shown the corpus
    And the file ".biblicus/access.yml" holds
      """
      paths:
        staff: [ada, group:staff]
      groups:
        staff: [ada]
      """
    When "ben" asks for "moon" at the command line
    Then "ben" is shown only "tides.md"

  Scenario Outline: Rules that cannot be read hide from everybody but the owner
    Given the file "<file>" holds "<text>"
    And the folder is indexed again
    When "ada" asks for "moon" at the command line
    Then "ada" is shown only "<paths>"

    Examples:
      | file                     | text                 | paths                       |
      | .biblicus/access.yml     | paths: [             |                             |
      | .biblicus/access.yml     | peoples: {}          |                             |
      | tides.md.biblicus.yml    | title: [             | staff/pay.md, staff/plan.md |
      | tides.md.biblicus.yml    | readers: 7           | staff/pay.md, staff/plan.md |
      | tides.md.biblicus.yml    | readers: [group:sea] | staff/pay.md, staff/plan.md |
      | staff/pay.md.biblicus.yml | readers: [ben]      | staff/plan.md, tides.md     |

  Scenario Outline: A header names the reader only from the proxy of the settings, with its secret
    Given the settings name a proxy at "<proxy>" with the secret "quay and lantern"
    And a service with a token to read
    When the service is asked for "moon" with the headers "<headers>"
    Then "the person" is shown only "<paths>"

    Examples:
      | proxy     | headers                                                                        | paths                                 |
      | 127.0.0.1 | Biblicus-Proxy: quay and lantern; X-Forwarded-User: ada                        | staff/pay.md, staff/plan.md, tides.md |
      | 127.0.0.1 | Biblicus-Proxy: quay and lantern; X-Forwarded-User: ben                        | staff/pay.md, tides.md                |
      | 127.0.0.1 | Biblicus-Proxy: quay and lantern; X-Forwarded-User: eve; X-Groups: staff       | tides.md                              |
      | 127.0.0.1 | Biblicus-Proxy: quay and lantern; X-Forwarded-User: group:staff                | tides.md                              |
      | 127.0.0.1 | Biblicus-Proxy: quay and lantern; X-Forwarded-User: ada; X-Forwarded-User: ada | tides.md                              |
      | 127.0.0.1 | Biblicus-Proxy: quay and lantern                                               | tides.md                              |

    Examples: not sent by the proxy
      | proxy     | headers                                                                               | paths |
      | 10.0.0.2  | Biblicus-Proxy: quay and lantern; X-Forwarded-User: ada                               |       |
      | 127.0.0.1 | Biblicus-Proxy: quay or lanterns; X-Forwarded-User: ada                               |       |
      | 127.0.0.1 | Biblicus-Proxy: quay and lantern; Biblicus-Proxy: quay and lantern; X-Forwarded-User: ada |   |
      | 127.0.0.1 | X-Forwarded-User: ada                                                                 |       |
      | 127.0.0.1 | Biblicus-Proxy:; X-Forwarded-User: ada                                                |       |

    Examples: with a token of nobody
      | proxy     | headers                                                        | paths    |
      | 10.0.0.2  | token; Biblicus-Proxy: quay and lantern; X-Forwarded-User: ada | tides.md |
      | 127.0.0.1 | token; X-Forwarded-User: ada                                   | tides.md |

  Scenario Outline: A document is for the person who brings it in, and those whom it names
    When "<sender>" sends the document "The moon buoy is red." for "<readers>"
    Then only "<people>" are shown "The moon buoy is red."

    Examples:
      | sender | readers          | people        |
      | ben    |                  | ben           |
      | ben    | ada, ben         | ada, ben      |
      | ben    | ada              | ada           |
      | eve    | group:staff      | ada, ben      |
      | eve    | group:sea        |               |
      |        |                  | ada, ben, eve |

  Scenario: A person who updates a document shows it to nobody new
    Given "ada" sent the document "The moon buoy is red." for "ada, ben" from "urn:buoy"
    When "ben" sends the document "The moon buoy is green." for "ben, eve" from "urn:buoy"
    Then only "ben" are shown "The moon buoy is green."
    And only "" are shown "The moon buoy is red."

  Scenario: What is not made for readers is refused
    Given a service with a token to read
    When the service is asked | method: GET | address: /events/page | token: valid |
    Then it answers 403 as "reader_limited"
