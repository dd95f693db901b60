"""Texts compared for people who decide: what changed, and what would not be seen."""
