Feature: Evidence as lines for pipes and editors
  `query --format` prints one line a piece in a form of the user's, or in one that editors read, and nothing else.

  Background:
    Given a corpus with the items
      | path         | text                                                                          |
      | sea/tides.md | # Tides\n\nThe moon pulls the tides.\n\n## Springs\n\nSpring tides: new moon. |
      | sea/gulls.md | # Gulls\n\nGulls follow boats.                                                |
    And a sealed run "first"

  Scenario Outline: A form
    When I type "biblicus query gulls --format '<form>'"
    Then the exit code is 0
    And standard error is empty
    And standard output is
      """
      <line>
      """

    Examples: one after the other
      | form                            | line                                    |
      | {path}:{line_start}: {snippet}  | sea/gulls.md:1: # Gulls Gulls follow boats. |
      | {rank}\t{doctype}\t{page}\t{title} | 1\tdoc\t\tGulls                      |
      | {{{path}}}                      | {sea/gulls.md}                          |
      | vimgrep                         | sea/gulls.md:1:1:# Gulls Gulls follow boats. |
      | grep                            | sea/gulls.md:1:# Gulls Gulls follow boats.   |
      | paths                           | sea/gulls.md                            |

  Scenario: A file that holds several pieces is named once
    When I type "biblicus query tides --format paths"
    Then standard output is
      """
      sea/tides.md
      """

  Scenario: Files are named from where one is
    When in the folder "sea" I type "biblicus query gulls --format paths"
    Then standard output is
      """
      gulls.md
      """

  Scenario Outline: Items in a form
    When I type "biblicus list --format '<form>'"
    Then the exit code is 0
    And standard output is
      """
      <first>
      <second>
      """

    Examples: one after the other
      | form              | first                     | second                   |
      | paths             | sea/gulls.md              | sea/tides.md             |
      | vimgrep           | sea/gulls.md:1:1:Gulls    | sea/tides.md:1:1:Tides   |
      | {doctype}\t{title} | doc\tGulls                | doc\tTides               |

  Scenario: Names for xargs -0
    When I type "biblicus list -0 --format paths"
    Then standard output is "sea/gulls.md\0sea/tides.md\0"

  Scenario: Nothing found is nothing printed
    When I type "biblicus query submarines --format paths"
    Then the exit code is 0
    And standard output is empty

  Scenario Outline: What is no form
    When I type "biblicus query gulls <options>"
    Then the exit code is 2
    And standard output is empty
    And standard error says "<says>"

    Examples: one after the other
      | options                          | says                          |
      | --format '{nosuch}'              | There is no field "nosuch"    |
      | --format '{path.__class__}'      | There is no field "path.__class__" |
      | --format '{path'                 | a { or } that stands alone    |
      | --format ''                      | --format '{path}:{line_start}: {snippet}' |
      | --format plain                   | --format '{path}:{line_start}: {snippet}' |
      | --format paths --json            | Give --json or --format       |
      | -0                               | Try: biblicus query … -0 --format paths |

  Scenario: What is no form of items
    When I type "biblicus list --format '{page}'"
    Then the exit code is 2
    And standard error says "There is no field "page" of an item; known: item_id, path"
