"""The data types of Biblicus: frozen dataclasses; pydantic models where data is read from disk or network."""
