"""Screens: views to platform-neutral markup. Pure functions: no store, no chat, no clock."""
