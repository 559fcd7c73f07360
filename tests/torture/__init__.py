"""Torture: processes and servers are killed and stopped, and every acknowledged move is read back."""
