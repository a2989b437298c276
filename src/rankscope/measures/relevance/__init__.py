"""Measures of a ranking against judgments: one file each."""
