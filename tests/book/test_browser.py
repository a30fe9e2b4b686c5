"""The built book in a real browser: mathematics, console, requests, fold-outs and search, on a desktop and on a phone.

Needs the pages (``make book``), Playwright, and a Chromium of the machine (``apt-get install chromium``).
"""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

import pytest
from checkout import ROOT
from chromium import CHROMIUM

HTML = ROOT / "book" / "_build" / "html"
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
WAIT = 20_000  # milliseconds
DRAWN = "paths => paths.map(p => p.getAttribute('d'))"
NODES, SECONDS = 30_000, 4  # of a page when it is opened
SLOW = 3  # a machine that does other things besides

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: apt-get install chromium"),
    pytest.mark.skipif(not (HTML / "index.html").is_file(), reason="the book is not built: make book"),
    pytest.mark.skipif(not (HTML / "_static" / "mathjax").is_dir(), reason="built without npm, for readers on the web"),
]


# Texts with a contrast below a bound, by the formula of WCAG 2; for a bound of 255 the grey behind every text.
# The theme fades its buttons from one mode to the other, so colours are read when they have stopped changing.
FAINT = """async bound => {
  const ends = fading => Number.isFinite(fading.effect.getComputedTiming().endTime);
  await Promise.allSettled(document.getAnimations().filter(ends).map(fading => fading.finished));
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const linear = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = c => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const colour = channels(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] > 0.5) return colour;
    }
    return [255, 255, 255];
  };
  const found = {};
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement, words = texts.currentNode.data.trim();
    const shown = e.checkVisibility({opacityProperty: true, visibilityProperty: true});
    if (!words || !shown || e.closest("mjx-container, svg")) continue;
    const [ink, paper] = [channels(getComputedStyle(e).color), behind(e)];
    const [a, b] = [light(ink) + 0.05, light(paper) + 0.05];
    const contrast = Math.max(a, b) / Math.min(a, b);
    if (contrast < bound) found[words.slice(0, 40)] = bound === 255 ? paper[0] : contrast;
  }
  return found;
}"""


