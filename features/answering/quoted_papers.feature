Feature: What people and offices keep answers what they ask
  Minutes, contracts, invoices, résumés, recipes, tables and notes say one thing a line, behind a label, below a numbered
  title or in a column. That is what is quoted, without what stands beside it.

  Background:
    Given a corpus with the items
      | path                  | text |
      | minutes/may.txt       | HARBOUR SOCIETY\nMinutes of the meeting of 6 May 2024 in the net loft\n\nPresent: Ada Stone (chair), Tom Reed (treasurer),\n         Pia Lund\nApologies: Olaf Berg\n\n1. Slip\nThe slip is rotten. Rebuilding it costs 900 pounds.\n\n2. Lamp oil\nTom reported that the barrel is empty.\nACTION: Pia to order lamp oil by Friday.\n\nNext meeting: 3 June 2024\n |
      | minutes/june.txt      | HARBOUR SOCIETY\nMinutes of the meeting of 3 June 2024 in the net loft\n\nPresent: Ada Stone (chair), Pia Lund\nApologies: Tom Reed\n |
      | minutes/sync.md       | # Sail sync\n\n## Action items\n\n\| Owner \| Task \| Due \|\n\|---\|---\|---\|\n\| Jon \| Mend the jib \| 24 May \|\n\n## Open\n\n- [x] Mia: wash the sails\n- [ ] Mia: buy twine\n |
      | papers/lease.txt      | LEASE OF A BOAT SHED\n\nmade between Rosa Vik (the "Owner") and Sam Hale (the "Tenant")\n\n§ 1 Term\nThe Tenant may leave with six weeks' notice. The Owner has to agree.\n§ 2 Deposit\nThe deposit is 400 euros. The Owner returns it within a month.\n |
      | papers/invoice.txt    | ROPE & CANVAS\n3 Quay Road\n\nINVOICE                         Invoice no.:   88-1\n                                Date:          4 May 2024\n\nQty   Description               Amount\n  2   Fender                     60.00\n  1   Anchor chain              145.00\n                       Total    205.00\n |
      | papers/recipe.txt     | FISH SOUP\n\nServes: 4\n\nFor the broth\n500 g cod\n2 leeks\n1 bay leaf\n\nBoil the broth for an hour and add the fish last of all.\n |
      | papers/bread.md       | # Ship's bread\n\nKeeps for a year in a dry tin.\n\n## Ingredients\n\n- rye flour\n\n## Method\n\n1. Knead rye flour with a little water.\n2. Leave it in the oven overnight.\n |
      | papers/lena.md        | # Lena Holm\n\nBergen · lena@example.org\n\n## Experience\n\nSailmaker at Tern & Sons since 2019\n\n## Languages\n\nNorwegian, Polish\n |
      | papers/words.txt      | Words of the sea\n\nabaft    - towards the stern\nleeward  - the side away from the wind\n |
      | papers/loft.txt       | The society can be found in the loft, and an oar hangs over the door of the society.\n |
      | papers/berths.txt     | The harbour master counts berths in spring.\n |
      | papers/rules.txt      | The harbour master prohibits fires on the mole.\n |
      | papers/flood.txt      | After the flood, when only four hulls were left, Ada Stone and Tom Reed founded the society that hauls and mends and sails what floats.\n |
      | lists/boats.csv       | boat,built,length (m),price\nGull,1987,8.5,"1,200"\nTern,1969,12.0,900\nSkua,2001,6.4,"2,400"\n |
      | lists/crew.md         | # Crew\n\n\| Name \| Boat \| Age \|\n\|---\|---\|---\|\n\| Nils \| Gull \| 61 \|\n\| Kari \| Tern \| 34 \|\n\| Odd \| Tern \| 19 \|\n |
      | notes/Boat shed.md    | ---\ntags: [shed]\nbudget: 14000\nbuilder: "[[Brix]]"\n---\nThe old roof comes off in week 8.\n |
      | notes/2024-02-09.md   | - Called about the leak\n- Run: 8 km along the mole\n |
      | de/protokoll.txt      | Protokoll der Sitzung vom 7. Mai 2024\nAnwesend: Karin Vogt, Jens Albers\nEntschuldigt: Uwe Kramm\n\nTOP 1 Steg\nDen Steg erneuert die Firma Rohde. Die Kosten betragen 800 Euro.\n |
    And a sealed run "first"

  Scenario Outline: One thing is told
    When the answerer "quote" is asked "<question>"
    Then the answer begins with "<answer>"
    And every citation verifies

    Examples:
      | question                                    | answer |
      | What does rebuilding the slip cost?         | Rebuilding it costs 900 pounds. |
      | Who was present at the meeting of 6 May?    | Present: Ada Stone (chair), Tom Reed (treasurer), Pia Lund |
      | Who sent apologies for the meeting of 3 June? | Apologies: Tom Reed |
      | What does Pia have to do?                   | ACTION: Pia to order lamp oil by Friday. |
      | What does Mia have to do?                   | Mia: buy twine |
      | What are the action items of the sail sync? | Owner: Jon; Task: Mend the jib; Due: 24 May |
      | What does the harbour master forbid?        | The harbour master prohibits fires on the mole |
      | Who is the owner?                           | made between Rosa Vik (the "Owner") |
      | What is the invoice number?                 | INVOICE — Invoice no.: 88-1 |
      | What is the total of the invoice?           | Total — 205.00 |
      | How much does the anchor chain cost?        | 1 — Anchor chain — 145.00 |
      | How many leeks are in the fish soup?        | 2 leeks |
      | How do I make ship's bread?                 | 1. Knead rye flour with a little water. |
      | Where does Lena Holm work?                  | Sailmaker at Tern & Sons since 2019 |
      | What does leeward mean?                     | leeward - the side away from the wind |
      | What is the budget of the boat shed?        | budget: 14000 |
      | Who is the builder of the boat shed?        | builder: Brix |
      | How far did I run on 9 February?            | Run: 8 km along the mole |
      | Wer war am 7. Mai entschuldigt?             | Entschuldigt: Uwe Kramm |

  Scenario Outline: The most of a column is told by its row
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                        | answer |
      | Which boat is the cheapest?     | boat: Tern; built: 1969; length (m): 12.0; price: 900 |
      | Which boat has the highest price? | boat: Skua; built: 2001; length (m): 6.4; price: 2,400 |
      | What is the oldest boat?        | boat: Tern; built: 1969; length (m): 12.0; price: 900 |
      | Who has the lowest age on the Tern? | Name: Odd; Boat: Tern; Age: 19 |
