"""Reports: sections become a notebook, the notebook is exported, and a report is verified."""

from nbcompare._lazy import names_of

__all__, __getattr__ = names_of(__name__, __file__)
