"""Tools of extractors, ours and third parties': composing, tables, lines of markup, signs as people see them."""
