"""The tests' own servers, started as real processes."""
