"""Worker processes with hard deadlines, here or wherever an executor has them: a task that hangs costs its limit, not
the run.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, Self

from grpo_symbolic.isolation import NO_PROCESSES, isolated


class Task(Protocol):
    """Something to be done in a worker; ``limit`` is in seconds."""

    @property
    def limit(self) -> float: ...

    def run(self) -> Any: ...


def _serve(connection: Connection, tasks: Sequence[Task], parent: int) -> None:
    """Work until the other end closes, or the parent is gone: a killed run leaves no process behind that waits for
    ever.
    """
    _alone()
    with suppress(EOFError, OSError):  # the other end is gone
        while True:
            while not connection.poll(1.0):
                if os.getppid() != parent:
                    return
            index = connection.recv()
            connection.send((index, _result(tasks[index])))


def _alone() -> None:
    """Begin a worker's life."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
    if hasattr(os, "setpgrp"):
        os.setpgrp()  # a group of its own, so that a kill reaches the engines that the worker started


def _stop(process: Any, connection: Connection) -> None:
    """End a worker, with the engines that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (AttributeError, OSError):  # no groups on this system, or the worker has none yet, or has ended
        process.kill()
    process.join()
    connection.close()


def _result(task: Task) -> Any:
    try:
        return task.run()
    except Exception:  # a task that fails has no result, and the worker lives on
        return None


class _Worker:
    def __init__(self, context: Any, tasks: Sequence[Task]) -> None:
        self.connection, there = context.Pipe()
        self.process = context.Process(target=_serve, args=(there, tasks, os.getpid()), daemon=True)
        self.process.start()
        there.close()
        self.index: int | None = None
        self.deadline = 0.0

    def give(self, index: int, limit: float) -> None:
        self.index, self.deadline = index, time.monotonic() + limit
        self.connection.send(index)

    def stop(self) -> None:
        _stop(self.process, self.connection)


def run_tasks(tasks: Sequence[Task], jobs: int, executor: Executor | None = None) -> Iterator[tuple[int, Any]]:
    """Yield ``(index, result)`` as tasks finish; the result of a task that overran its limit, failed, or whose worker
    died, is ``None``. With an ``executor`` the tasks run where it runs them, else in ``jobs`` processes of this
    machine; where there are no processes, one after the other, without a limit.
    """
    if executor is not None:
        return _elsewhere(tasks, executor)
    if sys.platform in NO_PROCESSES:
        return ((index, _result(task)) for index, task in enumerate(tasks))
    return _in_processes(tasks, jobs)


def _elsewhere(tasks: Sequence[Task], executor: Executor) -> Iterator[tuple[int, Any]]:
    futures = {executor.submit(_bounded, task): index for index, task in enumerate(tasks)}
    try:
        for future in as_completed(futures):
            yield futures[future], None if future.cancelled() or future.exception() else future.result()
    finally:
        for future in futures:
            future.cancel()  # of what is not wanted any more, where the run was stopped


def _bounded(task: Task) -> Any:
    """The task's result, in a child process that is killed at the limit: an executor knows no deadlines."""
    return isolated(lambda: _result(task), task.limit, None)


class Ahead:
    """Tasks that are done while the process that makes them still makes others: each batch in a process forked for it,
    at most ``jobs`` of them at a time, none where the system cannot fork.

    ``results`` are those that came, by the names of the tasks. What is not done when it is closed is left to its maker.
    """

    def __init__(self, jobs: int) -> None:
        self.results: dict[str, Any] = {}
        self._jobs = jobs if "fork" in multiprocessing.get_all_start_methods() else 0
        self._waiting: deque[Mapping[str, Task]] = deque()
        self._busy: list[tuple[Any, Connection]] = []

    def give(self, batch: Mapping[str, Task]) -> None:
        """Have a batch done, in its turn."""
        if self._jobs and batch:
            self._waiting.append(batch)
        self._collect()
        while self._waiting and len(self._busy) < self._jobs:
            context = multiprocessing.get_context("fork")
            here, there = context.Pipe(duplex=False)
            process = context.Process(target=_say, args=(there, self._waiting.popleft()), daemon=True)
            process.start()
            there.close()
            self._busy.append((process, here))

    def _collect(self) -> None:
        """Take what has come by now."""
        for process, connection in list(self._busy):
            try:
                while connection.poll():
                    name, result = connection.recv()
                    self.results[name] = result
            except (EOFError, OSError):  # it is done, or has died
                self._busy.remove((process, connection))
                _stop(process, connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._collect()
        for process, connection in self._busy:
            _stop(process, connection)
        self._busy.clear()
        self._waiting.clear()


def _say(connection: Connection, batch: Mapping[str, Task]) -> None:
    _alone()
    with suppress(Exception):  # the other end is gone, or a result cannot be sent: the rest is done in its turn
        for name, task in batch.items():
            connection.send((name, _result(task)))


def _in_processes(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[int, Any]]:
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
    waiting = iter(range(len(tasks)))
    workers = [_Worker(context, tasks) for _ in range(min(jobs, len(tasks)))]
    try:
        busy = [w for w in workers if _next(w, waiting, tasks)]
        while busy:
            ready = wait(
                [w.connection for w in busy], timeout=max(0.0, min(w.deadline for w in busy) - time.monotonic())
            )
            for worker in list(busy):
                if worker.connection in ready:
                    try:
                        finished = worker.connection.recv()
                    except (EOFError, ConnectionError):  # the worker died: a crash of an engine
                        finished = None
                elif worker.deadline <= time.monotonic():
                    finished = None
                else:
                    continue
                index = worker.index
                assert index is not None
                if finished is None:
                    worker.stop()
                    busy.remove(worker)
                    workers.remove(worker)
                    worker = _Worker(context, tasks)
                    workers.append(worker)
                    busy.append(worker)
                if not _next(worker, waiting, tasks):
                    busy.remove(worker)
                yield index, None if finished is None else finished[1]
    finally:
        for worker in workers:
            worker.stop()


def _next(worker: _Worker, waiting: Iterator[int], tasks: Sequence[Task]) -> bool:
    index = next(waiting, None)
    if index is None:
        return False
    worker.give(index, tasks[index].limit)
    return True
