"""Leagues: seasons of nights in which people of a community, or of several, play match after match."""
