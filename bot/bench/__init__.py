"""Benchmarks: what this machine gives, as JSON. Times live here, never in a test."""
