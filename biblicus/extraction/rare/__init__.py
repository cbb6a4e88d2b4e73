"""Rare formats as plug-ins, written like third-party ones.

They import only `contracts`, `extraction.kit` and lower layers. A nested document in another format is read through
`given.extractor`.
"""
