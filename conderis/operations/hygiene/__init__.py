"""Measures what a project's hygiene costs, on a database of its own."""
