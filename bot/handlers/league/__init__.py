"""League."""
