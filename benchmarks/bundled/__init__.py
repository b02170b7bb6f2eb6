"""Programs that made the bundled data sets, and make them again."""
