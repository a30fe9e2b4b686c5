"""TO people: what a ledger looks like on a terminal. Nothing here computes or judges anything."""
