"""From an experiment to a notebook: what it says, the cells that say it, the data they load."""
