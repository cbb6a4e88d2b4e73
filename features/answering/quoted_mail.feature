Feature: Answers out of mail and conversations
  A thread says each thing once and quotes it many times. What a message says itself is told, with who says it and when
  where that is asked; heads, greetings, signatures and what is quoted of others stand behind. Exports of chats read as
  the conversations that they are.

  Background:
    Given a corpus with the items
      | path                           | text |
      | Maildir/cur/1.host.example:2,S | Return-Path: <a@example.org>\nFrom: Ada Stone <ada@example.org>\nTo: crew@example.org\nSubject: Haul-out\nDate: Mon, 06 May 2024 09:12:03 +0200\nMessage-ID: <1@example.org>\nContent-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset=3Dutf-8\n\nDear crew,\n\nthe haul-out of the dredger is planned for=\n 12 June. It costs 4,800 euros.\n\nAda\n\n-- \nAda Stone \| Keeper of the slip\nM: +49 170 555 0142\n |
      | Maildir/cur/2.host.example:2,S | Return-Path: <b@example.org>\nFrom: Bob Reed <bob@example.org>\nTo: Ada Stone <ada@example.org>\nSubject: Re: Haul-out\nDate: Tue, 07 May 2024 10:00:00 +0200\nMessage-ID: <2@example.org>\n\nHi Ada,\n\nthe crane is at the fair that week, I propose 19 June.\n\nBob\n\nOn Mon, 6 May 2024 at 09:12, Ada Stone <ada@example.org>\nwrote:\n> Dear crew,\n>\n> the haul-out of the dredger is planned for 12 June. It costs 4,800 euros.\n>\n> Ada\n |
      | mail/3.eml                     | From: "Lind, Carol" <carol@example.org>\nTo: Bob Reed <bob@example.org>\nSubject: RE: Haul-out\nDate: Wed, 08 May 2024 11:00:00 +0200\nContent-Type: text/html; charset=utf-8\n\n<p>Bob,</p><p>19 June suits me. I bring the grease.</p><p>Kind regards<br>Carol</p><div><p><b>From:</b> Bob Reed<br><b>Sent:</b> Tuesday, May 7, 2024 10:00 AM<br><b>To:</b> Ada Stone<br><b>Subject:</b> Re: Haul-out</p></div><p>Hi Ada,</p><p>the crane is at the fair that week, I propose 19 June.</p> |
      | mail/4.eml                     | From: Dora <dora@example.org>\nSubject: The pump\nDate: Thu, 09 May 2024 11:00:00 +0200\n\nOn 08.05.2024 14:02, Ada Stone wrote:\n> Which impeller does the bilge pump need?\n\nThe one of nitrile.\n\n> Who fits it?\n\nI do, on Friday.\n\nDora\n |
      | lists/2024-March.txt           | From greg at wheel.example  Tue Mar  5 10:00:00 2024\nFrom: greg at wheel.example (Greg Hall)\nDate: Tue, 5 Mar 2024 10:00:00 -0500\nSubject: Sheave\nMessage-ID: <5@example.org>\n\nWhich grease is good for the sheave of a topping lift?\n\nGreg\n\nFrom sue at wheel.example  Tue Mar  5 11:00:00 2024\nFrom: sue at wheel.example (Sue Ito)\nDate: Wed, 6 Mar 2024 10:00:00 -0500\nSubject: Re: Sheave\n\nGreg Hall wrote:\n> Which grease is good for the sheave of a topping lift?\n\nLanolin, twice a year.\n |
      | lists/digest.eml               | From: list@example.org\nSubject: Digest 4\nDate: Thu, 04 Apr 2024 12:00:00 -0500\n\nToday's Topics:\n\n   1. Fenders (Walt)\n   2. Boathooks (Nils)\n\n----------------------------------------------------------------------\n\nMessage: 1\nDate: Wed, 3 Apr 2024 09:00:00 -0500\nFrom: Walt Romero <walt@example.org>\nSubject: Fenders\n\nFenders of cork outlast those of rubber.\n\n------------------------------\n\nMessage: 2\nDate: Wed, 3 Apr 2024 10:00:00 -0500\nFrom: Nils Aakre <nils@example.org>\nSubject: Boathooks\n\nI varnish boathooks in April.\n\n------------------------------\n\nEnd of Digest\n |
      | mail/6.eml                     | From: Eve Hart <eve@example.org>\nSubject: [PATCH] davit: add a lower command\nDate: Fri, 10 May 2024 11:00:00 +0200\n\nA boat is let down slowly.\n\n---\n lower.command \| 5 +++++\n 1 files changed, 5 insertions(+), 0 deletions(-)\n\ndiff --git a/davit.c b/davit.c\n@@ -1 +1,2 @@\n+int lower_command(void);\n-- \n1.6\n |
      | mail/7.eml                     | From: Fay <fay@example.org>\nSubject: Re: Supper\nDate: Sat, 11 May 2024 11:00:00 +0200\n\nGood to know.\n\nOn 10.05.2024 19:00, Gus Orr wrote:\n> On 10.05.2024 18:00, Hal Pym wrote:\n>> I eat no shellfish.\n>\n> Neither do I eat walnuts.\n |
      | mail/8.eml                     | From: Ivy Low <ivy@example.org>\nSubject: Fwd: Slipway\nDate: Sun, 12 May 2024 11:00:00 +0200\n\nI have booked the winch for it.\n\n---------- Forwarded message ---------\nFrom: Port Office <port@example.org>\nSubject: Slipway\n\nThe tractor hauls boats up to nine tons.\n |
      | mail/9.eml                     | From: Ned Orme <ned@example.org>\nSubject: Fwd: Lamps of the leading lights\nDate: Mon, 13 May 2024 11:00:00 +0200\n\nThis is from the authority.\n\n---------- Forwarded message ---------\nFrom: Olga Brandt <olga@example.org>\nSubject: Lamps of the leading lights\n\nBeacon 1 of the outer roads was repainted by the crew of the tender in week 1. Beacon 2 of the outer roads was repainted by the crew of the tender in week 2. Beacon 3 of the outer roads was repainted by the crew of the tender in week 3. Beacon 4 of the outer roads was repainted by the crew of the tender in week 4. Beacon 5 of the outer roads was repainted by the crew of the tender in week 5. Beacon 6 of the outer roads was repainted by the crew of the tender in week 6.\n\nBeacon 7 of the outer roads was repainted by the crew of the tender in week 7. Beacon 8 of the outer roads was repainted by the crew of the tender in week 8. Beacon 9 of the outer roads was repainted by the crew of the tender in week 9. Beacon 10 of the outer roads was repainted by the crew of the tender in week 10. Beacon 11 of the outer roads was repainted by the crew of the tender in week 11. Beacon 12 of the outer roads was repainted by the crew of the tender in week 12.\n\nBeacon 13 of the outer roads was repainted by the crew of the tender in week 13. Beacon 14 of the outer roads was repainted by the crew of the tender in week 14. Beacon 15 of the outer roads was repainted by the crew of the tender in week 15. Beacon 16 of the outer roads was repainted by the crew of the tender in week 16. Beacon 17 of the outer roads was repainted by the crew of the tender in week 17. Beacon 18 of the outer roads was repainted by the crew of the tender in week 18.\n\nBeacon 19 of the outer roads was repainted by the crew of the tender in week 19. Beacon 20 of the outer roads was repainted by the crew of the tender in week 20. Beacon 21 of the outer roads was repainted by the crew of the tender in week 21. Beacon 22 of the outer roads was repainted by the crew of the tender in week 22. Beacon 23 of the outer roads was repainted by the crew of the tender in week 23. Beacon 24 of the outer roads was repainted by the crew of the tender in week 24.\n\nBeacon 25 of the outer roads was repainted by the crew of the tender in week 25. Beacon 26 of the outer roads was repainted by the crew of the tender in week 26. Beacon 27 of the outer roads was repainted by the crew of the tender in week 27. Beacon 28 of the outer roads was repainted by the crew of the tender in week 28. Beacon 29 of the outer roads was repainted by the crew of the tender in week 29. Beacon 30 of the outer roads was repainted by the crew of the tender in week 30.\n\nBeacon 31 of the outer roads was repainted by the crew of the tender in week 31. Beacon 32 of the outer roads was repainted by the crew of the tender in week 32. Beacon 33 of the outer roads was repainted by the crew of the tender in week 33. Beacon 34 of the outer roads was repainted by the crew of the tender in week 34. Beacon 35 of the outer roads was repainted by the crew of the tender in week 35. Beacon 36 of the outer roads was repainted by the crew of the tender in week 36.\n\nBeacon 37 of the outer roads was repainted by the crew of the tender in week 37. Beacon 38 of the outer roads was repainted by the crew of the tender in week 38. Beacon 39 of the outer roads was repainted by the crew of the tender in week 39. Beacon 40 of the outer roads was repainted by the crew of the tender in week 40. Beacon 41 of the outer roads was repainted by the crew of the tender in week 41. Beacon 42 of the outer roads was repainted by the crew of the tender in week 42.\n\nBeacon 43 of the outer roads was repainted by the crew of the tender in week 43. Beacon 44 of the outer roads was repainted by the crew of the tender in week 44. Beacon 45 of the outer roads was repainted by the crew of the tender in week 45. Beacon 46 of the outer roads was repainted by the crew of the tender in week 46. Beacon 47 of the outer roads was repainted by the crew of the tender in week 47. Beacon 48 of the outer roads was repainted by the crew of the tender in week 48.\n\nBeacon 49 of the outer roads was repainted by the crew of the tender in week 49. Beacon 50 of the outer roads was repainted by the crew of the tender in week 50. Beacon 51 of the outer roads was repainted by the crew of the tender in week 51. Beacon 52 of the outer roads was repainted by the crew of the tender in week 52. Beacon 53 of the outer roads was repainted by the crew of the tender in week 53. Beacon 54 of the outer roads was repainted by the crew of the tender in week 54.\n\nBeacon 55 of the outer roads was repainted by the crew of the tender in week 55. Beacon 56 of the outer roads was repainted by the crew of the tender in week 56. Beacon 57 of the outer roads was repainted by the crew of the tender in week 57. Beacon 58 of the outer roads was repainted by the crew of the tender in week 58. Beacon 59 of the outer roads was repainted by the crew of the tender in week 59. Beacon 60 of the outer roads was repainted by the crew of the tender in week 60.\n\nThe lamps of the leading lights are dimmed in fog.\n |
      | mail/10.eml                    | From: Ken Moss <ken@example.org>\nSubject: FW: Ballast\nDate: Tue, 14 May 2024 11:00:00 +0200\n\nI weigh the sandbags on Monday.\n\nFrom: Uta Falk\nSent: Monday, May 13, 2024 10:00 AM\nTo: Ken Moss\nSubject: Ballast\n\nThe keel bolts are torqued in September.\n |
      | mail/11.eml                    | From: Max Rohr <max@example.org>\nSubject: Re: Lanterns\nDate: Wed, 15 May 2024 11:00:00 +0200\n\nRita wrote:\n\n\| The lanterns burn paraffin.\n\nI fetch a drum of it.\n |
      | mail/12.eml                    | From: Pia Dorn <pia@example.org>\nSubject: Re: Anodes\nDate: Thu, 16 May 2024 11:00:00 +0200\n\nOn 15.05.2024 19:00, Gus Orr wrote:\n> On 15.05.2024 18:00, Hal Pym wrote:\n>> The anodes of zinc are worn.\nThe anodes of zinc arrive tomorrow.\n |
      | slack/quay/2024-05-06.json     | [{"type": "message", "user": "U1", "ts": "1714982400.000200", "text": "The capstan is jammed, <@U2> comes at 10 &amp; looks :wrench:", "user_profile": {"real_name": "Ada Stone"}}, {"type": "message", "user": "U2", "ts": "1714982500.000200", "text": "I need the long crowbar, is it aboard?", "user_profile": {"real_name": "Bob Reed"}}, {"type": "message", "subtype": "channel_join", "user": "U2", "ts": "1714982600.000200", "text": "<@U2> has joined the channel"}] |
      | telegram/result.json           | {"name": "Garden", "type": "private_group", "id": 1, "messages": [{"id": 1, "type": "message", "date": "2024-05-06T09:05:00", "from": "Sven", "text": ["The spade is under the ", {"type": "bold", "text": "blue pot"}, "."]}, {"id": 2, "type": "message", "date": "2024-05-06T09:06:00", "from": "Rita", "text": "Thanks."}]} |
      | chats/club.txt                 | 06/05/2024, 18:12 - Pia: My trailer has a puncture\ncan anybody lend me one?\n06/05/2024, 18:20 - Oskar: Mine stands at the old kiln\n06/05/2024, 18:22 - Pia: Thank you\n |
      | chats/irc.log                  | 09:13 <@sue> 5W for the light winch\n09:15 < nils> I change the winch fluid every 50 hours\n09:20 -!- walt [~walt@pool] has quit [timeout]\n |
      | talks/colour.txt               | Priya Raman  0:03\nToday we choose the colour of the hull.\n\nTom Becker  0:15\nOur dealers ask for ochre. Nobody wants pink any more.\n\nAyumi Sato  0:41\nOchre needs a second coat.\n |
      | chats/weechat.log              | 2024-05-06 09:13:10\t@sue\tstudded boots from November on\n2024-05-06 09:14:22\t-->\tnils (~nils@fjord) has joined #quay\n2024-05-06 09:15:02\tnils\tI wear clogs all year\n |
      | chats/discord.txt              | [06-May-24 10:12 AM] ada#1234\nThe ferry is cancelled because of the gale.\n\n[06-May-24 10:15 AM] bob#4321\nNext one leaves at 16:40.\n |
      | chats/pasted.txt               | Priya Raman\n  9:41 AM\nThe passphrase is in the vault.\n\n\nTom Becker\n  9:45 AM\nThe radio needs a battery of twelve volts.\n |
    And a sealed run "mail"

  Scenario Outline: What a message says itself is told, and by whom where that is asked
    When the answerer "quote" is asked "<question>"
    Then the answer begins with "<answer>"
    And every citation verifies

    Examples:
      | question                                 | answer                                                                      |
      | What does the haul-out cost?             | the haul-out of the dredger is planned for 12 June. It costs 4,800 euros.   |
      | Who proposed 19 June?                    | Bob Reed, Tue, 07 May 2024: the crane is at the fair that week, I propose   |
      | Who brings the grease?                   | Lind, Carol, Wed, 08 May 2024: I bring the grease.                          |
      | What did Bob say about the haul-out?     | Bob Reed, Tue, 07 May 2024: the crane is at the fair that week              |
      | Which impeller does the bilge pump need? | The one of nitrile.                                                         |
      | Who asked for grease of a topping lift?  | Greg Hall, Tue, 5 Mar 2024: Which grease is good for the sheave             |
      | Which fenders outlast those of rubber?   | Fenders of cork outlast those of rubber.                                    |
      | Who eats no shellfish?                   | On 10.05.2024 18:00, Hal Pym wrote: I eat no shellfish.                     |
      | Who booked the winch?                    | Ivy Low, Sun, 12 May 2024: I have booked the winch for it.                  |
      | Who hauls boats up to nine tons?         | The tractor hauls boats up to nine tons.                                    |
      | What does Bob suggest for the haul-out?  | Bob Reed, Tue, 07 May 2024: the crane is at the fair that week              |
      | What did Eve say about the lower command? | Eve Hart, Fri, 10 May 2024: A boat is let down slowly.                     |
      | When did Bob write about the haul-out?   | Bob Reed, Tue, 07 May 2024: the crane is at the fair that week              |
      | When did Greg Hall write that a sheave needs grease? | Greg Hall, Tue, 5 Mar 2024: Which grease is good for the sheave |
      | What does Max say about lanterns of paraffin? | Max Rohr, Wed, 15 May 2024: I fetch a drum of it.                      |
      | Who varnishes boathooks?                 | Nils Aakre, Wed, 3 Apr 2024: I varnish boathooks in April.                  |
      | Who dims the lamps of the leading lights? | The lamps of the leading lights are dimmed in fog.                          |
      | Who forwards it from the authority?      | Ned Orme, Mon, 13 May 2024: This is from the authority.                     |
      | Who torques the keel bolts?              | The keel bolts are torqued in September.                                    |
      | Who weighs the sandbags?                 | Ken Moss, Tue, 14 May 2024: I weigh the sandbags on Monday.                 |
      | Who says that lanterns burn paraffin?    | Rita wrote: The lanterns burn paraffin.                                     |
      | Who fetches a drum?                      | Max Rohr, Wed, 15 May 2024: I fetch a drum of it.                           |
      | Who wrote about the anodes of zinc?      | Pia Dorn, Thu, 16 May 2024: The anodes of zinc arrive tomorrow. On 15.05.2024 18:00, Hal Pym wrote: The anodes of zinc are worn. |

  Scenario Outline: What is said in conversations
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                             | answer                                                                                 |
      | What is jammed?                      | [2024-05-06 08:00] Ada Stone: The capstan is jammed, @Bob Reed comes at 10 & looks     |
      | Where is the spade?                  | [2024-05-06 09:05] Sven: The spade is under the blue pot.                              |
      | Who has a puncture?                  | 06/05/2024, 18:12 - Pia: My trailer has a puncture                                     |
      | How often is the winch fluid changed? | 09:15 < nils> I change the winch fluid every 50 hours                                 |
      | Who wears studded boots?             | 2024-05-06 09:13:10 @sue studded boots from November on                                |
      | Who wrote that the ferry is cancelled? | [06-May-24 10:12 AM] ada#1234: The ferry is cancelled because of the gale.           |
      | Who says that the radio needs a battery? | Tom Becker, 9:45 AM: The radio needs a battery of twelve volts.                    |
      | Who says that dealers ask for ochre? | Tom Becker 0:15: Our dealers ask for ochre.                                            |

  Scenario: Beside what the one says who is asked for, others are not quoted
    When the answerer "quote" is asked "What did Bob Reed say about the haul-out?"
    Then the answer begins with "Bob Reed, Tue, 07 May 2024: the crane is at the fair that week, I propose 19 June."

  Scenario: What another says than the one who is asked for, whose name stands nowhere, is no answer
    When the answerer "quote" is asked "What does Hugo say about varnish of boathooks in April?"
    Then it is an empty answer

  Scenario: Who says something first stands before who quotes it
    When "dredger planned for 12 June" is asked
    Then the evidence stands at
      | path                           | kind    | label             |
      | Maildir/cur/1.host.example:2,S | message | message 1         |
      | Maildir/cur/2.host.example:2,S | message | message 1: quoted |
    And every piece of evidence is what its locator opens, or a part of it
