"""Builders: controls for an analysis or a report, with the code that repeats it.

Each is one widget (anywidget) with one connection to its page, and all are tested in
JupyterLab 4 and Notebook 7. `nbcompare app` shows them on a page of its own, and docs/hosts.md says
what is known of other applications.

Where the page may not use the clipboard, *Copy code* asks you to select the code. Without widgets,
as in a terminal, a builder shows its result and its code as text.
"""

from nbcompare._lazy import names_of

# the worker's process computes without any widgets, which take seconds to import
__all__, __getattr__ = names_of(__name__, __file__)
