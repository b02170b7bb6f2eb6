"""Pages of paper as LaTeX."""
