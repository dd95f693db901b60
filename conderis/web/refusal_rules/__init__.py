"""The texts of the services that pages can meet, and what pages say instead.

A pattern is of a whole text; its groups are put into the words. Names of groups say what
they are: `field`, `kind`, `status`, `state` and `values` are said as pages say them.
`tests/web/test_refusals.py` fails where a text that speaks to agents has no rule.
"""
