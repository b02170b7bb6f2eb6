"""The names under which nbconvert finds our exporters, and templates their preprocessors.

Each name is imported when it is asked for: an HTML page needs nothing of LaTeX or Typst. The names
stay as they are, because an installed copy of a template may hold them for years.
"""

from nbcompare._lazy import names_of

__all__, __getattr__ = names_of(__name__, __file__)
