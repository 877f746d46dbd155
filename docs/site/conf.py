"""Sphinx: the site of voussoir. Used by tools/build_docs.py, which puts its sources together first."""

import os
import re
import sys
from pathlib import Path

root = Path(os.environ["VOUSSOIR_ROOT"])
work = Path(os.environ["VOUSSOIR_DOCS_WORK"])

sys.path.insert(0, str(root / "docs/site"))

project = "voussoir"
author = "the authors of voussoir"
copyright = "the authors of voussoir, BSD-3-Clause"
version = release = re.search(r"project\(\s*voussoir\s+VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text())[1]
language = "en_GB"
smartquotes = False  # options begin with two dashes

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "docstrings", "sphinx.ext.mathjax", "sphinx_inline_tabs",
              "sphinx_copybutton"]  # fmt: skip

myst_enable_extensions = ["colon_fence", "dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
myst_update_mathjax = False  # it means MathJax 3, Debian has 2

breathe_projects = {"voussoir": str(work / "doxygen/xml")}
breathe_default_project = "voussoir"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
autodoc_type_aliases = {"npt.ArrayLike": "ArrayLike", "FloatArray": "ndarray", "Vector": "Vector", "Matrix": "Matrix",
                        "Path": "Path", "Signal": "Signal", "Placed": "Placed", "Progress": "Progress"}  # fmt: skip
python_use_unqualified_type_names = True
add_module_names = False

# Debian's MathJax, copied beside the pages: nothing is fetched.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"
mathjax2_config = {
    "messageStyle": "none",
    "tex2jax": {"processClass": "math", "ignoreClass": "tex2jax_ignore"},
    "showMathMenu": False,
    "SVG": {"font": "TeX", "scale": 92},
    "TeX": {"extensions": ["AMSmath.js", "AMSsymbols.js"]},
}

html_theme = "furo"
html_title = f"voussoir {version}"
html_static_path = [str(root / "docs/site/static"), str(work / "static")]
html_css_files = ["voussoir.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#8a3b12", "color-brand-content": "#8a3b12"},
    "dark_css_variables": {"color-brand-primary": "#e8a27a", "color-brand-content": "#e8a27a"},
}
pygments_style = "tango"
pygments_dark_style = "monokai"

copybutton_prompt_text = r"\$ "
copybutton_prompt_is_regexp = True
copybutton_selector = "div:not(.highlight-output):not(.highlight-text) > div.highlight > pre"
