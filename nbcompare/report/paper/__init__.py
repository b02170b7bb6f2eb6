"""Printed pages: what all typesetters have in common."""
