"""What the pages of the live book ask Python for. Plain data goes in and comes out, and nothing here decides anything:
a point is that of :func:`grpo_symbolic.theory.theory`, a replay that of ``grpo-symbolic verify --frozen``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import sympy as sp

from grpo_symbolic import catalogue
from grpo_symbolic.book.live import drawing
from grpo_symbolic.errors import BadInput
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.notation import NOTATION
from grpo_symbolic.objectives import Advantage
from grpo_symbolic.objectives.own import FormulaAdvantage
from grpo_symbolic.optimality.enclosure import Enclosure
from grpo_symbolic.proof.checkers import discharge
from grpo_symbolic.proof.proving import replay, unproved
from grpo_symbolic.proof.statements.evidence import Evidence, Outcome
from grpo_symbolic.proof.statements.sentence import sentence_text
from grpo_symbolic.theory import coverage, derive
from grpo_symbolic.theory.coverage import QUESTIONS
from grpo_symbolic.theory.interface import Theory, theory
from grpo_symbolic.verification.mutation import mutants
from grpo_symbolic.verification.parts import parts
from grpo_symbolic.verification.proofs import Library, key_of
from grpo_symbolic.verification.runner import Mode, Verification
from grpo_symbolic.verification.words import sentence

Tell = Callable[[dict[str, Any]], None]
_PREFERENCES = sp.symbols(r"P_G(\mathrm{right}) P_G(\mathrm{wrong})", real=True)
LONGEST = 700  # characters of a formula that is shown whole
_PARTS = ("group_size", "normaliser", "guard", "deviation", "divergence", "place", "weighted", "beta", "p_ref")
_OWN = {  # a formula of one's own: what it takes the place of
    "advantage": ("normaliser", "guard", "deviation"),
    "penalty": ("divergence", "place", "weighted"),
}
NAMES = (*_PARTS, *_OWN, "trainer", "options")  # of the state of the page, and of links to it


# -- questions --------------------------------------------------------------------------------------------------------

_verdicts: dict[str, list[str]] = {}  # title, verdict and grade of each claim of the book, by id


def know(ledger: str) -> None:
    """Take the verdicts of the book's ledger, as JSON: ``{id: [title, verdict, grade]}``."""
    _verdicts.update(json.loads(ledger))


def answer(call: str, given: str, tell: Callable[[str], None]) -> str:
    """Answer the worker in JSON: ``{"found": …}``, or ``{"refused": …}`` with one sentence; ``tell`` hears JSON too."""

    def in_json(message: dict[str, Any]) -> None:
        tell(json.dumps(message, ensure_ascii=False))

    asked: dict[str, Callable[..., Any]] = {
        "explore": partial(explore, verdicts=_verdicts),
        "check": partial(check, tell=in_json),
        "changes": changes,
        "check_changed": partial(check_changed, tell=in_json),
    }
    try:
        result = asked[call](**json.loads(given))
    except BadInput as refusal:
        return json.dumps({"refused": str(refusal)}, ensure_ascii=False)
    return json.dumps({"found": result}, ensure_ascii=False)


# -- a point ----------------------------------------------------------------------------------------------------------


def explore(state: Mapping[str, str], verdicts: Mapping[str, list[str]]) -> dict[str, Any]:
    """The theory of a point.

    ``state`` has what the reader chose, all as text: the arguments of :func:`grpo_symbolic.theory.theory` by name, or
    ``trainer`` with its ``options``. Formulas as :mod:`grpo_symbolic.objectives.own` reads them: ``advantage`` takes
    the place of a normaliser, and ``penalty`` that of a divergence. ``verdicts`` has title, verdict and grade of each
    claim, by id.

    Raises :class:`BadInput` for whatever the theory refuses, in its sentence.
    """
    of = _theory(state)
    show = PaperPrinter()
    point = of.point
    height = sp.Symbol(rf"\Delta_{{{show(sp.sympify(point.group_size))}}}(x)", positive=True)
    return {
        "point": str(point),
        "assumed": list(of.assumed),
        "advantage": _formula(point.advantage),
        "python": python(state),
        "gap": _shown(of.gap, show),
        "objective": _shown(derive.objective(point, _PREFERENCES), show),
        "preferences": [_shown(e, show) for e in derive.preferences(point)],
        "slope": _shown(of.penalty_gradient, show),
        "equation": f"{show(derive.stationary(point, height))} = 0",
        "closed_form": None if of.closed_form is None else _shown(of.closed_form, show),
        "curvature": _shown(of.curvature, show),
        "numbers": _numbers(of),
        "answers": _answers(of, verdicts),
        "curves": {
            "gap": _curve(drawing.gap(point)),
            "slope": _curve(drawing.slope(point)),
            "beta": None if point.beta.free_symbols else float(point.beta),
        },
    }


