"""The reader: units of the evidence, features of question and unit, one fitted scorer that chooses and doubts."""
