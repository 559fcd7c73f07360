"""Worker."""
