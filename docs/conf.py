"""Settings of Sphinx, which makes the site: `python -m sphinx -W docs site`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recall_duckdb import __version__

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

project = "recall_duckdb"
author = "The recall_duckdb authors"
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
exclude_patterns = ["decisions.md", "how-it-works.md", "releasing.md"]  # for contributors, who read them in the clone
myst_heading_anchors = 3  # links lead to headings, as they do where the pages are read as Markdown
suppress_warnings = ["misc.highlighting_failure"]  # Pygments knows no $k in SQL, and highlights the rest
highlight_language = "sql"  # of the files of metrics
smartquotes = False  # docstrings have code in quotes
default_role = "literal"  # docstrings write code in single backticks
autodoc_typehints = "none"  # the docstrings name the types that matter; signatures have forty arguments
python_display_short_literal_types = True
python_maximum_signature_line_length = 80
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_title = f"recall_duckdb {release}"
html_show_sphinx = False
html_show_copyright = False

SQL_LINK = re.compile(r"^\[SQL\]\((\S+)\)$", re.MULTILINE)
FOLDED_SQL = """<details><summary>SQL</summary>

```{literalinclude} \\1
```

</details>"""


def fold_sql(_app: Sphinx, _name: str, text: list[str]) -> None:
    """Show the file of a metric, folded, where the page has a link to it for readers on GitHub."""
    text[0] = SQL_LINK.sub(FOLDED_SQL, text[0])


def unlink_metrics(_app: Sphinx, page: nodes.document) -> None:
    """Make text of `recall@10` again, which docutils takes for the address of a mailbox."""
    from docutils import nodes

    for link in list(page.findall(nodes.reference)):
        if link.get("refuri", "").startswith("mailto:"):
            link.parent.replace(link, nodes.Text(link.astext()))


def setup(app: Sphinx) -> None:
    """Register what Sphinx has no setting for."""
    app.connect("source-read", fold_sql)
    app.connect("doctree-read", unlink_metrics)
