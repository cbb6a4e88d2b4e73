"""Measures the quality of recipes and answers: datasets, evaluation, tuning, golden questions, reports."""
