"""Hints in words: the move, then the reason for it."""
