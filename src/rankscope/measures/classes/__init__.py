"""Measures of the classes of items and of their distances from the class of the query."""
