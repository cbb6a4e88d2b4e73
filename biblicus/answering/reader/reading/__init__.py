"""Reading of texts before quotation: blocks, units, and text without markup."""
