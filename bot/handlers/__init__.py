"""Handlers: one module a subject, whose functions are declared as answers to buttons and commands."""
