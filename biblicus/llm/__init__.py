"""Language models configured by the user: HTTP clients, and retries.

A provider (`ollama`, `openai_compatible`, both `served`) sends one request. `dependable` retries and validates replies
with their schema (`json_replies`); `search.language_models` combines them."""
