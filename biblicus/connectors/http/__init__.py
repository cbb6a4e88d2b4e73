"""The HTTP service: requests to operations, results and errors to JSON. `app.application` makes it."""
