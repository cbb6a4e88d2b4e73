Feature: Answers out of what people keep
  Notes of names and codes, lists, ledgers and cards say one thing in a line. That line answers, and no line beside it.

  Scenario Outline: The line that says it is told
    Given a corpus with the items
      | path   | text   |
      | <path> | <text> |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | path    | question | answer | text |
      | hut.md  | What is the guest password? | Guest password: herring-42 | # Hut\n\nGuest network name: **Gull**\n\nGuest password: `herring-42`\n\nThe router of the guest network stands below the stairs of the hut.\n |
      | ice.md  | When is the next meeting? | Next meeting: 10 October 2024, library | # Minutes\n\nPresent: I. Sol, P. Novak\n\nApologies: R. Stein\n\nNext meeting: 10 October 2024, library\n\nThe meeting was held in the old barn, and the ice was thick. |
      | gems.txt | What is the birth stone of November? | November:Topaz:Mum | # Birthday : Birth Stone : Birth Flower\nSeptember:Sapphire:Aster\nOctober:Opal:Calendula\nNovember:Topaz:Mum\n |
      | a.beancount | How much were the tickets for Tosca? | 2024-04-19 * "Opera" "Tickets for Tosca" Expenses:Culture — 96.00 EUR Assets:Bank | 2024-04-11 * "Radwerk" "New chain"\n  Expenses:Bike   64.80 EUR\n  Assets:Bank\n2024-04-19 * "Opera" "Tickets for Tosca"\n  Expenses:Culture   96.00 EUR\n  Assets:Bank\n |
      | plot.md | How much is the rent? | Rent: 84 euros a year, due on 1 October | # Plot\n\nUp:: [[Home]]\n\nRent:: 84 euros a year, due on 1 October\n\nThe hut is ==green== and needs paint.\n |
      | plot.md | What did the soil test give? | The soil test gave a pH of 6.3 | # Plot\n\nThe hut needs paint.\n\nThe soil test gave a ==pH of 6.3== ^soil\n |
      | ada.md | What is the phone number of the harbour pilot? | phone: +44 20 7946 | ---\naliases: [the harbour pilot, AS]\nphone: "+44 20 7946"\n---\n# Ada Stone\n\nShe has a boat and a dog, and lives at the quay.\n |
      | todo.txt | When do I have to call the sweep? | (A) 2024-06-01 Call the sweep +house due:2024-06-20 | (A) 2024-06-01 Call the sweep +house due:2024-06-20\nx 2024-05-30 2024-05-12 Return books to the sweep's wife @town\n(B) Renew the licence due:2024-07-01\n |
      | bill.txt | Bis wann muss die Rechnung bezahlt werden? | Zahlbar bis: 27.04.2024 | Rechnung\nRechnungsnummer: 117\nRechnungsdatum: 28.03.2024\nZahlbar bis: 27.04.2024\n |
      | bank.csv | Wie hoch war die Miete im April? | Tag: 02.04.2024; Empfänger: Wohnbau eG; Zweck: Miete April; Betrag: -780,00 | Girokonto;DE12 1207\nZeitraum;01.04.2024 - 30.04.2024\n\nTag;Empfänger;Zweck;Betrag\n02.04.2024;Wohnbau eG;Miete April;-780,00\n05.04.2024;Dr. Weiss;Krone;-412,35\n30.04.2024;Hafen AG;Gehalt April;2.450,00\n |
      | dough.md | How do I feed the starter? | Feed the starter with flour and water. In summer feed it twice a day. | title:: Starter\ntags:: [[baking]]\n\n- ## Feeding\n\t- Feed the starter with flour and water.\n\t\t- In summer feed it twice a day.\n\t\t  id:: 64f1a2b3-1111-2222-3333-444455556666\n- ## Troubleshooting\n\t- collapsed:: true\n\t  Pink streaks mean that it is spoiled.\n\t\t- {{embed ((64f1a2b3-1111-2222-3333-444455556666))}}\n |
      | dough.md | What do pink streaks mean? | Pink streaks mean that it is spoiled. | - ## Troubleshooting\n\t- collapsed:: true\n\t  Pink streaks mean that it is spoiled.\n\t  :LOGBOOK:\n\t  CLOCK: [2024-05-14 Tue 10:00:00]\n\t  :END:\n |
      | brew.txt | My stout stopped fermenting, what can I do? | Rouse the yeast. | [14/01/2025 20:11] yeastbeast#4411\nMy stout stopped fermenting, what can I do?\n\n[14/01/2025 20:15] maltmarta\nRouse the yeast.\n\n[15/01/2025 08:40] hopsalot\nI use five grams of hops.\n |
      | wire/17.xml | What does it sell to the crews of the harbour? | Reed Corp said it bought the chandlery of Gulls for 5 mln dlrs. It sells ropes, blocks & fenders to the crews of the harbour. | <?xml version="1.0"?>\n<NEWS ID="17">\n <DATE>26-FEB-1987</DATE>\n <TITLE>REED &lt;RD&gt; BUYS CHANDLERY</TITLE>\n <DATELINE>GULLS, Feb 26 -</DATELINE>\n <BODY>Reed Corp said it bought the chandlery\nof Gulls for 5 mln dlrs.\n  It sells ropes, blocks &amp; fenders to the crews of the harbour.</BODY>\n</NEWS>\n |
      | pom.xml | Which version of the sheave is used? | <artifactId>sheave</artifactId> <version>4.13</version> | <project>\n <artifactId>sheave</artifactId>\n <version>4.13</version>\n</project>\n |
      | clips.txt | What is good work according to Newport? | Good work is time spent with focus. | The Peregrine (J. A. Baker)\n- Your Highlight on page 14 \| Added on Sunday, 12 May 2024 21:04:11\n\nThe hardest thing of all is to see.\n==========\nDeep Work (Cal Newport)\n- Your Highlight on page 71 \| Added on Monday, 13 May 2024 07:12:55\n\nGood work is time spent with focus.\n==========\n |
