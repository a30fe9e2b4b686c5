"""The door: what the process of a result file says is a message of plain text, which a reader makes declarations of.

:mod:`.nodes` is the table of SymPy's nodes that may travel, :mod:`.kinds` that of declarations and of the types of
their fields, :mod:`.message` the format. A name in a message is looked up in these tables and nowhere else: nothing in
it is run, imported or evaluated.
"""
