"""What tests that open the built pages share: a browser for each file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from chromium import CHROMIUM


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright import sync_api

    with sync_api.sync_playwright() as engine:
        running = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()
