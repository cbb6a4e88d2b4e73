"""Language models that the user names: clients over HTTP, and what makes them dependable.

A provider (`ollama`, `openai_compatible`, both `served`) asks once and says what came of it. `dependable` asks again
where that may help and holds replies to their schema (`json_replies`), `caching` remembers; `answers.language_models`
puts them together.
"""