class Tab:
    """A tab that writes down everything that goes wrong in it."""

    def __init__(self, browser: Any, size: tuple[int, int]) -> None:
        self.page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        self.problems: list[str] = []
        self.page.on("console", lambda m: self.note(f"console: {m.text}") if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.note(f"error: {e}"))
        self.page.on("requestfailed", self._failed)
        self.page.on("request", self._request)

    def _failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # the tab went on to another page while a font was on its way
            self.note(f"failed: {request.url}: {request.failure}")

    def _request(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.note(f"outside: {request.url}")

    def note(self, problem: str) -> None:
        self.problems.append(problem)

    def open(self, name: str, query: str = "") -> Any:
        self.page.goto((HTML / f"{name}.html").as_uri() + query, timeout=6 * WAIT)  # a thousand formulas take time
        return self.page

    def rendered(self) -> None:
        """Wait until MathJax has finished."""
        self.page.wait_for_function("window.MathJax && MathJax.startup && MathJax.startup.promise", timeout=WAIT)
        self.page.evaluate("() => MathJax.startup.promise.then(() => true)")

    def typeset(self) -> None:
        """All formulas, also those that nobody has scrolled to."""
        self.rendered()
        self.page.evaluate("() => MathJax.startup.document.lazyTypesetAll()")
        self.page.wait_for_function("document.querySelector('mjx-lazy') === null", timeout=WAIT)


@pytest.fixture(params=list(SIZES))
def tab(request: pytest.FixtureRequest, browser: Any) -> Iterator[Tab]:
    opened = Tab(browser, SIZES[request.param])
    yield opened
    opened.page.close()


def book_pages() -> list[Path]:
    """All pages but those that claims have to themselves, whose boxes stand in the others."""
    return [file for file in sorted(HTML.rglob("*.html")) if file.parent != HTML / "c"]


PAGES = (
    "index",
    "notation",
    "checking",
    "vojnovic_yun/eq14_binary_pairs",
    "vojnovic_yun/stationary_maximum",
    "mroueh/thm3_amplification",
    "mroueh/dynamics",
    "patel/kl_in_reward",
    "bridges/mroueh_vojnovic_yun",
    "errata_mroueh",
)


@pytest.mark.parametrize("name", PAGES)
def test_mathematics_is_rendered_and_nothing_goes_wrong(tab: Tab, name: str) -> None:
    page = tab.open(name)
    tab.rendered()
    formulas = page.locator("span.math, div.math").count()
    assert formulas > 0
    assert page.locator("mjx-container").count() >= formulas
    assert page.locator("mjx-merror, [data-mjx-error]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (
        "the page is wider than the window"
    )
    assert tab.problems == []


FORMULA = re.compile(
    r'<(?:span|div) class="math notranslate nohighlight"[^>]*>\s*\\[(\[](.*?)\\[)\]]\s*</(?:span|div)>', re.DOTALL
)


def test_mathjax_reads_every_formula_of_the_book(browser: Any) -> None:
    """All pages at once, and without laying them out: opening each of them would take minutes."""
    places: dict[str, str] = {}
    for file in book_pages():
        for formula in FORMULA.findall(file.read_text(encoding="utf-8")):
            places.setdefault(html.unescape(formula), file.relative_to(HTML).as_posix())
    assert len(places) > 1000
    tab = Tab(browser, SIZES["desktop"])
    page = tab.open("index")
    tab.rendered()
    refused = "latex => MathJax.tex2mml(latex, {display: true}).includes('<merror')"
    assert page.evaluate(refused, r"\frac{1}^\\") is True
    bad = page.evaluate(f"all => all.filter({refused})", list(places))
    page.close()
    assert [(places[latex], latex[:200]) for latex in bad] == []


def test_the_heaviest_pages_are_light(browser: Any) -> None:
    """Thousands of formulas, of which only those in view are typeset."""
    weight = {file: file.read_text(encoding="utf-8").count('class="math notranslate') for file in book_pages()}
    heaviest = sorted(weight, key=lambda file: -weight[file])[:3]
    assert weight[heaviest[0]] > 1000
    for file in heaviest:
        tab = Tab(browser, SIZES["desktop"])
        begun = time.monotonic()
        page = tab.open(file.relative_to(HTML).with_suffix("").as_posix())
        tab.rendered()
        seconds = time.monotonic() - begun
        assert page.evaluate("document.getElementsByTagName('*').length") <= NODES, file
        assert seconds < SECONDS * SLOW, file
        page.close()


# Of each formula that is displayed: its letters' size, its height, and whether it is wider than its place.
SET = """all => all.filter(m => m.checkVisibility()).map(m => ({
  size: getComputedStyle(m).fontSize,
  height: m.offsetHeight,
  wider: m.scrollWidth > m.clientWidth + 1 || m.parentElement.scrollWidth > m.parentElement.clientWidth + 1,
  scrolls: [m, m.parentElement].some(e => getComputedStyle(e).overflowX === "auto"),
}))"""
DISPLAYED = 'mjx-container[display="true"]'
OPEN = "document.querySelectorAll('article details').forEach(fold => { fold.open = true })"


@pytest.mark.parametrize("name", ["vojnovic_yun/eq14_binary_pairs", "errata_mroueh"])
def test_wide_formulas_are_broken_or_scroll_and_keep_their_size(tab: Tab, name: str) -> None:
    page = tab.open(name)
    page.evaluate(OPEN)
    tab.typeset()
    found = page.locator(f"article {DISPLAYED}").evaluate_all(SET)
    assert len(found) > 30
    assert len({formula["size"] for formula in found}) == 1
    assert all(formula["scrolls"] for formula in found)
    steps = page.locator("article ol.claim-steps").first.locator(DISPLAYED)
    if name.startswith("vojnovic_yun"):
        assert not any(formula["wider"] for formula in steps.evaluate_all(SET))
    assert sum(formula["wider"] for formula in found) <= len(found) // 8
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("name", ["vojnovic_yun/eq14_binary_pairs", "c/vy-eq14"])
def test_formulas_are_broken_anew_for_another_window(browser: Any, name: str) -> None:
    tab = Tab(browser, SIZES["desktop"])
    page = tab.open(name)
    tab.typeset()
    formulas = page.locator(f"#claim-vy-eq14 {DISPLAYED}")
    wide = formulas.evaluate_all(SET)
    page.set_viewport_size({"width": SIZES["phone"][0], "height": SIZES["phone"][1]})
    page.wait_for_function(
        f"""before => {{
          const now = [...document.querySelectorAll('#claim-vy-eq14 {DISPLAYED}')].filter(m => m.checkVisibility());
          return now.some((m, k) => m.offsetHeight > before[k].height + 10);
        }}""",
        arg=wide,
        timeout=WAIT,
    )
    narrow = formulas.evaluate_all(SET)
    assert len(narrow) == len(wide) > 0
    assert not any(formula["wider"] for formula in [*wide, *narrow])
    assert tab.problems == []
    page.close()


def test_fold_outs_respond(tab: Tab) -> None:
    page = tab.open("vojnovic_yun/eq14_binary_pairs")
    tab.rendered()
    box = page.locator("#claim-vy-eq14")
    steps = box.locator("ol.claim-steps")
    assert steps.count() == 1
    assert not steps.is_visible()
    box.locator("summary", has_text="Derivation").click()
    assert steps.is_visible()
    evidence = box.locator("details", has=page.locator("summary", has_text="Evidence")).last
    evidence.locator("summary").first.click()
    assert evidence.get_by_text("grpo-symbolic verify --id vy-eq14").is_visible()
    box.locator("summary", has_text="Derivation").click()
    assert not steps.is_visible()
    assert tab.problems == []


@pytest.mark.parametrize("name", ["figures/vojnovic_yun", "figures/mroueh", "figures/beyond"])
def test_figures_follow_their_controls(tab: Tab, name: str) -> None:
    page = tab.open(name)
    page.wait_for_selector(".figure-plot path[d]", state="attached", timeout=WAIT)
    moving = page.locator("figure.figure-of[data-alt]")
    assert moving.count() > 0
    for figure in moving.all():
        assert not figure.locator(".figure-pictures").is_visible(), "the plot takes the place of the pictures"
        plots = figure.locator(".figure-plot")
        assert plots.count() > 0
        for slider in figure.locator("input[type=range]").all():
            before = plots.locator("path").evaluate_all(DRAWN)
            label = figure.locator("output").all_text_contents()
            slider.focus()
            page.keyboard.press("ArrowLeft" if slider.input_value() == slider.get_attribute("max") else "ArrowRight")
            assert figure.locator("output").all_text_contents() != label
            assert plots.locator("path").evaluate_all(DRAWN) != before
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert tab.problems == []


def test_the_point_of_a_curve_under_the_pointer_is_named(browser: Any) -> None:
    tab = Tab(browser, SIZES["desktop"])
    page = tab.open("figures/mroueh")
    page.wait_for_selector(".figure-plot path[d]", state="attached", timeout=WAIT)
    plot = page.locator(".figure-plot svg").nth(1)  # the run over time: every point of it is in the axes
    assert plot.locator(".figure-near text").count() == 0
    plot.evaluate("e => e.scrollIntoView({block: 'center'})")
    first = """p => {
        const [x, y] = p.getAttribute('d').slice(1).split('L')[1].split(' ').map(Number), m = p.getScreenCTM();
        return [x * m.a + m.e, y * m.d + m.f];
    }"""
    page.mouse.move(*plot.locator("path[stroke-width]").first.evaluate(first))
    assert re.search(r"1, 0\.\d+$", plot.locator(".figure-near text").text_content() or "")
    page.mouse.move(0, 0)
    assert plot.locator(".figure-near text").count() == 0
    assert tab.problems == []
    page.close()


def test_without_scripts_the_pictures_stay(browser: Any) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto((HTML / "figures/beyond.html").as_uri())
    for pictures in page.locator(".figure-pictures").all():
        assert pictures.is_visible()
        assert pictures.locator("img[alt]").count() > 0
    page.close()


def test_open_fold_outs_make_no_page_wider(tab: Tab) -> None:
    page = tab.open("mroueh/dynamics")
    tab.typeset()
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    assert page.locator("article details[open] div.math").count() > 0
    names = page.locator(".claim code")
    assert names.count() > 0
    right = "e.getBoundingClientRect().right > e.closest('.claim').getBoundingClientRect().right"
    assert names.evaluate_all(f"all => all.filter(e => {right}).map(e => e.textContent)") == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert tab.problems == []


def test_links_lead_to_boxes(tab: Tab) -> None:
    page = tab.open("vojnovic_yun/eq14_binary_pairs")
    page.locator("#claim-vy-eq14 a", has_text="vy-s13-stationary-definition").first.click()
    page.wait_for_url("**/stationary_maximum.html#claim-vy-s13-stationary-definition")
    assert page.locator("#claim-vy-s13-stationary-definition").is_visible()


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("amplification", "Amplification"),
        ("equation (14)", "vy-eq14 "),
        ("full support", "stationary policy with full support"),
        ("num_generations", "TRL"),
    ],
)
def test_search_finds(browser: Any, asked: str, found: str) -> None:
    """Pages by their words, claims by title and equation, trainers by their options."""
    tab = Tab(browser, SIZES["desktop"])
    page = tab.open("search", f"?q={quote(asked)}")
    page.wait_for_selector("#search-results li", timeout=WAIT)
    page.wait_for_function("!/Searching|Preparing/.test(document.querySelector('#search-results h2').textContent)")
    assert any(found in text for text in page.locator("#search-results li a").all_text_contents())
    assert tab.problems == []
    page.close()


