"""``python -m grpo_symbolic`` is the command line."""

import sys
from pathlib import Path

if __name__ == "__main__":
    if sys.path and Path(sys.path[0] or ".").resolve() == Path.cwd():
        del sys.path[0]  # what lies in the folder of a paper is no module of anybody's
    from grpo_symbolic.cli import main

    main()
