"""Leagues: nights as events, decisions, seating, standings, ratings. Pure functions."""
