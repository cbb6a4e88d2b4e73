Feature: Every item has a title
  It comes from metadata, else the first heading, the PDF's or page's own title, else the name.

  Scenario: Titles
    Given a corpus with the items
      | path             | text                                               |
      | tides.md         | ---\ntitle: Moon\n---\n# Sea                       |
      | tides2.md        | # Moon *and* sea #\n\nText.                        |
      | tides3.md        | Moon and sea\n============\n\nText.                |
      | tides4.md        | No heading here.                                   |
      | tides.rst        | Moon and sea\n============\n\nText.                |
      | tides.html       | <title>Moon &amp; sea</title><h1>Other</h1><p>Text |
      | tides2.html      | <h1>Moon and sea</h1><p>Text                       |
      | moon-and_sea.txt | Text.                                              |
      | wire.xml         | <news><TITLE>Moon &amp; sea</TITLE>Text.</news>    |
      | list.xml         | <l><title>Moon</title><title>Sea</title></l>       |
      | moon_and_sea.py  | import this                                        |
    When the items are listed
    Then they are
      | path             | title           |
      | list.xml         | list.xml        |
      | moon-and_sea.txt | moon and sea    |
      | moon_and_sea.py  | moon_and_sea.py |
      | tides.html       | Moon & sea      |
      | tides.md         | Moon            |
      | tides.rst        | Moon and sea    |
      | tides2.html      | Moon and sea    |
      | tides2.md        | Moon and sea    |
      | tides3.md        | Moon and sea    |
      | tides4.md        | tides4          |
      | wire.xml         | Moon & sea      |

  Scenario: A title that says little gets a companion
    Given a corpus with the items
      | path                   | text                                                             |
      | ropes/introduction.md  | # Introduction\n\nHemp.                                          |
      | ropes/splices.md       | # Overview\n\nEye and back.                                      |
      | ropes/hawser.txt       | \n                                CONFIDENTIAL\n\nThe hawser is too old for the weight of the boats that lie at the pier. |
      | ropes/novel.md         | # Chapter Two\n\nRain.                                            |
      | ropes/README.md        | Everything about ropes.                                          |
      | sails/README.rst       | .. image:: badge.svg\n\n*Sails* of canvas.                       |
      | masts/README.md        | [![build](b.svg)](b)\n\nMasts of pine.                           |
      | oars/README.rst        | Donations\n=========\n\nGive.\n\nOars\n====\n\nThey are long. |
      | tholes/README.md       | A thole holds an oar.\n\n## Fitting\n\nPush.\n\n## Use\n\nRow.   |
      | keels/README.md        | Ships have one.\n\n## Keels\n\nLong ones.                       |
      | log/2025-09-10.txt     | The winch was greased.\nAll is well.                             |
      | log/2025-09-11.md      | # Summary\n\nNothing.                                            |
      | log/2025-09-12.md      | Rain.\n\n## Ropes\n\nNew ones.                                 |
      | log/2025-09-14-the-storm.md | The storm\n---------\n\nIt came at night.                 |
      | log/2025-09-15-fog.html | <title>Fog</title><p>Old port</p><h2>Fog</h2><p>It was thick. |
      | log/2025-09-13.md      | - [ ] Oil [[Winch\|the winch]]\n- Rain                             |
      | chats/quay/2024-05-06.json | [{"type": "message", "user": "U02CD", "text": "The ice is thick.", "ts": "1714982460.000200"}] |
      | joplin/a1b2c3d4e5f60718293a4b5c6d7e8f90.md | Passport\n\nThe fee is 81 euros.\n     |
      | Tides 3f2a9c0d1e2b4c5d8e9f0a1b2c3d4e5f.csv | Day,Height\nMon,3\nTue,4\n             |
      | 3.6.md                 | # 3.6\n\nNothing.                                                |
      | README.md              | # Readme                                                         |
      | docs/Mooring-Lines.md  | <h1 align="center">Harbour</h1>\n\n## Mooring lines\n\nFour. |
      | tides/index.md         | # Tides of the harbour\n\n## Index\n\nAll of them.             |
      | docs/parts.md          | # Part\n\n# Hull\n\nOak.\n\n# Mast\n\nPine.               |
      | docs/pilots.rst        | Harbour\n=======\n\nPilots\n------\n\nTwo.             |
      | docs/Fees.md           | # Harbour\n\nIt is free.\n\n## Fees\n\nNone.               |
      | rules/badges.md        | [![Build](https://a.example/b.svg)](https://a.example)\n\n## Barges\n\nTwo.\n\n## Use\n\nTow. |
      | rules/licence.md       | <!-- Licence: MIT. -->\n\n## Lamps\n\nTwo.\n\n## Use\n\nLight. |
      | rules/moorings.md      | *Last updated 2024-03-02*\n\n## Guests\n\nTwo.\n\n## Fees\n\n9 euros. |
      | rules/no-oil.md        | > ⚓ This page is the source of another.\n\n## Examples\n\nTwo.\n\n## See also\n\nRopes. |
      | rules/no-tar.md        | Tar on ropes is not allowed.\n\n## Examples\n\nTwo.\n\n## See also\n\nRopes. |
      | rules/no-pitch.md      | Pitch on ropes is not allowed.\n\n### References\n\n1. Stone. |
    When the items are listed
    Then they are
      | path                   | title                                |
      | 3.6.md                 | 3.6                                  |
      | README.md              | Readme                               |
      | Tides 3f2a9c0d1e2b4c5d8e9f0a1b2c3d4e5f.csv | Tides.csv        |
      | chats/quay/2024-05-06.json | quay: 2024 05 06                 |
      | docs/Fees.md           | Harbour                              |
      | docs/Mooring-Lines.md  | Mooring lines                        |
      | docs/parts.md          | Part                                 |
      | docs/pilots.rst        | Pilots                               |
      | joplin/a1b2c3d4e5f60718293a4b5c6d7e8f90.md | Passport         |
      | keels/README.md        | Keels                                |
      | log/2025-09-10.txt     | 2025 09 10: The winch was greased.   |
      | log/2025-09-11.md      | 2025 09 11: Summary                  |
      | log/2025-09-12.md      | 2025 09 12: Ropes                    |
      | log/2025-09-13.md      | 2025 09 13: Oil the winch            |
      | log/2025-09-14-the-storm.md | The storm                       |
      | log/2025-09-15-fog.html | Fog                                 |
      | masts/README.md        | masts: Masts of pine.                |
      | oars/README.rst        | oars: Donations                      |
      | ropes/README.md        | ropes: Everything about ropes.       |
      | ropes/hawser.txt       | hawser: CONFIDENTIAL                 |
      | ropes/introduction.md  | ropes: Introduction                  |
      | ropes/novel.md         | novel: Chapter Two                   |
      | ropes/splices.md       | splices: Overview                    |
      | rules/badges.md        | Barges                               |
      | rules/licence.md       | Lamps                                |
      | rules/moorings.md      | Guests                               |
      | rules/no-oil.md        | no oil                               |
      | rules/no-pitch.md      | no pitch                             |
      | rules/no-tar.md        | no tar                               |
      | sails/README.rst       | sails: Sails of canvas.              |
      | tholes/README.md       | tholes: A thole holds an oar.        |
      | tides/index.md         | Tides of the harbour                 |

  Scenario: A title among the first fields, and without the site's name
    Given a corpus with the items
      | path        | text                                                                                 |
      | a.rst       | PEP: 20\nTitle: The Zen of\n  Tides\nStatus: Active\n\nAbstract\n========\n\nText.  |
      | b.rst       | :author: Ada\n:title: Gauges\n\nIntroduction\n============\n\nText.                |
      | c.rst       | Note: no field here.\n\nTitle\n=====\n\nText.                                         |
      | d.html      | <title>Winches — Harbour 3.2 documentation</title><h1>Winches<a class="headerlink" href="#w">¶</a></h1><p>Text |
      | e.html      | <title>Winches, old and new</title><h1>Winches</h1><p>Text                           |
    When the items are listed
    Then they are
      | path   | title                |
      | a.rst  | The Zen of Tides     |
      | b.rst  | Gauges               |
      | c.rst  | Title                |
      | d.html | Winches              |
      | e.html | Winches, old and new |
