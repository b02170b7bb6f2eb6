"""The notebook of a report: its text, its cells, and the data that they load."""
