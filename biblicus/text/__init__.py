"""What is true of text in any format: paths, decoding, lines, sentences, tokens, languages, identifiers."""
