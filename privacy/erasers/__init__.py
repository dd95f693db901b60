"""What empties the fields that hold content: one row for each sort of rows.

A new model that keeps what people wrote is a module here and a row in the registry; a test
holds the fields to docs/data.md.
"""
