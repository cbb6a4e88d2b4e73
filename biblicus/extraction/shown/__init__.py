"""Signs that mean more than their letters: raised and lowered text, formulas, fonts of symbols."""
