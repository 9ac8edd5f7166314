"""Compiling on as many processors as pay, with word of how far it is."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, TypeVar

from toolgen import ir
from toolgen.emit import Options, Rendered, Renderer, Task

ENOUGH = 16
"""Parts below which the start of a second process costs more than it saves."""

ENOUGH_TEXT = 40_000
"""Bytes of designs below which another process costs more than it saves."""

_BATCH = 16

_In = TypeVar("_In")
_Out = TypeVar("_Out")

Progress = Callable[[int, int], None]
"""Takes the number of parts that are done, and of all."""


def render(
    program: ir.Program, options: Options, *, contracts: bool, progress: Progress = lambda done, of: None
) -> tuple[dict[str, Rendered], dict[str, Rendered]]:
    """The generated package and its contract tests, each by path. The same as one process gives.

    Raises SyntaxError, Unmade.
    """
    renderer = Renderer(program, options)
    tasks = renderer.tasks()
    if contracts:
        tasks += renderer.contract_tasks()
    output: dict[str, Rendered] = {}
    tests: dict[str, Rendered] = {}
    for number, (task, files) in enumerate(zip(tasks, _rendered(renderer, tasks), strict=True), 1):
        (tests if task.is_contract else output).update(files)
        progress(number, len(tasks))
    return output, tests


def processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _rendered(renderer: Renderer, tasks: Sequence[Task]) -> Iterator[list[tuple[str, Rendered]]]:
    """The files of each task, in order. A forked process has the program already; elsewhere one process does it all."""
    workers = min(processors(), len(tasks) // (ENOUGH // 2))
    if workers < 2 or len(tasks) < ENOUGH or not _can_fork():
        yield from (list(renderer.files(task)) for task in tasks)
        return
    size = min(_BATCH, -(-len(tasks) // (2 * workers)))
    batches = [tasks[start : start + size] for start in range(0, len(tasks), size)]
    gc.freeze()  # or a collection in a child would copy every page of the program
    try:
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(workers, context, initializer=_start, initargs=(renderer,)) as pool:
            for batch in pool.map(_run, batches):
                yield from batch
    finally:
        gc.unfreeze()


def groups(designs: Sequence[Path]) -> list[list[Path]]:
    """The designs in groups of much the same size, each worth a process; one group where more do not pay."""
    sizes = {design: _size(design) for design in designs}
    number = min(2 * processors(), len(designs), sum(sizes.values()) // ENOUGH_TEXT)
    if processors() < 2 or number < 2 or not _can_fork():
        return [list(designs)]
    made: list[list[Path]] = [[] for _ in range(number)]
    for design in sorted(designs, key=lambda design: sizes[design], reverse=True):
        min(made, key=lambda group: sum(sizes[other] for other in group)).append(design)
    return [[design for design in designs if design in group] for group in made]


def each(groups: Sequence[_In], do: Callable[[_In], _Out]) -> Iterator[_Out]:
    """What ``do`` gives for each group, in order, each done in a process; it ends early where a process is killed."""
    gc.freeze()
    try:
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(processors(), context, initializer=_take, initargs=(do,)) as pool:
            yield from pool.map(_do, groups)
    except BrokenProcessPool:
        return
    finally:
        gc.unfreeze()


def _size(design: Path) -> int:
    try:
        return design.stat().st_size
    except OSError:  # which loading it will tell of
        return 0


def _can_fork() -> bool:
    """Whether a process can be copied with all it has. Not while it is itself one of several."""
    return "fork" in multiprocessing.get_all_start_methods() and multiprocessing.parent_process() is None


_work: Callable[[Any], Any] | None = None


def _take(do: Callable[[Any], Any]) -> None:
    global _work
    _work = do
    gc.disable()  # the process ends soon, and what it makes is little


def _do(group: Any) -> Any:
    assert _work is not None
    return _work(group)


_renderer: Renderer | None = None


def _start(renderer: Renderer) -> None:
    global _renderer
    _renderer = renderer
    gc.disable()


def _run(tasks: Iterable[Task]) -> list[list[tuple[str, Rendered]]]:
    assert _renderer is not None
    return [list(_renderer.files(task)) for task in tasks]
