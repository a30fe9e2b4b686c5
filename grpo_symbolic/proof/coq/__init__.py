"""The prover for Coq: an obligation becomes a theorem, scripts are tried on it, and Coq's kernel judges.

``syntax``       terms and formulas in Coq's syntax, exact or refused by name
``theorem``      the theorem of an obligation: its domain implies that the statement is defined, and that it holds
``preamble.v``   what stands before every theorem: two definitions, lemmas, tactics; nothing is assumed
``tokens``       scripts as Coq's lexer reads them: tactics and nothing else
``session``      one ``coqtop`` on many theorems, and what of its answers counts
``checker``      the checker of grade ``kernel``, which asks about many obligations at once
``script_files`` scripts that lie beside result files
``scripts/``     scripts by a fixed method, or from certificates, which nobody has to believe
``goals``        the schema of a rule as a goal, by the predicate that each kind of statement is in Coq
``acceptance``   whether Coq accepts each schema by its theorem, and needs each of its premises
``development``  the theorems of ``coq/`` beside claims whose statement each of them proves
"""