def test_a_claim_has_a_page_of_its_own(tab: Tab) -> None:
    page = tab.open("vojnovic_yun/eq14_binary_pairs")
    page.locator("#claim-vy-eq14 .claim-page a").click()
    page.wait_for_url("**/c/vy-eq14.html")
    tab.typeset()
    assert page.locator("mjx-merror, [data-mjx-error]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.locator(".claim a", has_text="vy-eq17").first.click()
    page.wait_for_url("**/c/vy-eq17.html")
    page.locator("nav a").last.click()
    page.wait_for_url("**#claim-vy-eq17")
    assert tab.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["vojnovic_yun/eq14_binary_pairs", "c/vy-eq14"])
def test_words_stand_out_in_light_and_dark(browser: Any, name: str, scheme: Any) -> None:
    """A contrast of 4.5 between every visible text and what is behind it, in the mode that the reader asks for."""
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto((HTML / f"{name}.html").as_uri())
    behind = page.evaluate(FAINT, 255).values()
    assert (median(behind) < 90) == (scheme == "dark")  # the page follows the system
    assert page.evaluate(FAINT, 4.5) == {}
    context.close()


@pytest.mark.parametrize("name", ["vojnovic_yun/eq14_binary_pairs", "c/vy-eq14"])
def test_a_link_shows_the_claim_that_it_leads_to(tab: Tab, name: str) -> None:
    page = tab.open(name)
    tab.typeset()  # nothing moves any more
    link = page.locator("a.claim-link", has_text="vy-s13-stationary-definition").first
    card = page.locator(".claim-preview[role=tooltip]")
    link.hover()
    card.wait_for(timeout=WAIT)
    said = card.locator("p").all_text_contents()
    assert said[-2:] == ["Local maxima and minima among the stationary policies (14)", "proved; print is imprecise"]
    assert len(said) == 3
    assert page.evaluate(FAINT, 4.5) == {}
    card.hover()
    page.wait_for_timeout(400)  # longer than a card stays that nobody points at
    assert card.is_visible()
    box, window = card.bounding_box(), page.viewport_size
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= window["width"]
    page.keyboard.press("Escape")
    assert card.count() == 0
    page.keyboard.press("Tab")  # what has the focus is shown to the keyboard
    link.focus()
    assert card.is_visible()
    assert link.get_attribute("aria-describedby") == card.get_attribute("id")
    link.evaluate("link => link.blur()")
    assert card.count() == 0
    assert tab.problems == []


