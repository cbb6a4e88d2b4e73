"""Language models configured by the user: HTTP clients, retries and caching.

A provider (`ollama`, `openai_compatible`, both `served`) sends one request. `dependable` retries and validates replies
with their schema (`json_replies`), `caching` stores replies; `answers.language_models` combines them."""
