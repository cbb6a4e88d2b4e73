Feature: How something is done, asked in other languages
  German and Dutch ask with the verb in front and its particle at the end, Russian and German headings have a noun where
  the question has a verb. The section that is called so is told all the same, from where it begins.

  Background:
    Given a corpus with the items
      | path    | text |
      | de/a.md | ---\nlanguage: de\n---\n# Boote\n\nDas Boot liegt im Hafen, und alle Leinen sind fest. Wer ein Boot hat, legt oft an, und wer anlegt, hat ein Boot.\n\n## Ein neues Boot anlegen\n\nDie Nummer des Rumpfes kommt in die Liste. Der Hafenmeister zeichnet sie ab.\n\n## Leinen prüfen\n\nJede Faser wird einzeln besehen.\n |
      | de/b.md | ---\nlanguage: de\n---\n# Winden\n\nDie Winde zieht das Boot an Land, wenn man sie dreht, und ich drehe sie.\n\n## Installation der Winde\n\nVier Bolzen halten den Fuß. Das Fundament muss trocken sein.\n\n## Einrichtung der Pumpe\n\nDer Schlauch führt nach außen, über die Bordwand.\n |
      | ru/a.md | ---\nlanguage: ru\n---\n# Лебёдка\n\nЛебёдка тянет лодку на берег, если её крутить, и все её крутят.\n\n## Установка лебёдки\n\nЧетыре болта держат основание. Фундамент должен быть сухим.\n\n## Обновление списка лодок\n\nНовые номера пишет капитан порта, каждую весну.\n |
      | nl/a.md | ---\nlanguage: nl\n---\n# Boten\n\nDe boot ligt in de haven, en wie een boot heeft, stelt vaak vragen over de pomp.\n\n## De pomp instellen\n\nDe slang gaat over de reling naar buiten.\n |
    And a sealed run "first"

  Scenario Outline: <question>
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | question                          | answer                                                                             |
      | Wie lege ich ein neues Boot an?   | Die Nummer des Rumpfes kommt in die Liste. Der Hafenmeister zeichnet sie ab.       |
      | Wie legt man ein neues Boot an?   | Die Nummer des Rumpfes kommt in die Liste. Der Hafenmeister zeichnet sie ab.       |
      | Wie prüfe ich die Leinen?         | Jede Faser wird einzeln besehen.                                                   |
      | Wie installiere ich die Winde?    | Vier Bolzen halten den Fuß. Das Fundament muss trocken sein.                       |
      | Wie kann ich die Winde installieren? | Vier Bolzen halten den Fuß. Das Fundament muss trocken sein.                    |
      | Wie richte ich die Pumpe ein?     | Der Schlauch führt nach außen, über die Bordwand.                                  |
      | Как установить лебёдку?           | Четыре болта держат основание. Фундамент должен быть сухим.                        |
      | Как мне обновить список лодок?    | Новые номера пишет капитан порта, каждую весну.                                    |
      | Hoe stel ik de pomp in?           | De slang gaat over de reling naar buiten.                                          |
