"""The HTTP service: requests to operations, results and errors to JSON. Entry point: `app.application`."""
