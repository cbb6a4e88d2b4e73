"""The answerer without a model: statements of the evidence, chosen and quoted."""
