Feature: What lies in archives, mails and PDFs are items of their own
  The members of an archive, the attachments of a mail and the files in a PDF are found, cited and proved like files.
  They follow what holds them, nothing of them is ever written into the folder, and what could not be read is told.

  Background:
    Given a corpus without items
    And the archive "port.zip" with
      | member           | text                             |
      | plans/mole.md    | # The mole\n\nThe mole is 300 m. |
      | tides.txt        | The moon pulls tides.            |
      | __MACOSX/._x.txt | The moon is resource fork.       |
      | .DS_Store        | moon                             |

  Scenario: They are listed with what holds them
    When the catalog is refreshed
    Then the report says
      | change  | path                       | detail                 |
      | added   | port.zip                   |                        |
      | added   | port.zip!/plans/mole.md    |                        |
      | added   | port.zip!/tides.txt        |                        |
      | skipped | port.zip!/.DS_Store        | hidden                 |
      | skipped | port.zip!/__MACOSX/        | system file            |
    And the catalog holds
      | path                    | title    | media_type      | doctype |
      | port.zip                | port     | application/zip | other   |
      | port.zip!/plans/mole.md | The mole | text/markdown   | doc     |
      | port.zip!/tides.txt     | tides    | text/plain      | doc     |
    And the items with "path" "port.zip!/**" are
      | path                    |
      | port.zip!/plans/mole.md |
      | port.zip!/tides.txt     |

  Scenario: It is shown what holds a member, and how many there are
    Given the catalog was refreshed
    When the item "port.zip!/tides.txt" is shown
    Then it is | parent: port.zip |
    When the item "port.zip" is shown
    Then it is | members: 2 |

  Scenario: Members follow a rename of what holds them
    Given the catalog was refreshed
    And "port.zip" was since renamed to "old/harbour.zip"
    When the catalog is refreshed
    Then the report says
      | change  | path                            | detail                  |
      | renamed | old/harbour.zip                 | port.zip                |
      | renamed | old/harbour.zip!/plans/mole.md  | port.zip!/plans/mole.md |
      | renamed | old/harbour.zip!/tides.txt      | port.zip!/tides.txt     |
      | skipped | old/harbour.zip!/.DS_Store      |                         |
      | skipped | old/harbour.zip!/__MACOSX/      |                         |

  Scenario: They go with it
    Given the catalog was refreshed
    And "port.zip" was since deleted
    When the catalog is refreshed
    Then the report says
      | change  | path                    |
      | removed | port.zip                |
      | removed | port.zip!/plans/mole.md |
      | removed | port.zip!/tides.txt     |
    And the catalog is empty

  Scenario: One changed member changes no other
    Given a sealed run "first"
    And the evidence for "moon" is kept
    And the archive "port.zip" is since with
      | member        | text                             |
      | plans/mole.md | # The mole\n\nThe mole is 400 m. |
      | tides.txt     | The moon pulls tides.            |
    Then the evidence kept verifies
    When the corpus is reindexed
    Then the report says
      | change  | path                    |
      | changed | port.zip                |
      | changed | port.zip!/plans/mole.md |
    And a query for "mole" returns evidence from "port.zip!/plans/mole.md"
    And the text of "port.zip!/plans/mole.md" holds "400 m"

  Scenario: A member that is edited or gone makes evidence stale
    Given a sealed run "first"
    And the archive "port.zip" is since with | member: tides.txt | text: The moon pulls tides. |
    When "mole moon" is asked
    Then the evidence is
      | path                    | stale |
      | port.zip!/plans/mole.md | true  |
      | port.zip!/tides.txt     | -     |

  Scenario: An unchanged archive is not opened again
    Given a sealed run "first"
    When the corpus is reindexed
    Then the report says nothing new

  Scenario: Ignore rules reach into archives
    Given the file ".biblicusignore" holds "plans/\n"
    When the catalog is refreshed
    Then the catalog holds
      | path                |
      | port.zip            |
      | port.zip!/tides.txt |
    Given the file ".biblicusignore" holds "tides.*\n"
    When the catalog is refreshed
    Then the catalog holds
      | path                    |
      | port.zip                |
      | port.zip!/plans/mole.md |

  Scenario: Tags of what holds a member are the member's, too; its own stand in the same sidecar
    Given the item "port.zip" was tagged "+port"
    And the item "port.zip!/tides.txt" was tagged "+moon"
    Then the item "port.zip!/tides.txt" is | tags: port, moon |
    And the item "port.zip!/plans/mole.md" is | tags: port |

  Scenario: A member is not removed by itself
    Given the catalog was refreshed
    When "port.zip!/tides.txt" is removed
    Then it is refused as "refused"
    And the message says "in port.zip"

  Scenario: The same bytes in two archives are two items
    Given "port.zip" was since copied to "copy.zip"
    When the catalog is refreshed
    Then the catalog holds
      | path                    |
      | copy.zip                |
      | copy.zip!/plans/mole.md |
      | copy.zip!/tides.txt     |
      | port.zip                |
      | port.zip!/plans/mole.md |
      | port.zip!/tides.txt     |

  Scenario: The same attachment in forty mails is evidence once
    Given 40 mails with the attachment "fees.csv" that says "name,fee\nGull,35"
    And a sealed run "first"
    When "gull" is asked
    Then the evidence is | title: fees.csv |
    And what was dropped names "duplicate"

  Scenario: A folder whose name ends as an archive's does is no archive
    Given the file "odd!/tides.txt" holds "The moon."
    When the catalog is refreshed
    Then the text of "odd!/tides.txt" holds "The moon."

  Scenario Outline: What an archive holds that is not taken
    Given the archive "odd.zip" with | member: <member> | text: <text> |
    When the catalog is refreshed
    Then the report says of "failed" also "<path>"
    When it is checked what could not be read
    Then the unread are | path: <path> | class: <class> | reason: <reason> |

    Examples:
      | member     | text             | path             | class     | reason                    |
      | ../out.txt | The moon.        | odd.zip!/out.txt | damaged   | leaves the archive        |
      | /etc/x.txt | The moon.        | odd.zip!/etc/x.txt | damaged   | leaves the archive        |
      | bomb.txt   | 40 MiB of zeros  | odd.zip!/bomb.txt | too large | 200 times its size        |

  Scenario: An archive in an archive is told, and looked into where that was asked for
    Given the archive "outer.zip" that holds "port.zip"
    When the catalog is refreshed
    And it is checked what could not be read
    Then the unread are | path: outer.zip!/port.zip | class: unsupported | reason: an archive in an archive | hint: archive_depth: 2 |
    Given the corpus's configuration adds
      """
      archive_depth: 2
      """
    When the corpus is reindexed
    Then a query for "moon" returns evidence from "outer.zip!/port.zip!/tides.txt"
    And the text of "outer.zip!/port.zip!/tides.txt" holds "moon"

  Scenario: Archives are left closed where that was asked for
    Given the corpus's configuration adds
      """
      archive_depth: 0
      """
    When the catalog is refreshed
    Then the catalog holds | path: port.zip |

  Scenario: Archives with a password
    Given these archives whose password is "ebb tide"
      | archive          | member     | text                  |
      | locked/aes.zip   | tides.txt  | Neap tides are weak.  |
      | locked/names.7z  | quay.txt   | The quay falls dry.   |
      | locked/names.rar | gulls.txt  | Gulls follow ships.   |
    When the catalog is refreshed
    And it is checked what could not be read
    Then the unread are
      | path             | class          | reason              | hint       |
      | locked/aes.zip   | needs password | asks for a password | --password |
      | locked/names.7z  | needs password | asks for a password | --password |
      | locked/names.rar | needs password | asks for a password | --password |
    Given the setting "passwords" is "locked/*: high water"
    When the corpus is reindexed
    And it is checked what could not be read
    Then the unread are
      | path             | class          | reason           |
      | locked/aes.zip   | needs password | another password |
      | locked/names.7z  | needs password | another password |
      | locked/names.rar | needs password | another password |
    Given the setting "passwords" is "locked/*: ebb tide"
    And the corpus was reindexed
    When "quay dry" is asked
    Then evidence comes from "locked/names.7z!/quay.txt"
    And the evidence verifies
    And the text of "locked/aes.zip!/tides.txt" holds "weak"
    And the text of "locked/names.rar!/gulls.txt" holds "ships"

  Scenario: Attachments of mail
    Given the mail "spring.eml" that says "See the plan." with the attachments
      | name      | text                   |
      | plan.txt  | The quay is 80 m long. |
      | plan.txt  | The quay was 70 m.     |
      | ../up.txt | The crane is blue.     |
      | C:\\plans\\mole.txt | The mole is long. |
    And a sealed run "first"
    When "crane" is asked
    Then evidence comes from "spring.eml!/up.txt"
    And the evidence verifies
    And the text of "spring.eml!/plan (2).txt" holds "70 m"
    And the text of "spring.eml!/mole.txt" holds "long"

  Scenario: An invitation by mail
    Given the file "invite.eml" holds
      """
      From: Ada <ada@example.org>
      Subject: Dry dock
      MIME-Version: 1.0
      Content-Type: multipart/alternative; boundary=y

      --y
      Content-Type: text/plain; charset=utf-8

      Please come.
      --y
      Content-Type: text/calendar; charset=utf-8

      BEGIN:VCALENDAR
      BEGIN:VEVENT
      SUMMARY:Dry dock
      DTSTART:20250314T143000
      LOCATION:East gangway
      END:VEVENT
      END:VCALENDAR
      --y--
      """
    And a sealed run "first"
    When "east gangway" is asked
    Then evidence comes from "invite.eml!/attachment-1.ics"

  Scenario: Attachments of a mailbox stand under the number of their message
    Given the mailbox "box.mbox" of two mails with the attachment "plan.txt"
    And a sealed run "first"
    When "quay" is asked
    Then evidence comes from "box.mbox!/2/plan.txt"
    And the evidence verifies

  Scenario: A page that a browser saved is its text, and what it shows are members
    Given the file "saved/tides.mhtml" holds
      """
      From: <Saved by Blink>
      Snapshot-Content-Location: https://harbour.example/tides
      Subject: =?utf-8?Q?Tides_of_M=C3=B6le?=
      MIME-Version: 1.0
      Content-Type: multipart/related; type="text/html"; boundary="cut"

      --cut
      Content-Type: text/html
      Content-Transfer-Encoding: quoted-printable
      Content-Location: https://harbour.example/tides

      <meta charset=3D"utf-8"><h1>Tides</h1><p>The m=C3=B6le falls dry at spring ebb.</p><img src=3D"https://harbour.example/a/chart.svg">
      --cut
      Content-Type: text/css
      Content-Location: https://harbour.example/site.css

      p { color: seagreen }
      --cut
      Content-Type: text/plain
      Content-Location: https://harbour.example/a/notes%20of%20may.txt?v=3

      Gulls nest on the crane.
      --cut--
      """
    And a sealed run "first"
    When "spring ebb" is asked
    Then evidence comes from "saved/tides.mhtml"
    And the evidence verifies
    And the text of "saved/tides.mhtml!/notes of may.txt" holds "Gulls"
    And the items with "path" "saved/**" are
      | path                                |
      | saved/tides.mhtml                   |
      | saved/tides.mhtml!/notes of may.txt |
