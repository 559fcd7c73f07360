"""Handlers: one module for each subject. Its functions are declared as answers to buttons and commands."""
