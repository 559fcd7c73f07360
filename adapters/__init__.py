"""Adapters: a platform's events in, screens out. No game state, no rules."""
