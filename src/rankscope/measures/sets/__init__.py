"""Measures of the set of retrieved items against the set of relevant ones, whatever the order."""
