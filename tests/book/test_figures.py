"""The figures of the book: numbers against independent computations, claims, drawings, pages."""

from __future__ import annotations

import base64
import itertools
import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
from checkout import ROOT
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import docutils_namespace

from grpo_symbolic import catalogue, notation
from grpo_symbolic.book.figures import certified, dynamics, figure, figures, moving, mroueh, regions, static
from grpo_symbolic.book.figures import vojnovic_yun as pairs_figures
from grpo_symbolic.errors import BadInput
from grpo_symbolic.ledger import Ledger
from grpo_symbolic.notation import beta, guard, success, success_ref, x
from grpo_symbolic.numeric import stationary_policy
from grpo_symbolic.optimality import SuccessRecursion, beta_curve, large_groups, pairs
from grpo_symbolic.session import Session
from grpo_symbolic.verification.store import Store

LARGE = {"group_size": sp.oo, "penalty": "reverse-kl"}  # the recursion of Mroueh (2025)

SMALL = ("stationary-policy", "phases", "maximum-regions", "amplification-map")  # whose frames are made quickly


def named(panel: Any, start: str) -> Any:
    """The line or area of a panel whose legend begins with these words."""
    return next(item for item in panel.items if item.name.startswith(start))


def number(text: str) -> float:
    return float(re.search(r"= ([\d.]+)", text)[1])  # type: ignore[index]


def some(*columns: Any, every: int = 17) -> Any:
    """Some points of a curve that lie inside the picture."""
    chosen = [tuple(map(float, row)) for row in zip(*columns, strict=True)]
    return [row for row in chosen if not any(map(math.isnan, row))][::every]


def logit(p: Any) -> Any:
    return mp.log(p) - mp.log1p(-p)


def gap(t: Any, smoothing: Any) -> Any:
    """ω⁺ + ω⁻ for large groups at log-odds t."""
    return 1 / mp.sqrt(mp.e**t / (1 + mp.e**t) ** 2 + smoothing)


def after(t: Any, reference: Any, strength: Any, smoothing: Any) -> Any:
    """Equation (8) in log-odds, by hand and in multi-precision arithmetic."""
    return logit(mp.mpf(reference)) + gap(t, mp.mpf(smoothing)) / mp.mpf(strength)


# -- the numbers ------------------------------------------------------------------------------------------------------


def test_policies_of_two_answers_solve_their_equations() -> None:
    residuals = {
        "vy-figure-1": lambda p, v, b: v**2 - (1 - b) * v - b * p,
        "vy-figure-2": lambda p, v, b: (1 + b**2) * v**2 - (2 * b**2 * p + 1) * v + b**2 * p**2,
        "vy-figure-3": lambda p, v, b: v * (1 - p) - (1 - v) * p * math.exp(1 / b),
    }
    for name, residual in residuals.items():
        (panel,) = figure(name).panels()
        drawn = [line for line in panel.lines if "=" in line.name]
        assert len(drawn) == len(pairs_figures.STRENGTHS)
        for line in drawn:
            for p, v in some(line.x[1:], line.y[1:]):
                assert abs(residual(p, v, number(line.name))) < 1e-9
                assert p - 1e-12 <= v <= 1


@pytest.mark.parametrize("size_index", range(len(pairs_figures.SIZES)))
def test_policies_for_every_group_size_are_what_the_solver_finds(size_index: int) -> None:
    size = pairs_figures.SIZES[size_index]
    for beta_index in (3, 12, 20):
        (panel,) = pairs_figures._policy(beta_index, size_index)
        for line in (named(panel, "a local max"), named(panel, "a local min")):
            for p, v in some(line.x, line.y, every=29):
                if 1e-4 < p < 1 - 1e-4:
                    found = stationary_policy([p, 1 - p], [1.0, 0.0], pairs_figures.BETAS[beta_index], float(size))
                    assert abs(found.policy[0] - v) < 1e-8


