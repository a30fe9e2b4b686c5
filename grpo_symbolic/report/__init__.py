"""Words for people, in a terminal and in a book alike: what a formula reads like, what to say of a claim."""
