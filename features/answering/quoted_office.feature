Feature: What clubs and offices ask of their files
  They keep what was true before beside what is, number what they have, and write down who can be reached how.

  Scenario Outline: Of several editions of a document the newest one is quoted
    Given a corpus with the items
      | path    | text |
      | <one>   | # Rules of the slip\n\nThe fee for a night on the slip is 12 euros, and the sheds are closed at ten. |
      | <other> | # Rules of the slip\n\nThe fee for a night on the slip is 15 euros, and all dogs stay outside. |
      | loft.md | # Loft\n\nThe fee for the loft is paid by the sailmaker. |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer is "The fee for a night on the slip is <fee> euros, and <rest>."

    Examples:
      | one                      | other                    | question                                        | fee | rest                      |
      | slip-rules-2023.md       | slip-rules-2024.md       | What is the fee for a night on the slip?        | 15  | all dogs stay outside     |
      | Slip rules 2024 final.md | Slip rules 2023.md       | What is the fee for a night on the slip?        | 12  | the sheds are closed at ten |
      | slip_rules_v2.md         | slip_rules_v10 (copy).md | What is the fee for a night on the slip?        | 15  | all dogs stay outside     |
      | slip rules OLD.md        | slip rules.md            | What is the fee for a night on the slip?        | 15  | all dogs stay outside     |
      | slip rules 2023.md       | slip rules 2025 DRAFT.md | What is the fee for a night on the slip?        | 12  | the sheds are closed at ten |
      | slip rules 2023.md       | slip rules 2025 DRAFT.md | What is the fee for a night on the slip in the draft? | 15 | all dogs stay outside |
      | slip-rules-2023.md       | slip-rules-2024.md       | What was the fee for a night on the slip in 2023? | 12  | the sheds are closed at ten |
      | 码头 2023.md             | 码头 2024.md             | What is the fee for a night on the slip?        | 15  | all dogs stay outside     |

  Scenario Outline: What changed from one edition to another is told of both, the older one first
    Given a corpus with the items
      | path               | text |
      | slip-rules-2022.md | # Rules of the slip\n\nThe fee for a night on the slip is 12 euros.\n\nDogs stay outside.\n\nThe gate is closed at ten. |
      | slip-rules-2024.md | # Rules of the slip\n\nThe fee for a night on the slip is 15 euros.\n\nDogs stay outside.\n\nThe gate is closed at nine. |
      | Hafen-2023.md      | # Hafen\n\nIm Hafen liegen 28 Boote am Steg. |
      | Hafen-2024.md      | # Hafen\n\nIm Hafen liegen 30 Boote am Steg. |
      | Statuts 2016.md    | # Statuts du moulin\n\nLa cotisation est fixée à 15 euros par an. |
      | Statuts 2023.md    | # Statuts du moulin\n\nLa cotisation est fixée à 20 euros par an. |
      | Budget 2023.csv    | Poste;Prévu\nCotisation;2100\n |
      | Budget 2024.csv    | Poste;Prévu\nCotisation;3000\n |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                                              | answer |
      | How did the fee for a night on the slip change?       | The fee for a night on the slip is 12 euros. The fee for a night on the slip is 15 euros. |
      | What changed in the rules of the slip?                | The fee for a night on the slip is 12 euros. The fee for a night on the slip is 15 euros. The gate is closed at ten. The gate is closed at nine. |
      | Wie hat sich die Zahl der Boote am Steg geändert?     | Im Hafen liegen 28 Boote am Steg. Im Hafen liegen 30 Boote am Steg. |
      | Comment la cotisation a-t-elle changé entre 2016 et 2023 ? | La cotisation est fixée à 15 euros par an. La cotisation est fixée à 20 euros par an. |

  Scenario Outline: What only an older edition tells is quoted from it
    Given a corpus with the items
      | path            | text |
      | report 2019.txt | Report of the club\n\nThe boathouse burned down in March and was rebuilt by August.\n\nThe key of the door lies with the baker. |
      | report 2023.txt | Report of the club\n\nThe boathouse was painted. The boathouse committee met four times. |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"

    Examples:
      | question                           | answer |
      | When did the boathouse burn down?  | The boathouse burned down in March and was rebuilt by August. |
      | Where is the key of the door?      | The key of the door lies with the baker. |

  Scenario Outline: The edition that is named tells it, by the sentence that has what is asked
    Given a corpus with the items
      | path           | text |
      | lease 2019.txt  | The tenancy of the shed begins on 1 May 2019 and runs until 30 April 2022.\n\nNotice is given to the end of a month.\n\nThe rent is 980 pounds. |
      | lease 2022.txt  | The tenancy of the shed begins on 1 May 2022 and runs until 30 April 2026.\n\nNotice is given to the end of a quarter.\n\nThe rent, due on the first of each month, is 1,120 pounds. |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer begins with "<answer>"

    Examples:
      | question                              | answer |
      | What was the rent in the first lease? | The rent is 980 pounds. |
      | When did the lease of 2019 end?    | The tenancy of the shed begins on 1 May 2019 and runs until 30 April 2022. |
      | What is the notice according to the lease of 2022? | Notice is given to the end of a quarter. |

  Scenario Outline: A number that only measures, one of a list, or a thing done with an address is no doubt
    Given a corpus with the items
      | path     | text |
      | rules.md | # Rules\n\nArticles 4 to 6 say who may vote.\n\nInvoices are paid within 14 days.\n\nThe crane runs on Hoist 10 and newer. |
      | lists.md | # Lists\n\nThe phone number is stored in the field `tel`.\n\nAn email address is a name, an at sign and a domain. |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"

    Examples:
      | question                           | answer |
      | Who may vote by article 5?         | Articles 4 to 6 say who may vote. |
      | Are invoices paid within 30 days?  | Invoices are paid within 14 days. |
      | Does the crane run on Hoist 11?    | The crane runs on Hoist 10 and newer. |
      | How is the phone number stored?    | The phone number is stored in the field tel. |
      | What is an email address?          | An email address is a name, an at sign and a domain. |

  Scenario Outline: What is said of another number, or tells nothing of the kind, is no answer
    Given a corpus with the items
      | path       | text |
      | shed 2.md  | # Lease of shed 2\n\nThe monthly rent of the shed is 3,450 euros. |
      | crew.md    | # Crew\n\nIngrid Solheim is the mate of the Tern and keeps the log. |
      | ledger.txt | The phone stands in the office. Each number in the ledger is struck out once it is paid. |
      | F-2024-11.md | # Bill F-2024-11\n\nThe total of the bill is 780 euros. |
      | dues 2024.md | # Dues\n\nThe dues of a rower are 20 euros. |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"

    Examples:
      | question                                   | answer |
      | What is the total of the bill F-2024-11?   | The total of the bill is 780 euros. |
      | What is the total of the bill F-2024-09?   | |
      | What are the dues of a rower?              | The dues of a rower are 20 euros. |
      | What were the dues of a rower in 2019?     | |
      | What is the monthly rent of shed 2?        | The monthly rent of the shed is 3,450 euros. |
      | What is the monthly rent of shed 02?       | The monthly rent of the shed is 3,450 euros. |
      | What is the monthly rent of shed 3?        | |
      | What is the phone number of Ingrid Solheim? | |
      | What did Jonas Pym say about the mate of the Tern? | |

  Scenario Outline: What names not all that is asked about is no sure answer
    Given a corpus with the items
      | path     | text |
      | net.md   | # Network\n\nThe admin page of the router is on port 8443. The password of the router changes each month. |
      | mill.txt | The miller ground 620 kilos of buckwheat in December. The mill was closed in January. |
      | blé.txt  | Le meunier a moulu 620 kilos de blé noir en décembre. Le moulin était fermé en janvier. |
      | lehre.md | # Lehrlinge\n\nMads Hinrichsen hat uns abgesagt. Finja Claussen fängt am ersten August in der Werkstatt an. |
      | talks.md | # Talks\n\nTomas Zell got the prize of the poster session for his work on eelgrass. |
      | crew.md  | # Crew\n\n- The winch was bought from Stone for 6,100 pounds on 22 April.\n- Josh said that the davit is out of balance.\n |
      | junta.md | # Junta\n\nEl arquitecto recomienda revisar la fachada cada cinco años. La presidenta es desde marzo Rosa Llamas. |
      | chat.txt | 06.05.24, 07:12 - Jutta Sommer: Der Architekt sagt, der Putz muss runter\n06.05.24, 07:15 - Lars Thomsen: Der Maurer heißt Ole Detlefs |
      | CHANGELOG.md | # Changelog\n\n## 2.1.0\n\n- The davit is greased at the swivel, too. |
      | club/history.md | # Our club\n\nSix fishermen founded the club in 1911. |
      | tests/bridge.md | # The bridge\n\nThe bridge carried 42 tonnes. |
      | home.txt | WIFI: hunter2-lighthouse\nADDRESS: 12 Mill Lane\nPHONE: 0461 2233\nCUSTOMER: 99-1234\n |
      | pets.md  | # Pets\n\nThe boat is called tern after a bird. Die Katze heißt Mimi. Our electrician is here on Fridays. |
      | teeth.md | # Teeth\n\nThe appointment of Ada at the dentist is on 18 March. |
      | bo.md    | # Bo\n\nBo rows. |
      | bo2.md   | # Bo\n\nBo swims. |
      | bo3.md   | # Bo\n\nBo sings. |
      | fees.md  | # Harbour\n\nPrices of moorings in summer:\n\n\| length \| price \|\n\|---\|---\|\n\| up to 6 m \| 14 euros \|\n\| up to 9 m \| 21 euros \| |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer is <sure>

    Examples:
      | question                                                | sure     |
      | What changes the password of the router each month?     | sure     |
      | What is the root password of the router?                | not sure |
      | How many kilos of buckwheat were ground in December?    | sure     |
      | How many kilos of rye were ground in December?          | not sure |
      | Combien de kilos de blé noir ont été moulus en décembre ? | sure   |
      | Combien de kilos de seigle ont été moulus en décembre ? | not sure |
      | Was hat Mads Hinrichsen zur Kündigung geschrieben?      | not sure |
      | What does Tomas Zell think about beta regression?       | not sure |
      | When was the winch bought?                              | sure     |
      | When was the davit bought?                              | not sure |
      | ¿Quién es la presidenta?                                | sure     |
      | ¿Quién es el arquitecto?                                | not sure |
      | Wie heißt der Maurer?                                   | sure     |
      | Wer ist der Architekt?                                  | not sure |
      | Where is the davit greased?                             | not sure |
      | What did 2.1.0 change about the davit?                  | sure     |
      | Was kostet Lars Thomsen?                                | not sure |
      | When was the club founded?                              | sure     |
      | How much did the bridge carry?                          | sure     |
      | What is the phone number?                               | sure     |
      | What is the name of the boat?                           | sure     |
      | Wie heißt die Katze?                                    | sure     |
      | Who is the electrician?                                 | not sure |
      | How much is a mooring up to 9 m in summer?              | sure     |
      | When is Ada's new appointment at the dentist?           | sure     |
      | When is Bo's appointment at the dentist?                | not sure |

  Scenario Outline: What a paper cites answers where literature is asked for
    Given a corpus with the items
      | path      | text |
      | worm.md   | # Lungworm\n\nThe French heartworm is a parasite of foxes that is carried by slugs.\n\n## References\n\nConboy, G. (2011). The French heartworm is an emerging threat to dogs. In Practice 33, 12-18.\n\nMorgan, E. (2010). The French heartworm is a matter of snails. Parasitology 168, 1-9.\n |
      | essay.txt | Snails of the quay\n\nVik, A. B. (2003). The tide snail is a guest of the quay. Shells 4(2): 11-19.\n\nThe tide snail is a small snail that gulls eat. |
      | words.md  | # Words\n\n## References\n\nAn alias of a rope is bound when it is made. It is never empty.\n |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"

    Examples:
      | question                                | answer |
      | What is the French heartworm?           | The French heartworm is a parasite of foxes that is carried by slugs. |
      | What is the tide snail?                 | The tide snail is a small snail that gulls eat. |
      | When is an alias of a rope bound?       | An alias of a rope is bound when it is made. |
      | Which paper is about the French heartworm as a threat? | The French heartworm is an emerging threat to dogs. The French heartworm is a parasite of foxes that is carried by slugs. |

  Scenario Outline: Of a table the rows are told that have what is asked for
    Given a corpus with the items
      | path       | text |
      | dues.csv   | service,price,renews\nHarbour radio,5.39,monthly\nTide tables,4.50,in February\nChart server,2.10,monthly\n |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                      | answer |
      | Which services renew monthly? | service: Harbour radio; price: 5.39; renews: monthly service: Chart server; price: 2.10; renews: monthly |

  Scenario Outline: What a form, a calendar or a paper says is told without what stands beside it
    Given a corpus with the items
      | path   | text   |
      | <path> | <text> |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | path               | question                               | answer                                  | text |
      | Invoice 2024-021.txt | amount due 2024-021                  | Amount due: 1,232.84 euros              | Invoice 2024-021\n\nNet: 1,036.00 euros\nVAT 19 %: 196.84 euros\nAmount due: 1,232.84 euros\nPay within 14 days, please. |
      | port.ics           | When is the appointment for the winch? | Winch check: 2025-03-14, Dekra Husum.   | BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//port//EN\nBEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20250314\nSUMMARY:Winch check\nLOCATION:Dekra Husum\nEND:VEVENT\nEND:VCALENDAR\n |
      | reply.md           | What does the reviewer say of the plots? | Fifty plots are few, says the reviewer. | # Reply\n\n**Reviewer 1.** Fifty plots are few, says the reviewer. |
      | faq.md             | May dogs come in?                      | No. Dogs stay outside.                  | # Questions\n\nMay dogs come in?\n\n**No.** Dogs stay outside. |
      | talk.md            | what was the trunover of the yard      | The turnover of the yard was 1.14 million. | # Talk\n\nThe turnover of the yard was 1.14 million. |

  Scenario Outline: What a version brought is told by who announces it, not by who plans it or asks for it
    Given a corpus with the items
      | path         | text |
      | mail.eml     | From: a@port.example\nTo: b@port.example\nDate: Mon, 3 Jun 2024 10:00:00 +0000\nSubject: <subject>\n\nIn 2.0 the old horn is dropped. |
      | CHANGELOG.md | # Changelog\n\n## <noted>\n\n- The lamp is called lantern. |
    And a sealed run "first"
    When the answerer "quote" is asked "What is new in 2.0?"
    Then the answer is "<answer>"

    Examples:
      | subject                   | noted | answer |
      | Winch 2.0 released        | 1.0   | In 2.0 the old horn is dropped. |
      | Version 2.0 ist da        | 1.0   | In 2.0 the old horn is dropped. |
      | Planning the 2.0 release  | 2.0   | The lamp is called lantern. |
      | When is 2.0 released?     | 2.0   | The lamp is called lantern. |
