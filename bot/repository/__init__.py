"""Repository: load a value, change it, commit it; the one optimistic loop."""
