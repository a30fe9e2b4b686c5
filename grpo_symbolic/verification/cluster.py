"""A Dask cluster as the place where checks run."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from grpo_symbolic.errors import BadInput

SECONDS = 10  # to reach a scheduler


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The executor of the Dask cluster whose scheduler listens at ``address``, such as ``tcp://127.0.0.1:8786``.

    The workers need this package and its engines in the same versions. A worker that dies costs its tasks in flight,
    which the scheduler gives to another one. Raises :class:`BadInput` where Dask is not installed or no scheduler
    answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise BadInput("a cluster needs Dask's distributed: pip install 'grpo-symbolic[dask]'") from None
    try:
        client = Client(address, timeout=SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        raise BadInput(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        yield client.get_executor(pure=False)
