"""Games: what each of them does with a turn."""
