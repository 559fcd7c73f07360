"""Servers of our own for the tests, started as real processes."""
