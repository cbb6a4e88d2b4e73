Feature: What a thing is, is found where that is said
  A sentence or an entry of a list that says what kind of thing something is comes before what repeats its name.

  Background:
    Given a corpus with the items
      | path        | text |
      | port.md     | # The port\n\nShips pay their dues at noon.\n\n## Berths and piers\n\nA `berth` is the place where one ship lies, marked by two bollards, and is let by the day or by the year to whoever asks for it in time. |
      | fees.md     | # Berth fees\n\nA ship without a berth fee pays the berth twice. |
      | moving.md   | # Moving a ship\n\nAnother berth is another berth: leave the berth, take the berth. |
      | terms.md    | # Words of the quay\n\n* **Painter**: a line at the bow of a small boat, by which it is made fast to a ring or towed behind a ship in calm water.\n* `warp` - a line by which a ship is hauled along where there is no wind and no current to carry it to its place. |
      | sheds.md    | # Sheds\n\nThe painter paints: a painter with a painter's brush. The warp in a plank is a warp. |
      | hafen.md    | # Der Hafen\n\nAm Abend gehen die Lichter an, und wer noch nicht fest ist, der wartet bis zum Morgen draußen vor der Mole.\n\nEin Poller ist ein kurzer Pfahl, um den die Leinen der Schiffe gelegt werden, damit sie bei Wind und Strom nicht treiben. |
      | kosten.md   | # Kosten\n\nDer Poller wird gestrichen, jeder Poller: Poller für Poller. |
      | puerto.md   | # El puerto\n\nPor la noche se encienden las luces, y quien todavía no ha llegado espera fuera hasta la mañana siguiente.\n\nUna boya es un cuerpo que flota y que muestra a los barcos por dónde pueden pasar sin tocar el fondo de la bahía. |
      | tarifas.md  | # Tarifas\n\nCada boya se paga, boya por boya, y otra boya más. |
      | port.fr.md  | # Le port\n\nLe soir on allume les lampes, et celui qui n'est pas encore arrivé attend dehors jusqu'au lendemain matin.\n\nUne amarre est un cordage avec lequel les bateaux sont attachés au quai pour la nuit ou pour tout un hiver. |
      | prix.fr.md  | # Prix\n\nChaque amarre se paie, amarre par amarre, encore une amarre. |
      | gavan.md    | # Гавань\n\nВечером зажигают огни, и кто ещё не пришёл, тот ждёт снаружи до самого утра вместе с другими кораблями.\n\nКранец — это подушка между бортом и причалом, которая бережёт доски корабля, когда его качает на волне. |
      | tseny.md    | # Цены\n\nКаждый кранец стоит денег, кранец за кранцем, ещё кранец. |
    And a sealed run "first"

  Scenario Outline: Who asks for something else gets what holds its words
    When "<question>" is asked
    Then the evidence starts with | path: <path> |

    Examples: one after the other
      | question       | path      |
      | berth          | fees.md   |
      | berth fees     | fees.md   |
      | Poller         | kosten.md |

