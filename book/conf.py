"""The book: a Sphinx build with the theme of the Jupyter Book project (``make book``)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = html_title = "GRPO and its relatives, derived and checked"
author = "the grpo_symbolic developers"
extensions = [
    "myst_nb",
    "sphinx_book_theme",
    "sphinx_copybutton",
    "sphinx_external_toc",  # the table of contents: _toc.yml
    "sphinx_togglebutton",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinxcontrib.bibtex",
    "grpo_symbolic.book.sphinx_claims",
    "grpo_symbolic.book.sphinx_figures",
    "grpo_symbolic.book.mathjax",
    "grpo_symbolic.book.live.pages",
    "offline",
    "parallel",
]
exclude_patterns = ["_build", "**.ipynb_checkpoints"]
external_toc_exclude_missing = True
templates_path = ["_templates"]

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath", "smartquotes"]
nb_execution_mode = "cache"
nb_execution_timeout = 300
nb_merge_streams = True

bibtex_bibfiles = ["references.bib"]
bibtex_reference_style = "author_year"
add_module_names = False
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True

claims_ledger = "_build/ledger.json"
live_folder = "_build/live"
mathjax_folder = "_build/mathjax"

html_theme = "sphinx_book_theme"
html_sourcelink_suffix = ""
html_show_copyright = False
html_show_sphinx = False
html_show_search_summary = False  # summaries are fetched page by page, which a browser refuses for files on disk
html_context = {"default_mode": "auto"}
html_theme_options = {
    "navbar_start": [],
    "navbar_center": [],
    "navbar_end": [],
    "navbar_persistent": [],
    "repository_provider": "",
    "show_navbar_depth": 1,
    "show_toc_level": 2,
    "use_download_button": True,
    "use_fullscreen_button": False,
    "logo": {"text": "GRPO, derived and checked"},
}
