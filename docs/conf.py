"""Settings of the documentation site: Markdown by MyST-NB, the API by numpydoc, no other host."""

import sys
from pathlib import Path

import nbcompare

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import guide

project = "nbcompare"
author = "The nbcompare developers"
copyright = author
release = version = nbcompare.__version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.doctest",
    "sphinx.ext.viewcode",
    "sphinx_design",
    "built_files",
    "cell_outputs",
    "gallery",
    "generated",
    "guide",
    "html_output",
    "references",
    "repository",
    "result_schema",
    "ways",
]
exclude_patterns = ["_build", "_ext", "_templates"]
templates_path = ["_templates"]
smartquotes = False  # words of options are in straight quotation marks, as they are typed

# ------------------------------------------------------------------------------- Markdown
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 4
nb_execution_mode = "auto"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
# These simulations take many minutes: the site shows the outputs that they have.
nb_execution_excludepatterns = [f"guide/{it.stem}.ipynb" for it in guide.PAGES if it.stored]
# Scripts of widgets would come from another host.
nb_ipywidgets_js = {}
# Results say what they are in further ways, for our own reports.
suppress_warnings = ["mystnb.unknown_mime_type"]
html_math_renderer = "mathml"

# ------------------------------------------------------------------------------------ API
autodoc_member_order = "bysource"
# numpydoc shows types as the docstrings have them.
autodoc_typehints = "none"
autosummary_generate = True
# pytest runs the examples of docstrings, which use the names of their modules.
doctest_test_doctest_blocks = ""
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False

# ----------------------------------------------------------------------------------- HTML
html_theme = "pydata_sphinx_theme"
html_title = f"nbcompare {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
# The page of results would fetch every page that it found, which a browser refuses in a folder.
html_show_search_summary = False
html_theme_options = {
    "logo": {"text": "nbcompare"},
    "header_links_before_dropdown": 8,
    "navbar_persistent": ["search-button"],  # an icon: a field would begin a second line
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
    "navigation_with_keys": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# Pages that stand by themselves have no pages beside them.
html_sidebars = {page: [] for page in ("index", "start", "chooser", "gallery/index")}
html_context = {"default_mode": "auto"}
