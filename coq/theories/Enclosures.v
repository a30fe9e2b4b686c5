(** The tactic [interval] over Coq's own integers.

    Interval computes with the machine's integers and floats when it may, and then a theorem rests on the axioms that
    describe those.  With this instance and a precision above 53 bits, [interval with (i_prec 60)], it rests on the
    classical reals only. *)

From Interval Require Export Tactic.
From Interval Require Import Float.Specific_stdz Float.Specific_ops.

Module Integers := SpecificFloat StdZRadix2.
Module OverIntegers := IntervalTactic Integers.
Export OverIntegers.
