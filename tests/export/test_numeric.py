"""C, Rust, JavaScript, Julia, NumPy, PyTorch and JAX: compiled or imported, run, and compared with ball arithmetic."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
import sympy as sp
from exported import agree, cases, exportable, session, value

import grpo_symbolic as gs
from grpo_symbolic.errors import BadInput
from grpo_symbolic.export.languages import LANGUAGES
from grpo_symbolic.export.straightline import lowered
from grpo_symbolic.notation import beta, n, o, p, pi, success, x, y
from grpo_symbolic.numeric import compile
from grpo_symbolic.optimality import SuccessRecursion

LARGE = {"group_size": sp.oo, "penalty": "reverse-kl"}  # the recursion of Mroueh (2025)

THINGS = [
    ("vy-eq14", {}),
    ("vy-eq14-lower-bound-strict", {}),
    ("vy-eq15", {}),
    ("mr-thm2-h", {}),
    ("mr-thm3-logit-bounds", {}),
    ("pairs", {}),
    ("large-groups", {}),
    ("success-map", {}),
    ("grpo-pairs", {}),
    ("grpo", {"n": 3}),
]


def ends(function):
    """Numbers near 0 and 1 where subtraction would lose everything."""
    return [10.0**-k for k in (3, 8, 15)] if len(function.arguments) == 1 else []


def all_cases(language):
    reserved = LANGUAGES[language].reserved
    return [case for name, at in THINGS for case in cases(exportable(name, **at), reserved=reserved)]


def written(to):
    return [gs.export(name, to=to, at=at, session=session()) for name, at in THINGS]


def test_c_compiled_and_run_agrees_with_ball_arithmetic(tmp_path):
    cc = shutil.which("cc") or pytest.skip("no C compiler (cc) here")
    (tmp_path / "all.c").write_text("\n".join(written("c")))
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run([cc, *flags, "-o", tmp_path / "all.so", tmp_path / "all.c", "-lm"], check=True)
    library = ctypes.CDLL(str(tmp_path / "all.so"))
    checked = all_cases("c")
    assert len(checked) > 150
    for function, _, numbers, known in checked:
        call = getattr(library, function.name)
        call.restype = ctypes.c_int if function.program.boolean else ctypes.c_double
        call.argtypes = [ctypes.c_double] * len(numbers)
        assert agree(call(*numbers), known), (function.name, numbers, known)


def test_rust_compiled_and_run_agrees_with_ball_arithmetic(tmp_path):
    rustc = shutil.which("rustc") or pytest.skip("no Rust compiler (rustc) here")
    checked = all_cases("rust")
    calls = "\n".join(
        f'    println!("{{:e}}", {f.name}({", ".join(f"{x!r}_f64" for x in numbers)}){" as i32" * f.program.boolean});'
        for f, _, numbers, _ in checked
    )
    (tmp_path / "main.rs").write_text("\n".join(written("rust")) + f"\nfn main() {{\n{calls}\n}}\n")
    subprocess.run([rustc, "-o", tmp_path / "main", tmp_path / "main.rs"], check=True, capture_output=True)
    lines = subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True).stdout.split()
    assert len(lines) == len(checked) > 150
    for (function, _, numbers, known), line in zip(checked, lines, strict=True):
        assert agree(float(line), known), (function.name, numbers, line, known)


def test_javascript_run_agrees_with_ball_arithmetic(tmp_path):
    program = shutil.which("node") or pytest.skip("no Node.js here")
    checked = all_cases("javascript")
    for number, text in enumerate(written("javascript")):
        (tmp_path / f"m{number}.mjs").write_text(text)
    calls = [f"{f.name}({', '.join(map(repr, numbers))})" for f, _, numbers, _ in checked]
    modules = [f'import * as m{number} from "./m{number}.mjs";' for number in range(len(THINGS))]
    names = f"const all = Object.assign({{}}, {', '.join(f'm{number}' for number in range(len(THINGS)))});"
    told = [f"console.log(String(all.{call}));" for call in calls]
    (tmp_path / "all.mjs").write_text("\n".join([*modules, names, *told]))
    done = subprocess.run([program, "all.mjs"], cwd=tmp_path, check=True, capture_output=True, text=True)
    results = done.stdout.split()
    assert len(results) == len(checked) > 150
    for (function, _, numbers, known), result in zip(checked, results, strict=True):
        found = {"true": 1.0, "false": 0.0}.get(result)
        found = float(result.replace("Infinity", "inf")) if found is None else found
        assert agree(found, known), (function.name, numbers, known)


def test_julia_run_agrees_with_ball_arithmetic(tmp_path):
    program = shutil.which("julia") or pytest.skip("no Julia here")
    checked = all_cases("julia")
    calls = "\n".join(f"println(Float64({f.name}({', '.join(map(repr, numbers))})))" for f, _, numbers, _ in checked)
    (tmp_path / "all.jl").write_text("\n".join(written("julia")) + calls)
    lines = subprocess.run([program, tmp_path / "all.jl"], check=True, capture_output=True, text=True).stdout.split()
    assert len(lines) == len(checked)
    for (function, _, numbers, known), line in zip(checked, lines, strict=True):
        assert agree(float(line), known), (function.name, numbers, line, known)


def test_julia_source_has_no_syntax_errors():
    grammar = pytest.importorskip("tree_sitter_julia", reason="no parser of Julia here")
    from tree_sitter import Language, Parser

    parser = Parser(Language(grammar.language()))
    for text in written("julia"):
        assert not parser.parse(text.encode()).root_node.has_error
    assert parser.parse(b"function f(x\n  return\n").root_node.has_error


def imported(text):
    scope = {}
    exec(text, scope)
    return scope


def test_numpy_functions_agree_and_broadcast():
    for name, at in THINGS:
        scope = imported(gs.export(name, to="numpy", at=at, session=session()))
        for function, _, numbers, known in cases(exportable(name, **at)):
            assert agree(float(scope[function.name](*numbers)), known), (function.name, numbers)
    policy = imported(gs.export("pairs", to="numpy"))["pairs_value"]
    assert policy(np.full((3, 1), 0.25), np.array([0.5, 1.0])).shape == (3, 2)
    assert policy(np.float32(0.25), np.float32(1)).dtype == np.float32


def derivative(function, argument):
    return lowered(sp.diff(lowered(function.part.expression), argument))


def smooth(function):
    expression = lowered(function.part.expression)
    rough = expression.has(sp.Abs, sp.Max, sp.Min, sp.Piecewise, sp.sign) or function.program.boolean
    return not rough and function.arguments


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_values_and_gradients_agree_with_ball_arithmetic(library):
    module = pytest.importorskip(library, reason=f"{library} is not installed")
    if library == "jax":
        module.config.update("jax_enable_x64", True)
    gradients = 0
    for name, at in THINGS:
        scope = imported(gs.export(name, to=library, at=at, session=session()))
        inner = gs.export.callables(name if "-" not in name else exportable(name).claim or name, library, at=at)
        for function, point, numbers, known in cases(exportable(name, **at), count=3):
            call = scope[function.name]
            assert agree(float(call(*numbers)), known), (function.name, numbers)
            assert agree(float(inner[function.part.name](*numbers)), known), (function.name, numbers)
            if not smooth(function):
                continue
            for place, argument in enumerate(function.arguments):
                slope = value(derivative(function, argument), point)
                if slope is None:
                    continue
                found = gradient(module, library, call, numbers, place)
                assert agree(found, slope, 1e-6), (function.name, str(argument), numbers, found, slope)
                gradients += 1
    assert gradients > 60


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_gradients_are_right_where_the_branches_of_a_stable_form_meet(library):
    """At b = 1 the root of (14) is √p, with slopes 1/(2√p) in p and (√p − 1)/2 in b, by its quadratic."""
    module = pytest.importorskip(library, reason=f"{library} is not installed")
    if library == "jax":
        module.config.update("jax_enable_x64", True)
    call = imported(gs.export("pairs", to=library))["pairs_value"]
    for share in (0.02, 0.25, 0.6):
        root = share**0.5
        assert agree(gradient(module, library, call, (share, 1.0), 0), 1 / (2 * root), 1e-14)
        assert agree(gradient(module, library, call, (share, 1.0), 1), (root - 1) / 2, 1e-14)


def gradient(module, library, call, numbers, place):
    if library == "jax":
        return float(module.grad(call, place)(*numbers))
    tensors = [module.tensor(x, dtype=module.float64, requires_grad=True) for x in numbers]
    (found,) = module.autograd.grad(call(*tensors), tensors[place])
    return float(found)


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_batches_are_mapped_and_their_gradients_are_numbers(library):
    module = pytest.importorskip(library, reason=f"{library} is not installed")
    call = imported(gs.export("pairs", to=library))["pairs_value"]
    ps, bs = np.linspace(0.01, 0.99, 7), np.linspace(0.1, 3, 7)  # b = 1 is where the branches meet
    if library == "torch":
        tensors = [module.tensor(v, requires_grad=True) for v in (ps, bs)]
        call(*tensors).sum().backward()
        slopes = np.stack([t.grad.numpy() for t in tensors])
    else:
        module.config.update("jax_enable_x64", True)
        slopes = np.stack(module.vmap(module.grad(call, (0, 1)))(ps, bs))
    assert slopes.shape == (2, 7)
    assert np.isfinite(slopes).all()


def test_stable_near_zero_and_one():
    run = SuccessRecursion(p_ref="1/1000", beta=5, guard="1e-5", **LARGE)
    (one,) = gs.export.callables(run).values()
    for at in (1e-300, 1e-17, 0.5, 1 - 2**-53):
        known = value(run.h, {success: sp.Rational(*float(at).as_integer_ratio())})
        assert agree(float(one(at)), known, 1e-14)
    tiny = gs.export.callables("pairs")["value"]
    assert tiny(1e-30, 1e8) == pytest.approx(1e-30, rel=1e-7, abs=0)  # the root written as it is printed gives 0
    gap = gs.export.callables(1 - sp.exp(-p), domain=None)["value"]
    assert gap(1e-18) == 1e-18


def test_what_no_program_can_hold_is_refused_with_what_to_do():
    for to in ("c", "rust", "javascript", "julia", "numpy", "torch", "jax"):
        with pytest.raises(BadInput, match=r"sum over o = 1, …, n has no fixed length: give a number, such as n=3"):
            gs.export("grpo", to=to)
    with pytest.raises(BadInput, match="give one, such as o=1"):
        gs.export(pi[o] * beta, to="c")
    with pytest.raises(BadInput, match="more than 4096 terms"):
        gs.export(sp.Sum(p**o, (o, 1, 5000)), to="c")
    with pytest.raises(BadInput, match="is no formula"):
        gs.export(sp.Limit(p / beta, p, 0), to="c")


def test_instances_check_their_numbers():
    assert "pi_ref_2" in gs.export("grpo", to="c", at={"n": 2})
    with pytest.raises(BadInput, match="no integer symbol 'm'"):
        gs.export("grpo", to="c", at={"m": 2})
    with pytest.raises(BadInput, match="whole number from 0 to 1000"):
        gs.export("grpo", to="c", at={"n": -2})
    summed = sp.Sum(pi[o], (o, 1, n)) * o  # the bound index keeps its meaning
    text = gs.export(summed, to="numpy", at={"n": 2, "o": 5})
    assert imported(text)["expression_value"](0.25, 0.75) == 5


def test_names_that_a_language_reserves_are_changed():
    double, half = sp.symbols("double lambda", real=True)
    assert "double double_" in gs.export(double + 1, to="c")
    assert imported(gs.export(half + 1, to="numpy"))["expression_value"](1.0) == 2
    clash = sp.Symbol("s0", real=True)
    assert imported(gs.export(sp.exp(clash) + clash, to="numpy"))["expression_value"](0.0) == 1


def test_a_root_of_what_a_delta_switches_off_is_zero() -> None:
    switched = sp.sqrt(sp.KroneckerDelta(o, 2) * sp.Min(x, y)) + 1
    assert compile(lowered(switched), [o, x, y], stable=True)(1, -1.0, 4.0) == 1