def test_maps_and_orbits_follow_the_recursion() -> None:
    for panel in figure("mr-figure-2").panels():
        for line in (line for line in panel.lines if line.name.startswith("β")):
            for p, h in some(line.x[1:-1], line.y[1:-1]):
                assert abs(1 / (1 + mp.e ** -after(logit(p), number(panel.title), number(line.name), 1e-5)) - h) < 1e-9
    for panel in figure("mr-figure-5").panels():
        for line in (line for line in panel.lines if line.name):
            t, reference = logit(mp.mpf(str(number(panel.title)))), str(number(panel.title))
            for reached in line.y:
                assert abs(1 / (1 + mp.e**-t) - reached) < 1e-9
                t = after(t, reference, str(number(line.name)), "1e-5")
    setting = ("0.02", "1.3", "1e-3")
    t = logit(mp.mpf("0.02"))
    for reached in dynamics.log_odds_orbit(*setting):
        assert abs(t - reached) < 1e-8
        t = after(t, *setting)


def test_fixed_points_stay_and_cycles_alternate() -> None:
    for panel in figure("mr-figure-2").panels():
        reference = number(panel.title)
        for start, tendency in (("fixed point that attracts", -1), ("fixed point that repels", 1)):
            for p, again in some(named(panel, start).x, named(panel, start).y, every=1):
                assert p == again
                at = logit(p)
                if p < 1 - 1e-9:  # nearer to 1 a float is no longer the fixed point
                    curves = [number(line.name) for line in panel.lines if line.name.startswith("β")]
                    near = min(curves, key=lambda b, r=reference, t=at: abs(after(t, r, b, 1e-5) - t))
                    slope = mp.diff(lambda t, b=near, r=reference: after(t, r, b, 1e-5), at)
                    assert abs(after(at, reference, near, 1e-5) - at) < 1e-5
                    assert (abs(slope) - 1) * tendency > 0
    panel = figure("bifurcation").panels()[0]
    rings = named(panel, "two-cycle")
    assert len(rings.x) >= 6
    for strength, t in zip(rings.x, rings.y, strict=True):
        once = after(t, "0.001", strength, "1e-5")
        assert abs(once - t) > 0.1
        assert abs(after(once, "0.001", strength, "1e-5") - t) < 1e-4  # β of the picture has four digits


def test_branches_are_fixed_points_with_the_slopes_that_they_say() -> None:
    tests = {
        "fixed point that attracts": lambda s: abs(s) < 1.2,  # one point of a part may lie beyond its end
        "repels: slope of h above 1": lambda s: s > 0.8,
        "repels: slope of h below": lambda s: s < -0.8,
    }
    for panel, reference in zip(figure("bifurcation").panels(), ("0.001", "0.1", "0.5"), strict=True):
        seen = 0
        for name, good in tests.items():
            line = named(panel, name)
            for strength, t in some(line.x, line.y, every=11):
                assert abs(after(t, reference, strength, "1e-5") - t) < 1e-7 * (1 + abs(t))
                assert good(mp.diff(lambda u, b=strength, r=reference: after(u, r, b, "1e-5"), t))
                seen += 1
        assert seen > 10
        folds = named(panel, "fold")
        assert len(folds.x) == 2
        for strength, t in zip(folds.x, folds.y, strict=True):
            slope = mp.diff(lambda u, b=strength, r=reference: after(u, r, b, "1e-5"), t)
            assert abs(slope - 1) < 1e-6


def test_phases_end_where_the_slope_is_critical() -> None:
    (panel,) = figure("phases").panels()
    for name, slope, at in (("three", 1, np.linspace(0.7, 20, 9)), ("the fixed point", -1, -np.linspace(0.7, 20, 9))):
        reference, strength = dynamics._critical(at, "1e-5", slope)
        assert named(panel, name)
        for t, start, b in zip(at, reference, strength, strict=True):
            found = start + gap(t, 1e-5) / b
            assert abs(found - t) < 1e-8 * (1 + abs(t))
            assert abs(mp.diff(lambda u: gap(u, 1e-5), t) / b - slope) < 1e-6


