"""From a notebook to the content of an HTML page; what goes to paper starts from it, too."""
