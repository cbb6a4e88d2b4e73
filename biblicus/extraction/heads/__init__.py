"""Who wrote a document and what it is called, where it says so at its beginning."""
