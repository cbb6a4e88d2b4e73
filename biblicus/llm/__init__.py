"""Language models that the user names: clients over HTTP, and what makes them dependable.

A provider (`ollama`, `openai_compatible`) asks once and says what came of it. `retrying` asks again where that may
help, `json_replies` holds a reply against its schema, `caching` remembers; `answers.language_models` puts them
together.
"""
