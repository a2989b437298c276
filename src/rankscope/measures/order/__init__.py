"""Measures whose truth is an order."""
