"""Reads the SQL files of `sql/` as sqlglot trees, and edits these trees."""
