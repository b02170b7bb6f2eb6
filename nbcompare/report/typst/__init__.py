"""Pages of paper set by Typst: the PDF that needs no TeX."""
