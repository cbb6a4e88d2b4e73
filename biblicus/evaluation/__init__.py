"""Evaluation of recipes: datasets, metrics, comparison, reports."""
