"""Verification of a report: its results are recomputed, and its page is compared with them."""
