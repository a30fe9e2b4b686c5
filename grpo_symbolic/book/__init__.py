"""IN a book: Sphinx extensions that read a ledger, and the figures of ours. Nothing here judges anything."""
