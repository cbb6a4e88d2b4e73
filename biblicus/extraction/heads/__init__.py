"""Title, author and date of a document, from its beginning."""
