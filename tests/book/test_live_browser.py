"""The live part of the built book in a real browser, by keyboard: points are drawn and certified, a proof is replayed;
and the rules of axe-core, which comes from npm for these tests alone.

Needs the pages with their live part (``make book``), Playwright, and a Chromium of the machine.
"""

from __future__ import annotations

import functools
import http.server
import json
import re
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from chromium import CHROMIUM

import grpo_symbolic as gs
from grpo_symbolic.book.downloads import fetched
from grpo_symbolic.errors import BadInput

HTML = ROOT / "book" / "_build" / "html"
VIEWS = {
    "desktop, light": ((1280, 900), "light"),
    "desktop, dark": ((1280, 900), "dark"),
    "phone, light": ((390, 844), "light"),
    "phone, dark": ((390, 844), "dark"),
}
LOADING = 180_000  # milliseconds, on a machine that does other things besides
POINT = "group_size=8&normaliser=std%2Beps&guard=1%2F10000&divergence=reverse-kl&beta=1&p_ref=0.2"
CYCLE = "group_size=oo&normaliser=sqrt%28var%2Beps%29&guard=1%2F100000&divergence=reverse-kl&beta=5&p_ref=0.001"
CLAIM = "vy-eq14-lower-bound"
AXE = json.loads(Path(__file__).with_name("axe.json").read_text("utf-8"))

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: apt-get install chromium"),
    pytest.mark.skipif(not (HTML / "_static/live/stamp").is_file(), reason="the live part is not built: make book"),
]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the test says what went wrong."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(HTML))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def axe() -> str:
    """axe-core as one script; it is no part of the book."""
    try:
        archive = fetched("axe-core", AXE, HTML.parent / "axe-kept")
    except BadInput as reason:
        pytest.skip(f"axe-core is not there: {reason}")
    with tarfile.open(archive) as files:
        return files.extractfile("package/axe.min.js").read().decode()  # type: ignore[union-attr]


class Tab:
    """A tab that writes down what goes wrong in it, and what it asks of anybody but the book."""

    def __init__(self, browser: Any, address: str, view: str) -> None:
        (width, height), scheme = VIEWS[view]
        self.address, self.problems = address, list[str]()
        self.page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.page.on("console", lambda m: self.problems.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.problems.append(str(e)))
        self.page.on("request", self._request)
        self.page.route("**/favicon.ico", lambda route: route.fulfill(status=204))  # which the book has none of

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.problems.append(f"outside: {request.url}")

    def open(self, name: str, wait: str) -> Any:
        self.page.goto(self.address + name)
        self.page.wait_for_selector(wait)
        return self.page

    def press(self, words: str) -> None:
        """Come to a button by the Tab key, and press it by Enter."""
        for _ in range(400):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("document.activeElement.textContent") == words:
                return self.page.keyboard.press("Enter")
        raise AssertionError(f"the Tab key does not come to {words!r}")

    def says(self, pattern: str, where: str = ".live-status") -> str:
        """What the page says there, once it matches."""
        found = "([where, pattern]) => RegExp(pattern).test(document.querySelector(where)?.textContent)"
        self.page.wait_for_function(found, arg=[where, pattern], timeout=LOADING)
        return str(self.page.text_content(where))

    def breaks(self, axe: str) -> dict[str, Any]:
        """The rules of axe-core that the page breaks, seriously or worse, each with what breaks it."""
        self.page.evaluate("Promise.allSettled(document.getAnimations().map((fading) => fading.finished))")
        self.page.evaluate(axe)
        found = self.page.evaluate("axe.run().then((found) => found.violations)")
        grave = (rule for rule in found if rule["impact"] in ("serious", "critical"))
        return {f"{rule['id']} ({rule['impact']})": [node["target"] for node in rule["nodes"]] for rule in grave}

    def fits(self) -> None:
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self.page.viewport_size["width"]
        assert self.problems == []


@pytest.fixture
def tab(request: pytest.FixtureRequest, browser: Any, address: str) -> Iterator[Tab]:
    opened = Tab(browser, address, request.param)
    yield opened
    opened.page.close()


@pytest.mark.parametrize("tab", list(VIEWS), indirect=True)
def test_a_link_leads_to_its_point_and_the_curves_move_with_the_slider(tab: Tab) -> None:
    page = tab.open(f"explore.html#{POINT}", ".live-plot")
    assert page.input_value("#live-normaliser") == "std+eps"
    before = tab.says("stationary policies 0", ".live-drawn")
    lines = page.eval_on_selector_all(
        ".live-line.live-gap, .live-line.live-map", "all => all.map(e => e.getAttribute('d'))"
    )
    assert all(len(line) > 1000 for line in lines)
    page.focus('[aria-label="β, slider"]')
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("before => document.querySelector('.live-drawn').textContent !== before", arg=before)
    page.wait_for_function("before => !location.hash.includes('beta=1&')", arg=before)
    tab.fits()


