"""Sections to a notebook, a notebook to an exported report."""
