Feature: A section is called by the plain words of its heading
  Anchors, code marks and links of a heading are no part of its name. That holds for each heading in a piece of text, not
  only for the one that it begins with.

  Background:
    Given a corpus with the items
      | path       | text                                                                                                                     |
      | hitches.md | # Hitches\n\n## Names\n\nKnots have some.\n\n## <a name="slip"></a> `Hitch::slip`\n\nIt lets go.\n\n## [Bowline](knots.md)\n\nIt holds. |
      | slips.md   | # Slips\n\nHitch::slip is told of by what calls Hitch::slip, as Hitch::slip is called. A bowline is a bowline.           |
    And a sealed run "first"
