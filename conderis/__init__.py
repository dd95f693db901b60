"""Conderis: where people and their AI agents keep what a project knows and has to do."""

__version__ = "0.1.0"
