"""Compiling on as many processors as pay, with word of how far it is."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from toolgen import ir
from toolgen.emit import Options, Rendered, Renderer
from toolgen.tasks import Part, Task

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
    program: ir.Program,
    options: Options,
    *,
    contracts: bool,
    progress: Progress = lambda done, of: None,
    known: Mapping[str, str] = MappingProxyType({}),
) -> tuple[dict[str, Rendered], dict[str, Rendered]]:
    """The generated package and its contract tests, each by path. The same as one process gives.

    ``known`` holds texts that were printed before, by the digests that they are known by. Raises SyntaxError, Unmade.
    """
    renderer = Renderer(program, options)
    tasks = [*renderer.tasks.of_output(), *(renderer.tasks.of_contracts() if contracts else ())]
    digests = [renderer.digest(task) for task in tasks]
    fresh = _printed(renderer, [task for task, digest in zip(tasks, digests, strict=True) if digest not in known])
    output: dict[str, Rendered] = {}
    tests: dict[str, Rendered] = {}
    for number, (task, digest) in enumerate(zip(tasks, digests, strict=True), 1):
        text = known[digest] if digest in known else next(fresh)
        (tests if task.part is Part.CONTRACT else output)[task.path] = renderer.file(task, text, digest)
        progress(number, len(tasks))
    return output, tests


def processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _printed(renderer: Renderer, tasks: Sequence[Task]) -> Iterator[str]:
    """The text of each task's file, in order. A forked process has the tasks already; elsewhere one does them all."""
    workers = min(processors(), len(tasks) // (ENOUGH // 2))
    if workers < 2 or len(tasks) < ENOUGH or not _can_fork():
        yield from map(renderer.text, tasks)
        return
    size = min(_BATCH, -(-len(tasks) // (2 * workers)))
    batches = [range(len(tasks))[start : start + size] for start in range(0, len(tasks), size)]
    for texts in _forked(workers, lambda batch: [renderer.text(tasks[number]) for number in batch], batches):
        yield from texts


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
    from concurrent.futures.process import BrokenProcessPool

    try:
        yield from _forked(processors(), do, groups)
    except BrokenProcessPool:
        return


def _forked(workers: int, do: Callable[[_In], _Out], given: Iterable[_In]) -> Iterator[_Out]:
    """What ``do`` gives for each, in order, in processes that have all that this one has."""
    import multiprocessing  # which a run that prints a file or two is spared
    from concurrent.futures import ProcessPoolExecutor

    gc.freeze()  # or a collection in a child would copy every page of the program
    try:
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(workers, context, initializer=_take, initargs=(do,)) as pool:
            yield from pool.map(_do, given)
    finally:
        gc.unfreeze()


def _size(design: Path) -> int:
    try:
        return design.stat().st_size
    except OSError:  # which loading it will tell of
        return 0


def _can_fork() -> bool:
    """Whether a process can be copied with all it has. Not while it is itself one of several."""
    import multiprocessing

    return "fork" in multiprocessing.get_all_start_methods() and multiprocessing.parent_process() is None


_work: Callable[[Any], Any] | None = None


def _take(do: Callable[[Any], Any]) -> None:
    global _work
    _work = do
    gc.disable()  # the process ends soon, and what it makes is little


def _do(group: Any) -> Any:
    assert _work is not None
    return _work(group)
