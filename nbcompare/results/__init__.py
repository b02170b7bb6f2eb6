"""Read-only, labelled results that display themselves."""

from nbcompare._lazy import names_of

__all__, __getattr__ = names_of(__name__, __file__)
