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
      | todo.txt | When do I have to call the sweep? | (A) 2024-06-01 Call the sweep +house due:2024-06-20 | (A) 2024-06-01 Call the sweep +house due:2024-06-20\nx 2024-05-30 2024-05-12 Return books to the sweep's wife @town\n(B) Renew the licence due:2024-07-01\n |
      | bill.txt | Bis wann muss die Rechnung bezahlt werden? | Zahlbar bis: 27.04.2024 | Rechnung\nRechnungsnummer: 117\nRechnungsdatum: 28.03.2024\nZahlbar bis: 27.04.2024\n |
