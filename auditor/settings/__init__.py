"""The tables of audit.toml as typed, frozen records, and everything that follows from a table alone.

Nothing here reads a file or loads a numerical library: judges know a procedure by its table, and `auditor.case` reads the tables.
"""
