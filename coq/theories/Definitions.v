(** All definitions, in one import. *)

From GrpoSymbolic Require Export Sums Policies Groups Clipping Recursion Texts.
