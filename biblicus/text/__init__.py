"""Text functions for every format: paths, decoding, lines, sentences, tokens, languages, identifiers."""
