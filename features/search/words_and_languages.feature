Feature: Words are found in their language
  Stems, accents and scripts without spaces are found as readers of the language expect.
  Stop words do not decide, unless nothing else was asked.

  Scenario Outline: Another form of the word, in several languages
    Given a corpus with the items
      | path  | text      |
      | a.txt | <text>    |
      | b.txt | <other>   |
    And a sealed run "first"
    When "<question>" is asked
    Then the evidence starts with | path: a.txt |

    Examples:
      | question     | text                                                           | other                                                    |
      | pulling      | The moon pulls the water of the sea towards itself every day.  | The ropes were coiled on the deck of the ship at night.  |
      | Häuser       | Das alte Haus steht seit vielen Jahren am Ufer des Flusses.    | Der Mond zieht das Wasser des Meeres jeden Tag zu sich.  |
      | marées       | La marée monte deux fois par jour dans le port de la ville.    | Les cordes sont sur le pont du bateau pendant la nuit.   |
      | кошки        | Кошка спит на крыше старого дома у самого берега моря.         | Луна каждый день притягивает к себе воду из моря.        |
      | puertos      | La marea sube dos veces al día en el puerto de la ciudad.      | Las cuerdas están en la cubierta del barco por la noche. |

  Scenario Outline: Accents and forms of writing do not matter
    Given a corpus with the items | path: a.txt | text: <text> |
    And a sealed run "first"
    When "<question>" is asked
    Then evidence comes from "a.txt"
    And every piece of evidence is its span

    Examples:
      | text                          | question    |
      | The café by the sea is open.  | cafe        |
      | The cafe by the sea is open.  | café        |
      | The cafe\u0301 by the sea.    | café        |
      | Die Straße am Meer ist lang.  | STRASSE     |
      | The ﬁsh market by the sea.    | fish        |
      | Ｗｉｄｅ letters by the sea.  | wide        |

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
      | path  | text    |
      | a.txt | <asks>  |
      | b.txt | <text>  |
    And a sealed run "first"
    When "<question>" is asked
    Then the evidence is | path: b.txt |

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

  Scenario Outline: Scripts without spaces
    Given a corpus with the items
      | path  | text    |
      | a.txt | <text>  |
      | b.txt | <other> |
    And a sealed run "first"
    When "<question>" is asked
    Then the evidence starts with | path: a.txt |
    And every piece of evidence is its span

    Examples:
      | question       | text                                   | other                              |
      | 潮汐           | 月亮的引力引起了潮汐，每天两次。       | 海鸥跟着渔船飞行，寻找食物。       |
      | 鐘の重さは？   | 青銅の鐘の重さは三十八キログラムです。 | カモメは船の後をついて飛びます。   |
      | 月             | 月の引力で海の水が動きます。           | カモメは船の後をついて飛びます。   |
      | 갈매기         | 갈매기가 배를 따라 날아다닙니다.       | 달은 바닷물을 끌어당깁니다.        |
      | ทะเล           | น้ำทะเลขึ้นวันละสองครั้ง               | นกบินตามเรือ                       |

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
