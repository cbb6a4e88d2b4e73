Feature: Notes that link to each other
  Links between Markdown files are told with an item, in both directions; in a vault of Obsidian, tags in the text count.

  Background:
    Given a folder with the files
      | path           | text                                                                                              |
      | .obsidian/a    | {}                                                                                                |
      | sea/tides.md   | ---\ntags: [sea]\n---\n# Tides\n\nSee [[Gulls\|the gulls]] and [moon](../sky/moon.md#Phases). #moon/full |
      | sea/gulls.md   | # Gulls\n\nBack to [[tides#Springs]], not `[[tides]]`.\n\n```\n[[tides]] #code\n```\n\nC#  is no tag, #1 neither. |
      | sky/moon.md    | # Moon\n\n![[tides]] [t][] [web](https://moon.example/tides.md)\n\n[t]: /sea/tides.md\n[[Nowhere]] (#far, #moon) |
      | sky/gulls.md   | # Other gulls                                                                                     |
    And I typed "biblicus init"
    And I typed "biblicus ingest"

  Scenario: What a note links to, and what links to it
    When I type "biblicus show sea/tides.md --links"
    Then standard output says "links          sea/gulls.md (line 6)"
    And standard output says "sky/moon.md#Phases (line 6)"
    And standard output says "backlinks      sea/gulls.md (from line 3)"
    And standard output says "sky/moon.md (from line 3)"
    And standard output says "sky/moon.md (from line 5)"
    And standard output says "obsidian://open?vault="
    And standard output says "&file=sea%2Ftides"

  Scenario: A link to what is no item
    When I type "biblicus show sky/moon.md --links"
    Then standard output says "Nowhere (line 6, no item)"

  Scenario: Links are told where they are asked for
    When I type "biblicus show sea/tides.md"
    Then standard output says no "links"

  Scenario Outline: Tags in the text of a vault
    When I type "biblicus list --tag <tag> --format paths"
    Then standard output is
      """
      <path>
      """

    Examples: one after the other
      | tag       | path         |
      | sea       | sea/tides.md |
      | moon/full | sea/tides.md |
      | far       | sky/moon.md  |
      | moon      | sky/moon.md  |

  Scenario: A line of a template opens the note
    When I type "biblicus list --path 'sky/moon.md' --format '{title} {obsidian}'"
    Then standard output says "Moon obsidian://open?vault="
