"""The result files, one folder a paper. In a checkout they live in ``derivations/`` beside the package; a wheel
carries them here.
"""

from pathlib import Path

_checkout = Path(__file__).parents[2] / "derivations"
if (_checkout / "vojnovic_yun").is_dir():
    __path__.append(str(_checkout))
