Feature: A doctor tells what makes a corpus worse to search
  Near copies, dead links, stale notes, unread files, items without a title and secrets: one report, each finding with
  its place and the command that mends it.

  Background:
    Given a corpus with the items
      | path           | text                                                                          |
      | rules/quay.md  | # Quay\n\nSee [the pilot](pilot.md#fees), [tides](../tides.md) and [old](gone.md). |
      | rules/pilot.md | # Pilot\n\nAsk [[tides]], [[nobody]] or https://example.org/nothing.          |
      | tides.md       | # Tides\n\nThe moon pulls twice a day.                                        |

  Scenario: Nothing to mend
    Given the file "rules/quay.md" holds "# Quay\n\nSee [the pilot](pilot.md)."
    And the file "rules/pilot.md" holds "# Pilot\n\nAsk [[tides]]."
    And a sealed run "first"
    When the doctor is asked
    Then there are no findings

  Scenario: Links that lead nowhere
    Given a sealed run "first"
    When the doctor is asked
    Then the findings are
      | kind      | path           | line | reason             | hint                |
      | dead link | rules/pilot.md | 3    | nobody             | edit rules/pilot.md |
      | dead link | rules/quay.md  | 3    | rules/gone.md      | edit rules/quay.md  |

  Scenario Outline: Links of other formats
    Given the file "rules/quay.md" holds "# Quay"
    And the file "rules/pilot.md" holds "# Pilot"
    And the file "pages/index.<ending>" holds "<text>"
    And a sealed run "first"
    When the doctor is asked
    Then the findings are | kind: dead link | path: pages/index.<ending> | line: 3 | reason: pages/gone.txt | hint: edit pages/index.<ending> |

    Examples:
      | ending | text                                                                                     |
      | html   | <h1>Home</h1>\n<a href="../tides.md">Tides</a> <a href="/top">Top</a>\n<a href='gone.txt#x'>Old</a> <a href="#a">a</a> |
      | rst    | Home\n====\n`Old <gone.txt>`_ and `tides <../tides.md>`_ and `site <https://example.org>`_ |
      | org    | * Home\n[[../tides.md]]\n[[file:gone.txt::12][Old]] and [[https://example.org][site]] and [[*Home]] |
      | adoc   | = Home\n\nxref:gone.txt#old[Old], link:../tides.md[Tides] and link:https://example.org[site] |

  Scenario Outline: Near copies
    Given the file "a.txt" holds 60 words of a tale
    And the file "<path>" holds the same words but one
    And the file "c.txt" holds 60 other words of it
    And a sealed run "first"
    When the doctor is asked
    Then the findings of "near copy" are | path: <path> | reason: 90% similar to a.txt | hint: echo <rule> >> .biblicusignore |

    Examples:
      | path     | rule           |
      | b.txt    | /b.txt         |
      | b[1].txt | '/b[[]1].txt' |

  Scenario: What is past its day, unread or untitled
    Given the file "fees.md" holds "---\nstale_after: 2020-01-01\n---\n# Fees\n\nTen a day."
    And the file "rules/quay.md" holds "# Quay"
    And the file "rules/pilot.md" holds "# Pilot"
    And the file "late.md" holds "---\nstale_after: 2999-12\n---\n# Late fees\n\nTwenty."
    And the file "0001.txt" holds "Dear Ada, the quay is dry."
    And the file "broken.pdf" holds "%PDF-1.4 and nothing else"
    And a sealed run "first"
    When the doctor is asked
    Then the findings are
      | kind     | path       | reason                  | hint                      |
      | unread   | broken.pdf | failed                  | open it in its program    |
      | stale    | fees.md    | 2020-01-01              | edit fees.md              |
      | untitled | 0001.txt   | neither                 | edit 0001.txt.biblicus.yml |

  Scenario: Secrets by their shape
    Given the file "keys.txt" holds secrets, and a placeholder
    And a sealed run "first"
    When the doctor is asked
    Then the findings of "secret" are
      | path     | line | reason                | hint                              |
      | keys.txt | 2    | token of GitHub: ghp_ | echo /keys.txt >> .biblicusignore |
      | keys.txt | 3    | private key: ----     | echo /keys.txt >> .biblicusignore |
    And no secret is told

  Scenario: Addresses of the web, if asked
    Given the file "rules/quay.md" links to pages of a site
      | path  | status |
      | /here | 200    |
      | /gone | 404    |
      | /busy | 500    |
    And the file "rules/pilot.md" holds "# Pilot"
    And a sealed run "first"
    When the doctor asks the web, too
    Then the findings are | kind: dead link | path: rules/quay.md | line: 2 | reason: 404 | hint: edit rules/quay.md |

  Scenario: On the command line
    Given a sealed run "first"
    When I type "biblicus doctor"
    Then the exit code is 4
    And standard output says "Dead links (2)"
    And standard output says "rules/quay.md:3: there is no rules/gone.md (edit rules/quay.md)"
    And standard output says "2 findings; checked 3 items"
