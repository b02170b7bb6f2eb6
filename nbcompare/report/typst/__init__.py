"""Export to a PDF typeset by Typst, which needs no TeX."""