@pytest.mark.parametrize("tab", ["desktop, light"], indirect=True)
def test_a_frame_is_drawn_in_the_sixtieth_of_a_second(tab: Tab) -> None:
    page = tab.open(f"explore.html#{POINT.replace('=8&', '=64&')}", ".live-plot")
    moved = """async () => {
      const slider = document.querySelector('[aria-label="β, slider"]');
      const frame = () => new Promise(requestAnimationFrame);
      const times = [];
      while (times.length < 60) {
        slider.valueAsNumber += Number(slider.step);
        slider.dispatchEvent(new Event("input"));
        await frame();
        times.push(performance.getEntriesByName("live-draw")[0].duration);
      }
      return times;
    }"""
    assert min(page.evaluate(moved)) < 1000 / 120  # when nothing else is on the processor


@pytest.mark.parametrize("tab", ["desktop, light"], indirect=True)
def test_python_certifies_the_point_and_says_what_covers_it(tab: Tab) -> None:
    page = tab.open(f"explore.html#{CYCLE}", ".live-plot")
    tab.press("Certify, and find the claims")
    tab.says(r"large groups.*answered in")
    known = gs.theory(
        group_size="oo", normaliser="sqrt(var+eps)", guard="1/100000", divergence="reverse-kl", beta=5, p_ref="0.001"
    )
    assert known.numbers is not None
    assert known.numbers.limit is not None
    shown = page.text_content(".live-results")
    for policy in known.numbers.policies:
        assert str(policy.success) in shown
    for point in known.numbers.limit.points:
        assert str(point) in shown
    links = page.eval_on_selector_all(".live-claims a", "all => all.map(e => e.href)")
    assert len(links) > 5
    assert all((HTML / "c" / link.rpartition("/")[2]).is_file() for link in links)
    page.fill("#live-penalty", "pi.real")
    tab.says("there is 'pi.real', which formulas do not have")
    page.fill("#live-penalty", "sum((pi - ref)^2/ref)")
    page.select_option("#live-group_size", "2")
    tab.says(r"groups of 2.*sum\(\(pi - ref\)\^2/ref\).*answered in")
    page.fill("#live-advantage", "2*(r - mean)")
    tab.says(r"groups of 2, advantage 2\*\(r - mean\).*answered in")
    assert page.is_hidden("#live-normaliser")
    assert "In closed form" in str(page.text_content(".live-results"))
    assert 'advantage="2*(r - mean)"' in str(page.text_content(".live-python"))
    assert "advantage=2*%28r+-+mean%29" in page.evaluate("location.hash")
    tab.fits()


@pytest.mark.parametrize("tab", ["phone, light"], indirect=True)
def test_a_link_with_an_advantage_of_ones_own_leads_there(tab: Tab, axe: str) -> None:
    page = tab.open(f"explore.html#{POINT}&advantage=sign%28r+-+mean%29", ".live-buttons")
    assert page.input_value("#live-advantage") == "sign(r - mean)"
    tab.says("Python draws this point", ".live-drawn")
    tab.press("Certify, and find the claims")
    tab.says(r"advantage sign\(r - mean\).*answered in")
    tab.says("Drawn, not certified: stationary policies 0", ".live-drawn")
    assert tab.breaks(axe) == {}
    tab.fits()


PAGES = {f"explore.html#{POINT}": ".live-plot", f"c/{CLAIM}.html": ".live-check button"}


@pytest.mark.parametrize("tab", list(VIEWS), indirect=True)
@pytest.mark.parametrize("name", PAGES)
def test_no_rule_of_accessibility_is_broken_seriously(tab: Tab, name: str, axe: str) -> None:
    tab.open(name, PAGES[name])
    assert tab.breaks(axe) == {}


@pytest.mark.parametrize("tab", ["phone, dark"], indirect=True)
def test_a_kept_proof_is_replayed_and_a_changed_sentence_fails(tab: Tab, axe: str) -> None:
    page = tab.open(f"c/{CLAIM}.html", ".live-check button")
    tab.press("Replay the proof")
    told = tab.says(f"{CLAIM} is ")
    assert f"{CLAIM} is proved" in told
    assert len(page.query_selector_all(".live-steps li")) == int(re.findall(r"(\d+) checks", told)[0]) > 5
    assert not page.query_selector_all(".live-bad")
    tab.says("For all 0 < p", ".live-sentence")
    page.wait_for_selector("#live-change", timeout=LOADING)
    tab.press("Try the proof on it")
    tab.says("The changed sentence is refuted", ".live-verdict")
    assert "witness" in str(page.text_content(".live-verdict ~ .live-scroll"))
    assert tab.breaks(axe) == {}
    tab.fits()
