"""Export to PDF by printing the HTML page in a browser."""