def _theory(state: Mapping[str, str]) -> Theory:
    given = _given(state)
    unknown = set(given) - {*NAMES}
    if unknown:
        known = ", ".join([*_PARTS, *_OWN])
        raise BadInput(f"a link has no part {', '.join(sorted(unknown))}: expected some of {known}")
    if "trainer" in given:
        from grpo_symbolic.trainers import read
        from grpo_symbolic.trainers.config import from_texts

        return theory(read(given["trainer"], from_texts(_options(given))), p_ref=given.get("p_ref"), anyway=True)
    return theory(**_chosen(given))


def _chosen(given: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of the theory, in the order of the page, formulas in the place of what they replace."""
    idle = {name for own, replaced in _OWN.items() if own in given for name in replaced}
    chosen = {name: given[name] for name in _PARTS if name in given and name not in idle}
    if "advantage" in given:
        chosen["advantage"] = given["advantage"]
    if "penalty" in given:
        chosen["divergence"] = given["penalty"]
    return chosen


def _formula(of: Advantage) -> str | None:
    """The formula of an advantage of one's own, the names of statistics upright; ``None`` for any other."""
    if not isinstance(of, FormulaAdvantage):
        return None
    words = (s for s in of.expression.free_symbols if len(s.name) > 1 and s.name not in NOTATION)
    upright = {s: sp.Symbol(rf"\mathrm{{{s.name.replace('_', ' ')}}}".replace(" ", r"\ ")) for s in words}
    return PaperPrinter()(of.expression.xreplace(upright))


def _given(state: Mapping[str, str]) -> dict[str, str]:
    """What the reader filled in."""
    return {name: value for name, value in state.items() if value != ""}


def _options(given: Mapping[str, str]) -> list[str]:
    return [_option(line) for line in given.get("options", "").splitlines() if line.strip()]


def _option(line: str) -> str:
    """A line of options, as a command line, a YAML file or Python have it, as NAME=VALUE."""
    text = line.strip().rstrip(",\\").strip().removeprefix("--")
    for mark in ("=", ":", " "):
        name, sign, value = text.partition(mark)
        if sign and name.replace("_", "").replace(".", "").replace("-", "").strip().isalnum():
            return f"{name.strip()}={value.strip()}"
    return text


def python(state: Mapping[str, str]) -> str:
    """The state as a line or two for Python.

    >>> print(python({"group_size": "8", "beta": "0.04", "divergence": "k3"}))
    import grpo_symbolic as gs
    <BLANKLINE>
    theory = gs.theory(group_size=8, divergence="k3", beta="0.04")
    """
    lines = ["import grpo_symbolic as gs", ""]
    given = _given(state)
    if "trainer" in given:
        lines.insert(1, "from grpo_symbolic.trainers.config import from_texts")
        texts = ", ".join(f'"{option}"' for option in _options(given))
        rate = f', p_ref="{given["p_ref"]}"' if "p_ref" in given else ""
        read = f'gs.trainers.read("{given["trainer"]}", from_texts([{texts}]))'
        return "\n".join([*lines, f"theory = gs.theory({read}{rate}, anyway=True)"])
    arguments = []
    for name, value in _chosen(given).items():
        whole = name == "group_size" and value.isdecimal()
        arguments.append(f"{name}={value}" if whole else f"{name}={json.dumps(value, ensure_ascii=False)}")
    return "\n".join([*lines, f"theory = gs.theory({', '.join(arguments)})"])


def _shown(e: sp.Expr, show: Callable[[Any], str]) -> str | None:
    """LaTeX; ``None`` for a formula that nobody reads, such as a sum over 63 groups."""
    if e.count_ops() > LONGEST:
        return None
    text = show(e)
    return text if len(text) <= LONGEST else None


def _curve(of: drawing.Curve) -> dict[str, Any]:
    return {"source": of.source, "arguments": list(of.arguments)}


def _numbers(of: Theory) -> dict[str, Any] | str | None:
    """Certified policies, flow and best responses, or why there are none."""
    try:
        numbers = of.numbers
    except BadInput as reason:
        return str(reason)
    if numbers is None:
        return None
    return {
        "policies": [
            {**_place(q.success), "extremum": q.extremum, "responses": q.responses, "separated": q.separated}
            for q in numbers.policies
        ],
        "flow": _place(numbers.flow) if isinstance(numbers.flow, Enclosure) else {"digits": numbers.flow},
        "limit": None
        if numbers.limit is None
        else {
            "kind": numbers.limit.kind,
            "reason": numbers.limit.reason,
            "points": [_place(point) for point in numbers.limit.points],
        },
        "within": numbers.within,
    }


def _place(of: Enclosure) -> dict[str, Any]:
    return {"digits": str(of), "low": float(of.low), "high": float(of.high)}


def _answers(of: Theory, verdicts: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    """For each question the claims that answer it, with their verdicts in the ledger of the book."""
    by_question = coverage.answers(of.point, of.p_ref)
    answers = []
    for question, rows in by_question.items():
        claims = [
            {"id": claim, "title": title, "verdict": verdict, "grade": grade, "where": _where(where), "note": note}
            for claim, where, note in rows
            for title, verdict, grade in [verdicts.get(claim, [claim, "unknown", ""])]
        ]
        settled = any(not c["where"] and c["verdict"] in ("proved", "argued") for c in claims)
        answers.append({"question": QUESTIONS[question], "claims": claims, "open": not settled})
    return answers


def _where(condition: Any) -> str:
    return "" if condition == sp.true else str(condition)


# -- a claim ----------------------------------------------------------------------------------------------------------


def check(id: str, tell: Tell) -> dict[str, Any]:
    """Replay the kept proof of a claim, and of what it depends on; ``tell`` hears each obligation when it is done.

    Raises :class:`BadInput` for an unknown id.
    """
    begun = time.perf_counter()
    known = catalogue.with_dependencies([id])
    claim, show = known.claims[id], PaperPrinter()
    tell({"sentence": sentence(parts(claim, show)), "text": _text(claim.statement, claim.domain)})
    owner = {o.key(): (c.id, about) for c in known.claims.values() for about, o in c.obligations()}

    def progress(done: int, total: int, what: str) -> None:
        if len(run.evidence) == done:  # and not the words of a claim, which are laid out after all is checked
            key = next(reversed(run.evidence))
            of, about = owner.get(key, (id, "holds"))
            tell({"done": done, "total": total, "claim": of, "about": about, **_piece(run.evidence[key][0])})

    run = Verification(known, jobs=1, printer=show, progress=progress, library=_library(), mode=Mode.frozen)
    entry = run.verify([id]).claims[0]
    return {
        "verdict": entry.verdict,
        "grade": entry.weakest.name,
        "believes": sorted({name for e in entry.evidence for name in e.believes}),
        "depends_on": list(entry.depends_on),
        "words": entry.words,
        "seconds": round(time.perf_counter() - begun, 2),
    }


def changes(id: str) -> list[dict[str, Any]]:
    """The sentences that a claim turns into by one change each: its number, what was changed, and how it reads."""
    return [
        {"number": number, "change": m.change, "text": _text(*m.changed) if m.changed else ""}
        for number, m in enumerate(mutants(catalogue.find(id)))
    ]


def check_changed(id: str, number: int, tell: Tell) -> dict[str, Any]:
    """Try the kept proof of a claim on the sentence that a change makes of it, then look for a counter-example."""
    begun = time.perf_counter()
    claim = catalogue.find(id)
    mutant = mutants(claim)[number]
    library = _library().of(claim.place)
    own = [library.proofs[k] for _, o in claim.obligations() if (k := key_of(o.key())) in library.proofs]
    outcome = "proved"
    for obligation in mutant.obligations:
        fits = next((e for proof in own if (e := replay(obligation, proof, library.texts)).proves), None)
        tell(_piece(fits or unproved(obligation, "no proof that is kept shows it")))
        evidence = () if fits else discharge(obligation, limit=5, doubtful=True)
        refuted = next((e for e in evidence if e.outcome is Outcome.refuted), None)
        if refuted is not None:
            tell(_piece(refuted))
            outcome = "refuted"
            break
        if not fits and not any(e.proves for e in evidence):
            outcome = "unknown"
    return {"outcome": outcome, "change": mutant.change, "seconds": round(time.perf_counter() - begun, 2)}


def _library() -> Library:
    return Library({folder.name: folder for folder in catalogue.builtin_folders()}, Path(".grpo-symbolic/proofs"))


def _piece(of: Evidence) -> dict[str, Any]:
    return {
        "obligation": of.obligation,
        "by": of.checker,
        "outcome": of.outcome,
        "grade": of.grade.name,
        "seconds": of.seconds,
        "believes": list(of.believes),
        "size": of.size,
        "reason": "" if of.outcome is Outcome.holds else of.artefact[:400],
    }


def _text(statement: Any, domain: Any) -> str:
    return sentence_text(statement, domain, 4000)
