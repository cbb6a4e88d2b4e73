Feature: Answers in other languages
  Words that say the same, forms with other stems, ordinals and abbreviations, letters and digits that are written in
  several ways: each language has its own, and its questions are answered all the same.

  Scenario Outline: <question>
    Given a corpus with the items
      | path      | text                                                       |
      | other.txt | <other>                                                    |
      | <path>    | <text>                                                     |
    And a sealed run "first"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | path    | question                                   | other                                         | text                                                                                                            | answer                                                        |
      | turm.md | Seit wann steht der Turm im Hafen?         | Die Boote liegen am Kai und warten auf Wind.  | Der Turm steht seit dem 19. Jahrhundert im Hafen. Die Boote sind klein.                                        | Der Turm steht seit dem 19. Jahrhundert im Hafen.             |
      | rey.md  | ¿En qué año falleció el farero de Tolvay?  | Los barcos esperan en el muelle hasta el alba. | El farero de Tolvay vino en el año 1803. Nadie lo quería. El farero de Tolvay murió en el año 1842. | El farero de Tolvay murió en el año 1842. |
      | eeuu.md | ¿Quién compró la lámpara en los EE. UU.?   | Los barcos esperan en el muelle hasta el alba. | El capitán compró la lámpara en los EE. UU. para su faro. Las barcas son pequeñas.                             | El capitán compró la lámpara en los EE. UU. para su faro.     |
      | hi.md   | दीपस्तंभ १८४२ में किसने बनाया?                  | नावें किनारे पर हवा की प्रतीक्षा करती हैं।             | मित्र ने नाव बनाई। दीपस्तंभ को 1842 में राजा ने बनाया। नावें छोटी हैं।                                            | दीपस्तंभ को 1842 में राजा ने बनाया।                              |
      | tr.md   | istanbul feneri kaç metre yüksek?          | Tekneler rıhtımda rüzgârı bekler ve uyur.     | Liman küçüktür. İSTANBUL FENERİ 24 metre yüksektir. Tekneler eskidir.                                          | İSTANBUL FENERİ 24 metre yüksektir.                           |
      | pl.md   | Kto sfinansował budowę latarni?            | Łodzie czekają na wiatr przy nabrzeżu portu.  | Latarnia jest wysoka i biała. Budowa latarni była finansowana przez kapitana Nowaka. Łodzie są małe.           | Budowa latarni była finansowana przez kapitana Nowaka.        |
      | tr2.md  | Kumluca'nın feneri hangi renge boyandı?    | Tekneler rıhtımda rüzgârı bekler ve uyur.     | Bodrum'un ve Datça'nın limanı büyüktür. Kumluca feneri beyaza boyandı. Tekneler eskidir.                       | Kumluca feneri beyaza boyandı.                                |
      | pl2.md  | Co to jest latarnia?                       | Łodzie czekają na wiatr przy nabrzeżu portu.  | Każda latarnia świeci nocą. Latarnia to wieża, która wskazuje drogę statkom. Łodzie są małe.                    | Latarnia to wieża, która wskazuje drogę statkom.              |
      | tr3.md  | Bocurgat nedir?                            | Tekneler rıhtımda rüzgârı bekler ve uyur.     | Herkes bocurgat temizler. Bocurgat, gemilerde halat çekmeye yarayan bir makinedir. Tekneler eskidir.            | Bocurgat, gemilerde halat çekmeye yarayan bir makinedir.      |
      | sv.md   | Vad är ett ankarspel?                      | Båtarna väntar vid kajen på vind och regn.    | Alla putsar sitt ankarspel. Ett ankarspel är en maskin som drar in rep. Båtarna är små.                         | Ett ankarspel är en maskin som drar in rep.                   |
      | nass.md | Was passiert, wenn die Fackel nass wird? | Die Boote liegen am Kai und warten auf Wind. | Eine Fackel liegt immer trocken. Wird sie alt, so passiert nichts. Wenn die Fackel nass wird, kommt sie ins Meer. Die Boote sind klein. | Wenn die Fackel nass wird, kommt sie ins Meer. |
      | moja.md | ¿Qué pasa si la bengala se moja? | Los barcos esperan en el muelle hasta el alba. | La bengala pasa el invierno en el faro. Nadie la mira. Si la bengala se moja, se tira al mar. Las barcas son pequeñas. | Si la bengala se moja, se tira al mar. |
      | fusee.md | Que se passe-t-il si la fusée est mouillée ? | Les bateaux attendent le vent sur le quai. | La fusée se passe de soleil. Personne ne la regarde. Si la fusée est mouillée, on la jette à la mer. Les barques sont petites. | Si la fusée est mouillée, on la jette à la mer. |
      | raketa.md | Что произойдёт, если ракета намокнет? | Лодки ждут ветра у причала до утра. | Ракета лежит в сухом месте. Никто на неё не смотрит. Если ракета намокнет, её бросают в море. Лодки малы. | Если ракета намокнет, её бросают в море. |
      | zh9.md | 如果信号弹湿了会怎么样？ | 船在码头等风，直到天亮。 | 信号弹放在干燥的地方。没有人看信号弹。如果信号弹湿了，就把它扔进海里。船很小。 | 如果信号弹湿了，就把它扔进海里。 |
