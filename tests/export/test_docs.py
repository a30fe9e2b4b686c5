"""The examples of docs/how-to/export.md print what the page says."""

import re
from contextlib import redirect_stdout
from io import StringIO

from checkout import ROOT

import grpo_symbolic as gs

PAGE = ROOT / "docs" / "how-to" / "export.md"


def test_the_examples_of_the_page_print_what_it_says():
    examples = re.findall(r"```python\n(.*?)```\n\nprints\n\n```\n(.*?)```", PAGE.read_text(), re.S)
    assert len(examples) == 2
    for code, printed in examples:
        out = StringIO()
        with redirect_stdout(out):
            exec(code, {})
        assert out.getvalue() == printed
    (header,) = re.findall(r"\$ grpo-symbolic export pairs --to latex\n(.*?)```", PAGE.read_text(), re.S)
    assert gs.export("pairs", to="latex").startswith(header)
