"""How long a test waits for what must come before it fails. How fast it comes is measured elsewhere."""

PATIENCE = 120.0
"""Seconds: enough on a slow machine that does other things, too."""
