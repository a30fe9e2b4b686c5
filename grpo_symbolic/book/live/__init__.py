"""The live book: what a reader's own browser computes, from the book's files and nothing else.

``desk``     what the pages ask Python for: a point of the space of objectives, the replay of a claim's proof
``drawing``  the curves of a point as JavaScript, written from their trees by :mod:`grpo_symbolic.export.languages`
``runtime``  Python for the browser, pinned, put together when the book is built
``pages``    the Sphinx extension: the directive ``live-explore``, and the button of every claim

``desk`` and ``drawing`` run in the browser as well, and import neither Sphinx nor NumPy.
"""
