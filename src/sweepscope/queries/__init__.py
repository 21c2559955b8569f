"""Queries: one file for each kind."""
