"""Compares models: paired differences, tests and intervals, from the values of queries."""
