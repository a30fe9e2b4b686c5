"""C99, JavaScript, Julia and Rust: one function a part, of numbers; what has no real value is not a number.

C is self-contained but for <math.h>, and a truth value an int; JavaScript is an ECMAScript module that exports its
functions; Rust needs nothing but the standard library.
"""

from __future__ import annotations

from grpo_symbolic.export.straightline import INFIX, Language, complete

__all__ = ["LANGUAGES"]

_C_HELPERS = """\
#include <math.h>

#ifndef GRPO_SYMBOLIC_HELPERS
#define GRPO_SYMBOLIC_HELPERS
/* Unlike fmax and fmin these keep what is not a number. */
static inline double gs_max(double a, double b) { return a >= b || a != a ? a : b; }
static inline double gs_min(double a, double b) { return a <= b || a != a ? a : b; }
static inline double gs_sign(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }
#endif
"""
_JULIA_HELPERS = """\
# Julia raises an error where a function has no real value; these give NaN.
gs_sqrt(a) = a < 0 ? NaN : sqrt(a)
gs_log(a) = a < 0 ? NaN : log(a)
gs_log1p(a) = a < -1 ? NaN : log1p(a)
gs_acosh(a) = a < 1 ? NaN : acosh(a)
gs_atanh(a) = abs(a) > 1 ? NaN : atanh(a)
gs_pow(a, b) = a < 0 && !isinteger(b) ? NaN : a^b
"""
_EVERYWHERE = ("exp", "expm1", "sinh", "cosh", "tanh", "asinh", "sin", "cos")  # with a value at every real number
_SOMEWHERE = ("sqrt", "log", "log1p", "acosh", "atanh")
_RUST_NAMES = {"log": "ln", "log1p": "ln_1p", "expm1": "exp_m1"}

LANGUAGES = {
    "c": Language(
        complete(
            {
                **INFIX,
                **{op: f"{op}({{}})" for op in (*_EVERYWHERE, *_SOMEWHERE, "floor", "ceil")},
                "abs": "fabs({})",
                "sign": "gs_sign({})",
                "pow": "pow({}, {})",
                "maximum": "gs_max({}, {})",
                "minimum": "gs_min({}, {})",
                "where": "{} ? {} : {}",
            }
        ),
        "    const {type} {name} = {value};",
        real="double",
        truth="int",
        nan="NAN",
        infinity="INFINITY",
        true="1",
        false="0",
        comment="//",
        prelude=_C_HELPERS,
        argument="double {}",
        no_arguments="void",
        first="// {meaning}\n{type} {name}({given}) {{",
        last="    return {result};\n}}",
        words=(
            "auto break case char const continue default do double else enum extern float for goto if inline int long "
            "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile "
            "while NAN INFINITY asm true false bool main"
        ),
    ),
    "javascript": Language(
        complete(
            {
                **INFIX,
                **{op: f"Math.{op}({{}})" for op in (*_EVERYWHERE, *_SOMEWHERE, "abs", "floor", "ceil", "sign")},
                "eq": "{} === {}",
                "ne": "{} !== {}",
                "pow": "Math.pow({}, {})",
                "maximum": "Math.max({}, {})",
                "minimum": "Math.min({}, {})",
                "where": "{} ? {} : {}",
            }
        ),
        "  const {name} = {value};",
        real="number",
        truth="boolean",
        nan="NaN",
        infinity="Infinity",
        comment="//",
        first="/** {meaning} @returns {{{type}}} */\nexport function {name}({given}) {{",
        last="  return {result};\n}}",
        words=(
            "arguments async await break case catch class const continue debugger default delete do else enum eval "
            "export extends false finally for function get if implements import in instanceof interface let new null "
            "of package private protected public return set static super switch this throw true try typeof undefined "
            "var void while with yield Infinity Math NaN"
        ),
    ),
    "julia": Language(
        complete(
            {
                **INFIX,
                **{op: f"{op}({{}})" for op in (*_EVERYWHERE, "abs", "floor", "ceil", "sign")},
                **{op: f"gs_{op}({{}})" for op in _SOMEWHERE},
                "pow": "gs_pow({}, {})",
                "maximum": "max({}, {})",
                "minimum": "min({}, {})",
                "where": "{} ? {} : {}",
            }
        ),
        "    {name} = {value}",
        real="Float64",
        truth="Bool",
        nan="NaN",
        infinity="Inf",
        comment="#",
        prelude=_JULIA_HELPERS,
        argument="{}::Real",
        first="# {meaning}\nfunction {name}({given})::{type}",
        taken="    {0} = float({0})",  # products of whole numbers would begin anew behind the largest one
        last="    return {result}\nend",
        words=(
            "baremodule begin break catch const continue do else elseif end export false finally for function global "
            "if import let local macro module quote return struct true try using while abstract mutable primitive "
            "type where in isa pi NaN Inf"
        ),
    ),
    "rust": Language(
        complete(
            {
                **INFIX,
                **{
                    op: f"f64::{_RUST_NAMES.get(op, op)}({{}})"
                    for op in (*_EVERYWHERE, *_SOMEWHERE, "abs", "floor", "ceil")
                },
                "sign": "if {0} > 0.0 {{ 1.0 }} else if {0} < 0.0 {{ -1.0 }} else {{ {0} }}",
                "maximum": "if {0} >= {1} || {0} != {0} {{ {0} }} else {{ {1} }}",
                "minimum": "if {0} <= {1} || {0} != {0} {{ {0} }} else {{ {1} }}",
                "pow": "f64::powf({}, {})",
                "where": "if {} {{ {} }} else {{ {} }}",
            }
        ),
        "    let {name}: {type} = {value};",
        real="f64",
        truth="bool",
        nan="f64::NAN",
        infinity="f64::INFINITY",
        number="{!r}_f64",
        comment="//",
        argument="{}: f64",
        first=(
            "/// {meaning}\n#[allow(non_snake_case, unused_variables, clippy::all)]\n"
            "pub fn {name}({given}) -> {type} {{"
        ),
        last="    {result}\n}}",
        words=(
            "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod "
            "move mut pub ref return self Self static struct super trait true type union unsafe use where while "
            "abstract become box do final gen macro override priv try typeof unsized virtual yield f64 bool main"
        ),
    ),
}
