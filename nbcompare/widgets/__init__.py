"""Builders: controls for an analysis or a report, with the code that repeats it.

Each is one widget (anywidget) with one connection to its page, and all are tested in
JupyterLab 4 and Notebook 7. `nbcompare app` shows them on a page of its own, and docs/hosts.md says
what is known of other applications.

*Code to a new cell* makes one in a Jupyter that is started with ``--expose-app-in-browser``;
elsewhere it copies, as *Copy code* does, and where the page may not use the clipboard it asks
you to select the code. Without widgets, as in a terminal, a builder shows its result and its code
as text.
"""

from nbcompare._lazy import names_of

# the worker's process computes without any widgets, which take seconds to import
__all__, __getattr__ = names_of(__name__, __file__)
