"""THE ONE READING: what SymPy writes becomes a term of a small typed language, and only terms are judged.

``language``     the nodes: real and whole numbers, entries of families, arithmetic, cases, sums; formulas
``reading``      from SymPy to terms, by a table of allowed nodes; anything else is refused by name
``writing``      from terms back to SymPy, for display and for SymPy's own algorithms
``definedness``  the conditions under which a term has a real value
``derivatives``  differentiation by rules of our own, along a variable or an entry of a family
``families``     what is known of a family of numbers
``linear``       "is it linear", "what does this constraint say of one variable": answered here and nowhere else
"""
