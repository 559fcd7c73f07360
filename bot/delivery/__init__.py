"""Delivery: one outbox and one queue through which everything that is shown or told reaches people."""
