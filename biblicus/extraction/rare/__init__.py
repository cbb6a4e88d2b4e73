"""Rare formats, each a plug-in like a third party's.

A module imports `contracts`, `extraction.kit` and the rooms below, and nothing else of extraction. Another format that
stands within its files is read by `given.extractor`.
"""
