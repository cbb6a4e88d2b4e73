"""Datasets, metrics, comparison and reports: how good a recipe is."""