def test_wedge_holds_the_recursions_with_three_fixed_points() -> None:
    (panel,) = figure("phases").panels()
    area = named(panel, "three")
    for reference in ("0.001", "0.1", "0.5", "0.99"):
        start = float(logit(mp.mpf(reference)))
        crossings = np.flatnonzero(np.diff(np.sign(area.x - start)))
        assert len(crossings) == 2
        low, high = sorted(float(area.y[k : k + 2].mean()) for k in crossings)
        for strength, count in ((low * 0.9, 1), (low * 1.1, 3), (high * 0.9, 3), (high * 1.1, 1)):
            assert len(SuccessRecursion(reference, strength, "1e-5", **LARGE).fixed_points(digits=10)) == count


def test_condition_2_changes_at_the_edges_of_the_region() -> None:
    reference, lower, upper = mroueh.condition_fails_between(np.array([0.5, 3.5, 8.0, 12.0, 30.0]))
    assert reference.tolist() == [3.5, 8.0, 12.0]

    def holds(t: float, b: float) -> bool:
        p = 1 / (1 + mp.e ** -mp.mpf(t))
        v = p * (1 - p)
        left = b * mp.cosh(1 / (2 * b * mp.sqrt(0.25 + 1e-5))) ** 2
        return bool(left >= v * (2 * p - 1) / (2 * (v + 1e-5) ** 1.5))

    for t, low, high in zip(reference, lower, upper, strict=True):
        pattern = [holds(t, b) for b in (low * (1 - 1e-6), low * (1 + 1e-6), high * (1 - 1e-6), high * (1 + 1e-6))]
        assert pattern == [True, False, False, True]


def test_bound_is_beta_times_the_slope() -> None:
    for panel in figure("mr-figure-4").panels():
        (line,) = panel.lines
        for at, value in some(line.x[1:-1], line.y[1:-1]):
            t = at if panel.x.scale == "odds" else logit(at)
            assert abs(abs(mp.diff(lambda u: gap(u, 1e-5), t)) - value) < 1e-6 * (1 + value)


@pytest.mark.parametrize("size", [2, 8, sp.oo])
def test_minimum_inside_the_wedge_and_maximum_outside(size: Any) -> None:
    (panel,) = regions._maximum(regions.SIZES.index(size))
    area = named(panel, "one correct")
    half = len(area.x) // 2
    for k in (5, 60, 110):
        p, low, high = area.x[k], area.y[k], area.y[::-1][k]
        assert area.x[::-1][k] == p
        assert half > 110
        for b, minimum in ((low * 0.999, False), (low * 1.001, True), (high * 0.999, True), (high * 1.001, False)):
            v = stationary_policy([p, 1 - p], [1.0, 0.0], b, float(size)).policy[0]
            # the frozen penalty Σ π_old (π_ref/π − log(π_ref/π) − 1), differentiated twice along success, at π = π_old
            penalty = (2 * p - v) / v**2 + (2 * (1 - p) - (1 - v)) / (1 - v) ** 2
            assert (penalty < 0) == minimum  # the reward is linear, so a penalty that bends down makes a minimum


@pytest.mark.parametrize("size", [2, 8, sp.oo])
def test_success_is_multiplied_by_the_factor_on_the_edge(size: Any) -> None:
    (panel,) = regions._amplification(regions.SIZES.index(size))
    edges = [line for line in panel.lines if not line.name]
    for factor, edge in zip(regions.FACTORS, edges, strict=True):
        for p, b in some(edge.x, edge.y, every=31):
            found = stationary_policy([p, 1 - p], [1.0, 0.0], b, float(size)).policy[0] / p
            assert abs(found / factor - 1) < 1e-7


def test_a_point_that_cannot_be_certified_is_not_drawn() -> None:
    with pytest.raises(BadInput, match="narrowly enough"):
        certified.values(1 / x, [x], [0])
    with pytest.raises(BadInput, match="not one point"):
        certified.middle_of((sp.Rational(1, 3), sp.Rational(1, 2)))
    with pytest.raises(BadInput, match="infinity"):
        certified.middle_of(None)


