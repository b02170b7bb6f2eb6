"""Export to LaTeX."""
