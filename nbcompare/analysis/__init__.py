"""Analyses that turn an experiment into a result by means of the statistics."""

from nbcompare._lazy import names_of

__all__, __getattr__ = names_of(__name__, __file__)
