Feature: Text of many formats
  Markdown, code and data stay as they are written; pages and notebooks give their readable text.
  What no extractor reads is an item all the same, and is skipped with its reason.

  Scenario: A cell of a notebook that is but a heading is found with what it heads
    Given a corpus with the items
      | path   | text                                                                                                     |
      | a.ipynb | {"cells": [{"cell_type": "markdown", "source": ["# Tides"]}, {"cell_type": "markdown", "source": ["## Moon"]}, {"cell_type": "markdown", "source": ["They follow the moon."]}, {"cell_type": "code", "source": "pull(sea)", "outputs": []}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5} |
    And a sealed run "first"
    When "tides" is asked
    Then the evidence starts with | path: a.ipynb | text: # Tides\n\n## Moon\n\nThey follow the moon.\n\npull(sea) |

  Scenario: A manual page gives what it says, and each option is an entry
    Given a corpus with the items
      | path    | text                                                                                                     |
      | winch.1 | .TH WINCH 1\n.SH NAME\nwinch \\- pull a rope\n.SH OPTIONS\n.TP\n.BR \\-s ", " \\-\\-speed =\\fIN\\fP\nHow fast the winch turns while it pulls.\n.TP\n.B \\-\\-hold\nHold the rope until it is told to let go.\n |
      | notes.1 | .9 of the ropes were wet.\n |
    And a sealed run "manuals"
    When the item "winch.1" is read
    Then the text holds "#### -s, --speed=N"
    And the text holds no ".TP"
    When the item "notes.1" is read
    Then the text is ".9 of the ropes were wet.\n"
    When the answerer "quote" is asked "what does winch -s do"
    Then the answer is "How fast the winch turns while it pulls."
    When the answerer "quote" is asked "--hold"
    Then the answer is "Hold the rope until it is told to let go."
    And every citation verifies

  Scenario Outline: Calendars, contacts and exported notes are read as what they are about
    Given a corpus with the items | path: <path> | text: <text> |
    And a sealed run "first"
    When the item "<path>" is read
    Then the text holds "<holds>"
    And the text holds no "<no>"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | path     | question                         | answer | holds | no | text |
      | a.ics    | When is the dry dock?            | Dry dock: 2025-03-14 14:30–15:00 (Europe/Berlin), East quay. | Bring the log. | UID | BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=Europe/Berlin:20250314T143000\nDTEND;TZID=Europe/Berlin:20250314T150000\nSUMMARY:Dry\n  dock\nLOCATION:East quay\nDESCRIPTION:Bring the log.\nEND:VEVENT\nEND:VCALENDAR\n |
      | crew.vcf | What is the phone number of Ada? | Ada Stone; phone (cell): +49 170 1; birthday: 1990-05-17; note: mends nets. | Ada Stone | VCARD | BEGIN:VCARD\nVERSION:3.0\nFN:Ada Stone\nTEL;TYPE=CELL:+49 170 1\nBDAY:19900517\nNOTE:mends nets\nEND:VCARD\n |
      | n.enex   | How often is the winch oiled?    | The winch is oiled twice a year. | ☑ Buy paint | CDATA | <?xml version="1.0"?><!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export3.dtd"><en-export><note><title>Deck</title><created>20240115T090000Z</created><content><![CDATA[<?xml version="1.0"?><en-note><div>The winch is oiled twice a year.</div><div><en-todo checked="true"/>Buy paint</div></en-note>]]></content></note></en-export> |

  Scenario Outline: What programs write out of what people keep is read as what it tells
    Given a corpus with the items | path: <path> | text: <text> |
    And a sealed run "first"
    When the item "<path>" is read
    Then the text holds "<holds>"
    And the text holds no "<no>"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | path      | question | answer | holds | no | text |
      | books.bib | Who published The Peregrine? | The Peregrine; author: José A. Baker; publisher: Collins; year: 1967; kind: book; key: baker1967 | Ropes & knots; author: Bo Stone, Ada Vik | {P} | @book{baker1967,\n  author = "Baker, Jos{\\'e} A.",\n  title = "The {P}eregrine",\n  publisher = {Collins},\n  year = 1967\n}\n@article{stone, author = {Stone, Bo and Ada Vik}, title = {Ropes \\& knots}, pages = {1--3}}\n |
      | list.ris  | Who wrote The Promise of Sleep? | The Promise of Sleep; author: William C. Dement, Ada Vik; publisher: Delacorte; pages: 1–9; year: 1999; date: 1999/05; kind: BOOK | On ropes | TY  - | TY  - BOOK\nAU  - Dement, William C.\nAU  - Vik, Ada\nPY  - 1999/05/\nTI  - The Promise of Sleep\nPB  - Delacorte\nSP  - 1\nEP  - 9\nER  - \n\nTY  - JOUR\nTI  - On ropes\nER  - \n |
      | odd.bib   | Who published the Winch manual? | Winch manual; publisher: Quay Press; month: 10 jan; organization: Winchworks; kind: manual; key: Bo Roe 2001 | Books about ships | @manual | % Books about ships\n@string{quay = {Quay Press}}\n@misc{, title = {Anchors}, note = {They are of brass.}}\n@manual{Bo Roe 2001, title = {Winch manual}, month = 10 # "~" # jan, publisher = quay, organization = {Winchworks}}\n |
      | tides.ris | What does the tide do twice a day at Keld? | The tide turns twice a day at Keld. | Tides; author: Jane Roe; in: The Book of the Sea; M9: Box 4; kind: CHAP; key: roe99 | AB | TY  - CHAP\nAU  - Roe, Jane\nTI  - Tides\nBT  - The Book of the Sea\nAB  - The tide turns\ntwice a day at Keld.\nID  - roe99\nM9  - Box 4\n |
      | csl.json | Who wrote Rip currents? | Rip currents; author: Lucia de Ferrante, Navy; year: 2011-04; genre: PhD; kind: thesis; key: f11 | They take swimmers out. | family | [{"id": "f11", "type": "thesis", "title": "Rip currents", "author": [{"family": "Ferrante", "given": "Lucia", "non-dropping-particle": "de"}, {"literal": "Navy"}], "issued": {"date-parts": [[2011, 4]]}, "genre": "PhD", "abstract": "They take swimmers out."}, {"id": "x", "type": "book", "title": "On ropes"}] |
      | tree.ged  | Who was the father of Ivy Roe? | Parents of Ivy Roe: Bo Roe (father) and Ada Stone (mother). | Bo Roe died on 9 February 1931 in Keld. | INDI | 0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /Stone/\n1 SEX F\n1 BIRT\n2 DATE ABT 1871\n1 FAMS @F1@\n0 @I2@ INDI\n1 NAME Bo /Roe/\n1 OCCU Pilot\n2 DATE BET 1890 AND 1902\n1 DEAT\n2 DATE 9 FEB 1931\n2 PLAC Keld\n1 FAMS @F1@\n0 @I3@ INDI\n1 NAME Ivy /Roe/\n1 EMIG\n2 DATE JUN 1926\n2 PLAC Oslo\n1 FAMC @F1@\n1 NOTE Kept a di\n2 CONC ary.\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I1@\n1 CHIL @I3@\n1 MARR\n2 DATE 4 MAY 1902\n2 PLAC Hull\n0 TRLR\n |
      | line.ged  | Who emigrated in 1926? | Ivy Roe emigrated in June 1926, Oslo. | Bo Roe (husband) and Ada Stone (wife) married on 4 May 1902 in Hull. | INDI | 0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /Stone/\n1 SEX F\n1 BIRT\n2 DATE ABT 1871\n1 FAMS @F1@\n0 @I2@ INDI\n1 NAME Bo /Roe/\n1 OCCU Pilot\n2 DATE BET 1890 AND 1902\n1 DEAT\n2 DATE 9 FEB 1931\n2 PLAC Keld\n1 FAMS @F1@\n0 @I3@ INDI\n1 NAME Ivy /Roe/\n1 EMIG\n2 DATE JUN 1926\n2 PLAC Oslo\n1 FAMC @F1@\n1 NOTE Kept a di\n2 CONC ary.\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I1@\n1 CHIL @I3@\n1 MARR\n2 DATE 4 MAY 1902\n2 PLAC Hull\n0 TRLR\n |
      | sugar.sbv | Where does sugar come from? | Sugar comes from light. | It is green. | 0:00 | 0:00:00.500,0:00:04.000\nSugar comes from light.\n\n0:00:04.200,0:00:09.000\nIt is green.\n |
      | film.srt  | Who wishes to buy a house? | The Count wishes to buy a house. | The cock has crowed. | --> | 1\n00:01:10,000 --> 00:01:14,500\n- The Count wishes\nto buy a house.\n- Which house?\n\n2\n00:42:11,000 --> 00:42:15,200\nThe cock has crowed.\n |

  Scenario Outline: Documents written in XML are read as the pages that they stand for
    Given a corpus with the items | path: <path> | text: <text> |
    And a sealed run "first"
    When the item "<path>" is read
    Then the text holds "<holds>"
    And the text holds no "<no>"
    When the answerer "quote" is asked "<question>"
    Then the answer is "<answer>"
    And every citation verifies

    Examples:
      | path | question | answer | holds | no | text |
      | winch.xml | What does --slow do? | Turns slowly, which spares the rope and the winch. | Press Ctrl+S or Winch → Slow. | Harbour press | <?xml version="1.0"?><!DOCTYPE chapter PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "docbookx.dtd" [<!ENTITY app "winch"><!ENTITY more SYSTEM "more.xml">]><chapter><title>Options</title><chapterinfo><publisher>Harbour press</publisher></chapterinfo><variablelist><varlistentry><term><option>--slow</option></term><listitem><para>Turns slowly, which spares the rope and the &app;.</para><para>Press <keycombo><keycap>Ctrl</keycap><keycap>S</keycap></keycombo> or <menuchoice><guimenu>Winch</guimenu><guimenuitem>Slow</guimenuitem></menuchoice>.</para></listitem></varlistentry></variablelist>&more;</chapter> |
      | part.xml | Does the rope float? | No, hemp sinks after an hour. | Reef knots hold. | <para> | <section><title>Ropes</title><qandaset><qandaentry><question><para>Does the rope float?</para></question><answer><para>No, hemp sinks after an hour.</para></answer></qandaentry></qandaset><section><title>Knots</title><para>Reef knots hold.</para></section></section> |
      | oil.dita | How do I drip oil onto the axle? | 1. Open the lid. It is stiff.\n2. Drip oil onto the axle. | 2. Drip oil onto the axle. | b.dita | <?xml version="1.0"?><!DOCTYPE task PUBLIC "-//OASIS//DTD DITA Task//EN" "task.dtd"><task id="oil"><title>Oil the winch</title><taskbody><prereq>Have a can of oil.</prereq><steps><step><cmd>Open the <uicontrol>lid</uicontrol>.</cmd><info>It is stiff.</info></step><step><cmd>Drip oil onto the axle.</cmd></step></steps></taskbody><related-links><link href="b.dita"/></related-links></task> |
      | a.xml | How long were the ropes kept in water? | Twelve ropes were kept in water for eight weeks. | Table 1. Strength by week. | Journal of tides | <?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving v1.0//EN" "jats.dtd"><article><front><journal-meta><journal-title>Journal of tides</journal-title></journal-meta><article-meta><title-group><article-title>Hemp</article-title></title-group></article-meta></front><body><sec><label>1</label><title>Methods</title><p>Twelve ropes were kept in water for eight weeks.</p><table-wrap><label>Table 1.</label><caption><p>Strength by week.</p></caption><table><tr><td>1</td><td>41</td></tr></table></table-wrap></sec></body></article> |
      | bo.xml | Which rope broke off the quay? | The rope (hemp) broke off the quay. | To Bo | Printed | <TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Letters</title></titleStmt><publicationStmt><p>Printed.</p></publicationStmt></fileDesc></teiHeader><text><body><div><head>To Bo</head><p>The rope <note>hemp</note> broke off the quay.</p></div></body></text></TEI> |
      | keys.page | What are bounce keys? | Bounce keys are keys that ignore what is pressed twice. | Keys that bounce Ignore quick presses. | xref | <page xmlns="http://projectmallard.org/1.0/" id="keys"><info><link type="guide" xref="index"/><desc>Ignore quick presses.</desc></info><title>Keys that bounce</title><p>Bounce keys are keys that ignore what is pressed twice.</p></page> |
      | haul.page | How do I launch Capstan from the menu? | 1. Launch Capstan from the menu, or run capstan --haul in the loft.\n2. Press Haul. | 2. Press Haul. | Capstan\\n | <page xmlns="http://projectmallard.org/1.0/" id="haul"><title>Haul a boat</title><p>It takes an hour.</p><steps><item><p>Launch <app>Capstan</app> from the <gui>menu</gui>, or run <cmd>capstan --haul</cmd> in the loft.</p></item><item><p>Press <gui>Haul</gui>.</p></item></steps></page> |
      | pom.xml | Which version has the winch? | winch 1.2 | <version>1.2</version> | Version: | <project><artifactId>winch</artifactId>\n<version>1.2</version></project> |

  Scenario Outline: What is written in markup of its own is read line by line, and each term is an entry
    Given a corpus with the items | path: <path> | text: <text> |
    And a sealed run "manuals"
    When the item "<path>" is read
    Then the text holds "#### --hold"
    And the text holds no "::"
    When the answerer "quote" is asked "what does --hold do"
    Then the answer is "Holds the rope until it is told to let go."
    When the answerer "quote" is asked "--speed"
    Then the answer is "<speed>"
    And every citation verifies

    Examples:
      | path       | text | speed |
      | winch.adoc | = Winch\n\n--hold::\n  Holds the `rope` until it is _told_ to let go.\n--speed:: How fast it turns, see <<n,the numbers>>.\n | --speed: How fast it turns, see the numbers. |
      | winch.txt  | winch(1)\n========\n--hold::\n\tHolds the `rope` until it is told to let go.\n\n--speed=<n>::\n\tHow fast it turns, see linkgit:rope[1].\n | How fast it turns, see rope(1). |
      | winch.mediawiki | == Winch ==\n\n; --hold : Holds the rope until it is told to let go.\n; --speed : How fast it turns, see [[Numbers]].<ref>Stone</ref>\n[[Category:Tools]]\n | --speed: How fast it turns, see Numbers. |
      | winch.org  | #+TITLE: Winch\n\n- --hold ::\n  Holds the =rope= until it is /told/ to let go.\n- --speed :: How fast it turns, see [[file:n.org][the numbers]].\n | --speed: How fast it turns, see the numbers. |
