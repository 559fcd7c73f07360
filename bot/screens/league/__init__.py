"""Screens of leagues: a night's board, pages, results, settings, and the organisers' pages."""
