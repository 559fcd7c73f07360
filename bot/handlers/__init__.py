"""Handlers: one module for each subject, with the functions that answer buttons and commands."""
