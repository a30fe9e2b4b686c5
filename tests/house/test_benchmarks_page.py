"""The page of measurements is generated from the raw results, and leaves out what nobody measured."""

import importlib.util

import pytest
from checkout import ROOT


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("benchmarks_page", ROOT / "benchmarks" / "page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_generated(script):
    assert (ROOT / "docs" / "reference" / "benchmarks.md").read_text(encoding="utf-8") == script.page(), (
        "run: python benchmarks/page.py"
    )


def test_what_nobody_measured_is_left_out(script, tmp_path, monkeypatch):
    monkeypatch.setattr(script, "RESULTS", tmp_path)
    (tmp_path / "import.json").write_text(
        '{"machine": {"cores": 1, "load": 0, "system": "S", "python": "3"}, "ratio": 0.5}'
    )
    text = script.page()
    assert "| 0.5 |" in text
    assert "predict" not in text
