"""Django's backend for SQLite, with writers that take turns (`base` is its documented place)."""
