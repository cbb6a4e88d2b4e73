"""Language models that the user names: clients over HTTP, and what makes them dependable."""