def test_the_table_of_the_space_is_filtered(tab: Tab) -> None:
    page = tab.open("beyond/theory_space")
    shown = page.locator("table.claim-space tbody tr:visible")
    said, field = page.locator(".claim-filter output"), page.get_by_label("Points with the words")
    every = shown.count()
    assert said.inner_text() == f"{every // 3} of {every // 3} points"  # three tables, of the same points
    field.focus()
    page.keyboard.type("k1-reward  SAMPLE-STD")
    left = shown.all_inner_texts()
    assert 0 < len(left) < every
    assert said.inner_text().startswith(f"{len(left) // 3} of ")
    assert all("k1-reward" in words for words in left)
    field.fill("no point has these words")
    assert shown.count() == 0
    field.fill("")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # only those with something open
    opened = page.locator("table.claim-space .claim-open:visible").count()
    assert 0 < shown.count() < every
    assert opened == page.locator("table.claim-space .claim-open").count()
    assert not tab.problems


def test_graph_leads_to_claims(tab: Tab) -> None:
    page = tab.open("status")
    address = page.locator("svg.claim-graph a").first.get_attribute("href")
    assert address is not None
    page.goto((HTML / address.partition("#")[0]).as_uri() + "#" + address.partition("#")[2])
    assert page.locator(f"#{address.partition('#')[2]}").count() == 1
    assert tab.problems == []


def test_no_page_names_a_script_of_another_host() -> None:
    for page in HTML.rglob("*.html"):
        loaded = re.findall(
            r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"(?:https?:)?//[^\"]*\"", page.read_text("utf-8")
        )
        assert loaded == [], f"{page.relative_to(HTML)} loads {loaded[0]}"
