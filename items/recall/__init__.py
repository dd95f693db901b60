"""Recall: a bounded summary of what a project knows and has to do."""

from items.recall.recalling import recall

__all__ = ["recall"]
