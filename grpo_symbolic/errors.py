"""The exceptions that a user meets: each message is one sentence saying what was given, what was expected and where."""


class BadInput(ValueError):
    """Input that cannot be worked with; the command line prints the sentence and exits with status 2."""


class DomainError(BadInput):
    """A domain that is empty, or a symbol used without one."""


class ClaimError(BadInput):
    """A claim that cannot be registered: duplicate id, unknown dependency, or a symbol outside the notation."""


class StepError(BadInput):
    """A step of a derivation that fails at a point of its domain."""


class ReadingError(ClaimError):
    """An expression that has no term: something in it is rounded, unknown, or assumes what no domain shows."""