# -- the claims -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(figures()))
def test_every_figure_names_claims_that_are_there_and_says_what_is_seen(name: str) -> None:
    about = figure(name)
    assert about.claims
    for claim_id in about.claims:
        assert catalogue.find(claim_id).id == claim_id
    assert len(about.alt) > 60
    for control in about.controls:
        assert 0 <= control.start < len(control.values)


def test_what_is_drawn_is_what_the_claims_are_about() -> None:
    """The claim's own expression and the one that is drawn agree at points, to fifty digits."""
    at = {
        symbol: sp.Rational(k, 7)
        for k, symbol in enumerate((success_ref, notation.p, success, notation.b, beta, guard), start=1)
    }
    drawn = {
        "mr-thm2-h": mroueh.success_map(),
        "mr-lem1-bound": mroueh.bound(),
        "vy-fig1": pairs(),
        "vy-fig2": large_groups(),
    }
    for claim_id, expression in drawn.items():
        value = sp.N(expression.subs(at), 50)
        parts = [
            e for e in sp.preorder_traversal(catalogue.find(claim_id).statement.expression) if isinstance(e, sp.Expr)
        ]
        same = [e for e in parts if e.free_symbols and e.free_symbols <= set(at) and not e.has(sp.Derivative, sp.Sum)]
        values = [sp.N(e.subs(at), 50) for e in same]
        assert any(abs(v - value) < sp.Float("1e-40") for v in values if v.is_Float), claim_id
    above = {t: v for t, v in at.items() if t != beta}
    on_curve = mroueh.success_map().subs(
        beta, beta_curve(dynamics.SMOOTHED, sp.oo, "reverse-kl")
    )  # mr-dyn-beta-curve: p is fixed there
    assert abs(sp.N(on_curve.subs(above) - above[success], 50)) < sp.Float("1e-40")


def test_unknown_figures_are_named_in_one_sentence() -> None:
    with pytest.raises(BadInput, match="there is no figure 'vy-figure-9'"):
        figure("vy-figure-9")


# -- the drawings -----------------------------------------------------------------------------------------------------


def test_pictures_are_the_same_each_time_and_ask_for_nothing() -> None:
    for name in ("vy-figure-1", "mr-figure-4", "phases", "amplification-map"):
        for panel in figure(name).panels():
            picture = static.svg(panel)
            assert picture == static.svg(panel)
            assert not re.search(r"(?:href|src)=\"(?!#|data:)", picture)
            assert "dc:date" not in picture


def decoded(text: str) -> Any:
    return np.frombuffer(base64.b64decode(text), "<f4")


@pytest.mark.parametrize("name", SMALL)
def test_the_document_holds_every_setting_and_no_address(name: str) -> None:
    about = figure(name)
    text = moving.document(about)
    assert "http" not in text
    assert "</" not in text
    document = json.loads(text)
    sizes = [len(c.values) for c in about.controls]
    assert len(document["frames"]) == math.prod(sizes)
    assert about.live is not None
    for number, indices in enumerate(itertools.product(*map(range, sizes))):
        if number % 7:
            continue
        for panel, frame, base in zip(
            about.live(*indices), document["frames"][number], document["panels"], strict=True
        ):
            assert frame["note"] == panel.note
            assert len(frame["at"]) == len(base["items"]) == len(panel.items)
            for item, (across, up) in zip(panel.items, frame["at"], strict=True):
                np.testing.assert_allclose(decoded(document["arrays"][across]), item.x, rtol=1e-6)
                np.testing.assert_allclose(decoded(document["arrays"][up]), item.y, rtol=1e-6)


