"""The content of a page as it goes to paper, whichever typesetter sets it."""
