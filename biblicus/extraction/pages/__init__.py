"""Images of document pages and the positions of text on them."""
