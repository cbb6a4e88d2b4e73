Feature: A citation opens at the right line of the right commit
  Evidence from a repository says where it stands there, pinned to the commit that its bytes were read at.

  Scenario Outline: As each host writes it
    Given a repository "harbour" with the files | path: docs/a tide.c | text: /* Ebb */\n\nint moon(void) {\n  return 1;\n}\n |
    And a corpus without items
    And the repository "harbour" is a source with | web: <web> | links: <links> |
    And the sources were synced
    And the corpus was reindexed
    When "moon" is asked
    Then the best evidence is cited as "<url>"

    Examples:
      | web                              | links | url                                                                         |
      | https://github.com/ada/harbour   |       | https://github.com/ada/harbour/blob/COMMIT/docs/a%20tide.c#L3-L5            |
      | https://gitlab.com/ada/b/harbour |       | https://gitlab.com/ada/b/harbour/-/blob/COMMIT/docs/a%20tide.c#L3-5         |
      | https://codeberg.org/ada/harbour |       | https://codeberg.org/ada/harbour/src/commit/COMMIT/docs/a%20tide.c#L3-L5    |
      | https://git.example.org/harbour  | gitea | https://git.example.org/harbour/src/commit/COMMIT/docs/a%20tide.c#L3-L5     |
      | https://git.example.org/harbour  |       | git+https://git.example.org/harbour@COMMIT/docs/a%20tide.c#L3-L5            |
      |                                  |       | git+file:harbour@COMMIT/docs/a%20tide.c#L3-L5                               |

  Scenario: Documents that did not change stay pinned to the commit they were read at
    Given a repository "harbour" with the files | path: tide.md | text: The moon pulls. |
    And a corpus that is synced with "harbour"
    And in "harbour" since then | change: added | path: quay.md | text or new path: Ships. |
    When the sources are synced
    Then "imports/harbour/tide.md" is of the commit before
    And "imports/harbour/quay.md" is of the commit of "harbour"
