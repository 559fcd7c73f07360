"""Screens of leagues: a night's board, pages, results, settings, and what organisers press."""
