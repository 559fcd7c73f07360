"""Delivery: the one outbox and the one queue through which everything reaches people."""
