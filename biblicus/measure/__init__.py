"""Measures how good recipes and answers are: datasets, evaluation, tuning, golden questions, reports."""
