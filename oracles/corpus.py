"""The recipes that trainers ship, read: `corpus.tsv` holds names, digests and what was read, not their text.

    python oracles/corpus.py FOLDER

FOLDER holds one checkout a release, such as `verl-0.9.1`, `nemo-rl-0.7.0`, `open-r1` (read as TRL). Prints how many
recipes were read and how many refused, and writes the table, in which the rows of checkouts that FOLDER lacks stay;
what changed, `git diff` shows.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from pathlib import Path

from grpo_symbolic.errors import BadInput
from grpo_symbolic.trainers import from_file, read
from grpo_symbolic.trainers.form import to_json

TABLE = Path(__file__).with_name("corpus.tsv")
SHIPPED = {  # checkout: how its recipes end, and what they all hold
    "ms-swift": (".sh", ("rlhf_type grpo",), ("",)),
    "nemo-rl": (".yaml", ("num_generations_per_prompt", "defaults:"), ("grpo", "dapo", "gspo")),
    "openrlhf": (".sh", ("train_ppo_ray",), ("",)),
    "prime-rl": (".toml", ("[orchestrator",), ("",)),
    "slime": (".sh", ("train.py", "train_async.py"), ("",)),
    "open-r1": (".yaml", ("num_generations",), ("",)),
    "trl": (".py", ("GRPOConfig(",), ("",)),
    "verl": (".sh", ("main_ppo",), ("",)),
}


def main(folder: Path) -> None:
    """Read all recipes of all checkouts."""
    checkouts, counts = sorted(p for p in folder.iterdir() if p.is_dir()), Counter[tuple[str, str]]()
    head, *before = TABLE.read_text(encoding="utf-8").splitlines()
    rows = [row for row in before if row.partition("\t")[0] not in {checkout.name for checkout in checkouts}]
    for checkout in checkouts:
        name, _, version = checkout.name.rpartition("-")
        shipped = name if name in SHIPPED else checkout.name
        ending, marks, names = SHIPPED[shipped]
        trainer = "trl" if shipped == "open-r1" else f"{name}=={version}" if name in SHIPPED else checkout.name
        for path in sorted(checkout.rglob(f"*{ending}")):
            text = path.read_text(encoding="utf-8")
            if any(m in text for m in marks) and any(n in path.name for n in names):
                found = read_or_told(trainer, path)
                counts[checkout.name, found.partition(" ")[0]] += 1
                digest = hashlib.sha256(text.encode()).hexdigest()[:16]
                rows.append("\t".join([checkout.name, str(path.relative_to(checkout)), digest, found]))
    TABLE.write_text("\n".join([head, *sorted(rows)]) + "\n", encoding="utf-8")
    for (release, what), number in counts.items():
        print(f"{release}: {number} {what}")


def read_or_told(trainer: str, path: Path) -> str:
    """How many options became what, and the digest of the setting; or why the recipe is refused."""
    try:
        found = read(trainer, from_file(path))
    except BadInput as refusal:
        return f"refused {refusal}".replace(str(path), path.name).replace("\n", " ")
    fates = Counter(use.fate.value for use in found.options)
    digest = hashlib.sha256(json.dumps(to_json(found.setting), sort_keys=True).encode()).hexdigest()[:12]
    return f"read {', '.join(f'{n} {fate}' for fate, n in sorted(fates.items()))}; setting {digest}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
