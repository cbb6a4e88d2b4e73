Feature: Options that are spelled with a slash
  What Windows' programs take (`/GS`) is a name in its own spelling, as `--strict` is. A title may list several.

  Background:
    Given a corpus with the items
      | path                     | text |
      | lines/mt-md-run-lines.md | # /MT, /MD (Run lines)\n\nWhere the lines of a boat are led. |
      | lines/gs-slack.md        | # /Gs (Slack)\n\nHow much a line may hang. |
      | lines/gs-tight.md        | # /GS (Tight)\n\nNo line hangs. |
      | lines/all.md             | # Options by name\n\nEach mooring option: [/MD](mt-md-run-lines.md), [/MT](mt-md-run-lines.md), [/GS](gs-tight.md), [/Gs](gs-slack.md). What a mooring option does, the page of that mooring option says. |
      | lines/table.md           | # Levels\n\nHow taut.\n\n\|Option\|Meaning\|\n\|---\|---\|\n\|**/W1**\|Hardly.\|\n\|**/W4**\|Very.\| |
      | paths.md                 | # Folders\n\nLines are kept in /MD/lines and in a/MT, see </MD> and mooring option. |
      | lines/slack-levels.md    | # /s, /S0, /S1, /S2, /S3, /S4, /Sall (Slack levels)\n\nHow slack all lines are. |
    And a sealed run "first"

  Scenario Outline: The page of an option comes first
    When "<question>" is asked
    Then the evidence starts with | path: <path> |

    Examples: one after the other
      | question                             | path                     |
      | /MT                                  | lines/mt-md-run-lines.md |
      | What does /GS do?                    | lines/gs-tight.md        |
      | What does the /W4 option do?         | lines/table.md           |
      | What does /Sall do?                  | lines/slack-levels.md    |