def test_settings_of_the_larger_figures_are_drawn_alike() -> None:
    for name in ("recursion", "bifurcation"):
        about = figure(name)
        assert about.live is not None
        shapes = set()
        for indices in (tuple(c.start for c in about.controls), tuple(len(c.values) - 1 for c in about.controls)):
            panels = about.live(*indices)
            shapes.add(tuple(tuple(item.name for item in panel.items) for panel in panels))
        assert len(shapes) == 1, "the browser changes coordinates only, so every setting has the same lines"


# -- the pages --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """A ledger in which each claim that a figure names stands with the evidence of the tests' own paper."""
    store = Store(tmp_path_factory.mktemp("store"))
    verified = Session([ROOT / "tests" / "my_paper"], store).verify(jobs=1).ledger
    named = dict.fromkeys(i for f in figures().values() for i in f.claims)
    stand_ins = [replace(verified.claims[0], id=claim_id, depends_on=()) for claim_id in named]
    return replace(verified, claims=(*verified.claims, *stand_ins))


def built(folder: Path, ledger: Ledger, **pages: str) -> Path:
    source = folder / "book"
    source.mkdir()
    (source / "ledger.json").write_text(json.dumps(ledger.to_json()), encoding="utf-8")
    (source / "conf.py").write_text("extensions = ['myst_parser', 'grpo_symbolic.book.sphinx_figures']\n", "utf-8")
    for name, text in pages.items():
        (source / f"{name}.md").write_text(text, encoding="utf-8")
    (source / "index.md").write_text("# Book\n\n```{toctree}\n" + "\n".join(pages) + "\n```\n", encoding="utf-8")
    with docutils_namespace():
        app = Sphinx(source, source, folder / "html", folder / "trees", "html", status=None, warningiserror=True)
        app.build()
    assert app.statuscode == 0
    return folder / "html"


def test_pages_have_pictures_claims_and_scripts_where_they_are_needed(tmp_path: Path, ledger: Ledger) -> None:
    html = built(
        tmp_path,
        ledger,
        still="# Still\n\n```{figure-of} vy-figure-1\nWhat *this* shows.\n```\n",
        moving="# Moving\n\n```{figure-of} maximum-regions\nMove it.\n```\n",
    )
    still, moving = ((html / f"{name}.html").read_text(encoding="utf-8") for name in ("still", "moving"))
    for name, page in (("vy-figure-1", still), ("maximum-regions", moving)):
        pictures = re.findall(r"<img alt=\"([^\"]+)\" src=\"([^\"]+)\"", page)
        assert len(pictures) == len(figure(name).panels())
        for alt, source in pictures:
            assert figure(name).alt[:40] in alt
            assert (html / source).is_file()
        for claim_id in figure(name).claims:
            assert claim_id in page
        assert page.count('class="claim-badge claim-') >= 2 * len(figure(name).claims)
        assert not re.search(r"<(?:script|link|img)\b[^>]*(?:src|href)=\"(?:https?:)?//", page)
    assert "What <em>this</em> shows." in still
    assert "figures.js" not in still
    assert re.search(r'<script defer="defer" src="_static/figures\.js', moving)
    assert 'class="figure-data"' in moving


def test_a_figure_that_is_not_there_stops_the_build(tmp_path: Path, ledger: Ledger) -> None:
    with pytest.raises(ExtensionError, match="one: there is no figure 'nothing'"):
        built(tmp_path, ledger, one="# One\n\n```{figure-of} nothing\nCaption.\n```\n")


def test_a_claim_without_evidence_stops_the_build(tmp_path: Path, ledger: Ledger) -> None:
    without = ledger.where(lambda c: c.id != "vy-fig1")
    with pytest.raises(ExtensionError, match="one: there is no claim 'vy-fig1'"):
        built(tmp_path, without, one="# One\n\n```{figure-of} vy-figure-1\nCaption.\n```\n")


def test_every_figure_has_its_place_in_the_book() -> None:
    pages = [p.read_text(encoding="utf-8") for p in (ROOT / "book" / "figures").glob("*.md")]
    placed = [name for page in pages for name in re.findall(r"\{figure-of\} (\S+)", page)]
    assert sorted(placed) == sorted(figures())
