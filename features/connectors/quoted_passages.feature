Feature: What documents quote still stands
  Where Markdown quotes a passage with its citation, `verify --citations` looks the words up in the item that is cited.

  Background:
    Given a corpus with the items
      | path         | text                                                                                                      |
      | sea/tides.md | # Tides\n\nThe moon pulls the *tides*,\ntwice a day.\n\n## Springs\n\nSpring tides, it is said, follow a new moon. |
      | sea/gulls.md | # Gulls\n\nGulls follow "boats".\n\nThey eat fish.                                                        |
    And a sealed run "first"

  Scenario Outline: A passage that stands
    Given the file "essay.md" holds "<document>"
    When I type "biblicus verify --citations essay.md"
    Then the exit code is 0
    And standard output is empty
    And standard error is
      """
      Quoted passages that stand: 1 of 1.
      """

    Examples: Block quotes
      | document                                                                        |
      | > The moon pulls the *tides*,\n> twice a day.\n>\n> [sea/tides.md:3-4]          |
      | > twice a day\n\n(sea/tides.md:4)                                               |
      | > [!NOTE]\n> The moon pulls the tides … twice a day.\n> — sea/tides.md:3        |
      | * Seen:\n  > They eat fish.\n  > — [Gulls](sea/gulls.md#L5)                     |
      | > They eat fish.\n>\n> — [Gulls](sea/gulls.md), line 5                          |
      | > They eat fish. [^1]\n\n[^1]: See [Gulls](sea/gulls.md#L5).                    |

      | > > They eat fish.\n> >\n> > [sea/gulls.md:5]                                  |
      | > ```text\n> They eat fish.\n> ```\n>\n> [sea/gulls.md:5]                       |

    Examples: Quotation marks
      | document                                                                        |
      | As is said, "follow a new moon" [sea/tides.md:8].                               |
      | “They eat\nfish.” — Gulls (sea/gulls.md, line 5)                                |
      | „Gulls follow "boats"“ (see sea/gulls.md:3)                                     |
      | «they eat fish» ([Gulls](sea/gulls.md#L5))                                      |
      | "The moon" and "twice a day" [1]\n\n[1] sea/tides.md:4  Tides                   |
      | "They eat fish."[^a]\n\n[^a]: sea/gulls.md:5                                    |

  Scenario Outline: A passage that stands no more
    Given the file "essay.md" holds "# Essay\n\n<document>"
    When I type "biblicus verify --citations essay.md"
    Then the exit code is 4
    And standard output is
      """
      essay.md:3: <says>.
      """

    Examples:
      | document                                                  | says                                                    |
      | > The moon pulls the boats.\n> [sea/tides.md:3]           | sea/tides.md does not say “The moon pulls the boats.”    |
      | “They eat mice.” — Gulls (sea/gulls.md, line 5)           | sea/gulls.md does not say “They eat mice.”               |
      | "pulls the ... thrice a day" [sea/tides.md:3-4]           | sea/tides.md does not say “pulls the ... thrice a day”   |
      | "They eat fish" [sea/seals.md:5]                          | there is no item "sea/seals.md", which is cited for “They eat fish” |
      | "eat fis" [sea/gulls.md:5]                                | sea/gulls.md does not say “eat fis”                      |

  Scenario: A passage that stands elsewhere in its item holds, and is told
    Given the file "essay.md" holds "> They eat fish.\n> [sea/gulls.md:1]"
    When I type "biblicus verify --citations essay.md"
    Then the exit code is 0
    And standard output is
      """
      essay.md:1: “They eat fish.” stands on line 5 of sea/gulls.md, not 1.
      """

  Scenario Outline: What is no citation of the corpus is passed over
    Given the file "essay.md" holds "<document>"
    When I type "biblicus verify --citations essay.md"
    Then the exit code is 0
    And standard error says "Nothing was checked"
    When I type "biblicus verify --citations --strict essay.md"
    Then the exit code is 4

    Examples:
      | document                                                            |
      | > Simple is better.\n>\n> — [Tim Peters](https://peps.example/20)    |
      | > Simple is better.\n\nAs somebody says in [sea](sea/tides.md).      |
      | The word "simple" (12:30) and "boats" ([tides](sea/tides.md)).       |
      | ```\n> mice [sea/gulls.md:3]\n```                                    |
      | Type `"mice" [sea/gulls.md:3]`.                                      |
      | "Love thy neighbour" (Mark 12:31), at "home" (localhost:8080).       |
      | The note "of mice"[^1].\n\n[^1]: I made it up.                       |

  Scenario Outline: A citation of an unknown form is told, and fails where that is wanted
    Given the file "essay.md" holds "> They eat fish. [sea/gulls.md:5]\n\n<document>"
    When I type "biblicus verify --citations essay.md"
    Then the exit code is 0
    And standard error says "essay.md:3: what follows “<words>” names no item in a form that is known here."
    And standard error says "Quoted passages that stand: 1 of 1."
    When I type "biblicus verify --citations --strict essay.md"
    Then the exit code is 4

    Examples:
      | document                                            | words            |
      | > They eat fish.\n> — gulls, somewhere              | They eat fish.   |
      | > They eat fish.\n\n(sea/gulls.md § 5)              | They eat fish.   |
      | Gulls "eat fish" (Kolm 2020, p. 5) by night.        | eat fish         |

  Scenario: Nothing unknown, and strict
    Given the file "essay.md" holds "> They eat fish. [sea/gulls.md:5]"
    When I type "biblicus verify --citations --strict essay.md"
    Then the exit code is 0

  Scenario: Many documents
    Given the file "essays/one.md" holds "> They eat fish. [sea/gulls.md:5]"
    And the file "essays/two.md" holds "> They eat mice. [sea/gulls.md:5]"
    When I type "biblicus verify --citations essays --json"
    Then the exit code is 4
    And standard output is one document with "ok, counts, quotations, unread, unknown"

  Scenario Outline: What cannot be looked up
    When I type "biblicus verify <words>"
    Then the exit code is 2
    And standard error says "<says>"

    Examples: one after the other
      | words                             | says                               |
      | one.json two.json                 | verify takes one file of evidence. |
      | --citations a.md --at local       | --citations takes no --at          |
      | --strict one.json                 | --strict is for documents          |
