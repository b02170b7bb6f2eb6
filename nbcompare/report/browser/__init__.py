"""The page of a report as a PDF that a browser prints."""
