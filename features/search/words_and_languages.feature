Feature: Words are found in their language
  Stems, accents and scripts without spaces are found as readers of the language expect.
  Stop words do not decide, unless nothing else was asked.

  Scenario Outline: The same word or number, written another way
    Given a corpus with the items
      | path  | text    |
      | a.txt | <text>  |
      | b.txt | <other> |
    And a sealed run "first"
    When "<question>" is asked
    Then the evidence starts with | path: a.txt |

    Examples:
      | question      | text                             | other                            |
      | 40 mm         | The rope is 40mm thick.          | The rope is 60mm thick.          |
      | 40mm          | The rope is 40 mm thick.         | The rope is 60 mm thick.         |
      | 7654321       | The quay cost 7,654,321 crowns.  | The quay cost 7,654,000 crowns.  |
      | on-line       | The tide tables are online.      | The tide tables are on a wall.   |
      | online        | The tide tables are on-line.     | The tide tables are on a wall.   |
      | XK-2207       | Ask for winch XK2207.            | Ask for winch XK2208.            |
      | XK2207        | Ask for winch XK-2207.           | Ask for winch XK-2208.           |
      | 0551234567    | Call 055 123 45 67 by day.       | Call 055 123 45 68 by day.       |
      | USA           | It comes from the U.S.A. by sea. | It comes from afar by sea.       |
      | lighthouse    | The light\u00adhouse is white.   | The light of a house is white.   |
      | سفينة         | والسفينة في المرفأ.              | القارب على الشاطئ.               |
      | المنارة       | اَلْمَنَارَةُ عَالِيَةٌ.         | القارب على الشاطئ.               |
      | המגדלור       | הַמִּגְדַּלּוֹר גָּבוֹהַּ         | הסירה קטנה                       |
      | 灯塔          | 燈塔很高。                       | 船在海上。                       |
      | カモメ        | かもめが飛んでいます。           | ふねが海にあります。             |

  Scenario Outline: Whether accents are letters may be said
    Given a corpus with the items
      | path  | text    |
      | a.txt | <one>   |
      | b.txt | <other> |
    And the recipe "mine" is "lexical" with
      """
      build:
        legs: {lexical: {engine: tantivy, <options>}}
      """
    And a sealed run "first" of the recipe "mine"
    When "<question>" is asked with | recipe: mine |
    Then evidence comes only from "<paths>"

    Examples:
      | one                             | other                               | options                       | question | paths        |
      | Con ma đứng ở cuối con đường.   | Cây mạ non được cấy xuống ruộng.    | accents: keep                 | ma       | a.txt        |
      | Con ma đứng ở cuối con đường.   | Cây mạ non được cấy xuống ruộng.    | accents: fold                 | ma       | a.txt, b.txt |
      | El puerto cierra un año entero. | El barco se llama Ano de los mares. | accents: auto                 | año      | a.txt, b.txt |
      | El puerto cierra un año entero. | El barco se llama Ano de los mares. | accents: keep                 | año      | a.txt        |
      | El puerto cierra un año entero. | El barco se llama Ano de los mares. | accents: keep, stemming: none | ano      | b.txt        |

  Scenario Outline: Words with which people ask do not decide
    Given a corpus with the items
      | path   | text            |
      | a1.txt | <asks> Mole.    |
      | a2.txt | <asks> Quai.    |
      | a3.txt | <asks> Beacon.  |
      | a4.txt | <asks> Anchor.  |
      | b.txt  | <text>          |
    And a sealed run "first"
    When "<question>" is asked
    Then the evidence starts with | path: b.txt |

    Examples:
      | question                            | text                                                         | asks                                                            |
      | ما هو الذي يجذب مياه البحر في هذا   | القمر يجذب مياه البحر نحوه كل يوم فيحدث المد                 | ما هو هذا الذي في هذه وما هي تلك التي كانت على هذا في ذلك الوقت |
      | ¿Cómo puedo medir la marea?         | La marea se mide con una regla en el puerto de la ciudad.    | Cómo y dónde puede uno hacer lo mismo, si es que debe hacerlo.  |
      | Comment peut-on mesurer la marée ?  | La marée se mesure avec une règle dans le port de la ville.  | Comment est-il fait, où peut-il être et à qui est-ce, si on y a. |
      | Was muss ich tun, wenn Ebbe ist?    | Bei Ebbe liegen die Boote im Hafen der Stadt auf dem Grund.  | Was man tun muss, wenn man will, dass etwas getan wird.         |
      | Как можно сделать канат?            | Канат вьют из пеньки на берегу моря у старого порта.         | Как можно, что нужно делать и какой из них можно сделать.       |
      | Come posso misurare la marea?       | La marea si misura con un righello nel porto della città.    | Come e dove si può fare, chi deve e quanto fa, se può.          |
      | Hoe kan ik het tij meten?           | Het tij wordt met een lat in de haven van de stad gemeten.   | Hoe kan dat, wat moet ik doen en welke kan ik zelf doen?        |
      | Jak mogę zmierzyć przypływ?         | Przypływ mierzy się łatą, jak widać w porcie starego miasta. | Jak to jest i gdzie mogę to mieć, jeśli mogę, co i kiedy.       |
      | 如何测量潮汐？                      | 用尺在港口测量潮汐，每天两次。                               | 这是什么，如何去做，为什么这样做。                              |

  Scenario: A language that one file alone is said to have makes none of its words rare
    Given a corpus with the items
      | path   | text                                                            |
      | 1.txt  | The tides of the sea: high tides at noon, low tides at night.   |
      | 2.txt  | The tides of the bay: spring tides in March, neap tides after.  |
      | 3.txt  | Tides come and tides go, and the tides wait for no man at all.  |
      | 4.txt  | Tables of the tides: low tides on the left, high tides beside.  |
      | 5.txt  | All tides are pulled by the moon, and big tides by sun as well. |
      | 6.txt  | Tides again: ebb tides carry the boats out, flood tides in.     |
      | odd.md | ---\nlanguage: nn\n---\nHarbours, tides, gulls, masts and ropes, and nothing to be said of any of them. |
    And a sealed run "first"
    And a sealed run "scanned" of the recipe "scan"
    When "tides" is asked with each of
      | filter | value   | path  |
      | recipe | lexical | 6.txt |
      | recipe | scan    | 6.txt |
    Then each finds its best evidence
