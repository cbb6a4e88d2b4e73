"""Documents by the page: their pictures, and where their text stands on them."""
