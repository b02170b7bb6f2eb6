"""Whether a report still holds: its results computed again, and its text read back."""
