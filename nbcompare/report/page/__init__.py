"""The content of an HTML page, made from a notebook; printed pages start from it, too."""
