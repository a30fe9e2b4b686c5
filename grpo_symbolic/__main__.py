"""``python -m grpo_symbolic`` is the command line."""

from grpo_symbolic.cli import main

if __name__ == "__main__":
    main()
