"""Hygiene: how far the shared items of a project can be trusted, and what would mend them."""

from items.hygiene.assessing import Assessment, Finding, assess
from items.hygiene.registry import all_checks, check_named

__all__ = ["Assessment", "Finding", "all_checks", "assess", "check_named"]
