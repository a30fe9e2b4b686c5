"""The result files, one folder a paper: ``grpo_symbolic.derivations.PAPER.RESULT``.

``__path__`` lists the folders in which papers lie: this one, where a wheel carries them; ``derivations/`` of a
checkout; and that of a paper of one's own, which :mod:`grpo_symbolic.catalogue` appends in the process that runs it.
Everything else is Python's own import: a result file imports another by ``from .trees import …``, or across papers by
``from ..patel.trees import …``, and says itself which file its claims belong to, ``claim = Result(__file__).claim``.
"""

from pathlib import Path

_checkout = Path(__file__).parents[2] / "derivations"
if (_checkout / "vojnovic_yun").is_dir():
    __path__.append(str(_checkout))
