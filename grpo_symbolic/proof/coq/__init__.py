"""The prover for Coq: an obligation becomes a theorem, scripts are tried on it, and Coq's kernel judges.

``syntax``       terms and formulas in Coq's syntax, exact or refused by name
``theorem``      the theorem of an obligation: its domain implies that the statement is defined, and that it holds
``preamble.v``   what stands before every theorem: two definitions, lemmas, tactics; nothing is assumed
``tokens``       scripts as Coq's lexer reads them: tactics and nothing else
``session``      one ``coqtop`` on many theorems, and what of its answers counts
``checker``      the checker of grade ``kernel``, which asks about many obligations at once
``script_files`` scripts that lie beside result files
``scripts/``     scripts by a fixed method, or from certificates, which nobody has to believe
"""
