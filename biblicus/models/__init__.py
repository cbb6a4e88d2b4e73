"""The nouns of DESIGN §1. Frozen dataclasses inside and on the query path; pydantic where disk or wire is crossed."""
