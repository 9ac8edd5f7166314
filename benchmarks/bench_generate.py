"""Generation and drift checks at 10, 100 and 1,000 tools, beside datamodel-code-generator on the same schemas.

    python benchmarks/bench_generate.py [--tools 1000] [--write]

Everything is measured in this one run. Times are of whole commands in processes of their own, the best of several. What
is compared takes turns, and each ratio is the median of those of several turns, since a machine's speed wanders from
one minute to the next. datamodel-code-generator turns the schema of each tool's model input into dataclasses with
black, in one process that has imported everything before the clock starts; of 1,000 tools it is given the first 100,
since its time a tool does not depend on their number.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import report  # noqa: E402
from made_tools import write_designs  # noqa: E402

SETTINGS = '[tool.toolgen]\ndesigns = ["designs/*.py"]\noutput = "generated"\n'
MOST_OF_THE_OTHER = 100


class Project:
    """A project of made-up tools in a folder of its own, with a cache beside it."""

    def __init__(self, folder: Path, tools: int) -> None:
        self.folder = folder / f"tools{tools}"
        self.tools = tools
        self.designs = write_designs(self.folder / "designs", tools)
        (self.folder / "pyproject.toml").write_text(SETTINGS)
        self.cache = folder / f"cache{tools}"

    def forget(self, *, output: bool) -> None:
        """Empties the cache, and the output folder too."""
        shutil.rmtree(self.cache, ignore_errors=True)
        if output:
            shutil.rmtree(self.folder / "generated", ignore_errors=True)

    def environment(self) -> dict[str, str]:
        """Bytecode is kept, as where toolgen is installed."""
        here = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return {**here, "PYTHONPATH": str(ROOT), "TOOLGEN_CACHE": str(self.cache)}

    def run(self, command: str, code: int = 0) -> float:
        """Seconds of a toolgen command."""
        words = [sys.executable, "-m", "toolgen", command]
        start = time.perf_counter()
        done = subprocess.run(words, cwd=self.folder, env=self.environment(), capture_output=True, text=True)
        taken = time.perf_counter() - start
        assert done.returncode == code, done.stderr[-2000:]
        return taken

    def change_one_tool(self) -> None:
        path = self.designs[len(self.designs) // 2]
        text = path.read_text(encoding="utf-8")
        at = text.index('"""', text.index(".tool(")) + 3
        path.write_text(f"{text[:at]}Changed {time.time_ns()}. {text[at:]}", encoding="utf-8")


def best(times: int, measure: Callable[[], float]) -> float:
    return min(measure() for _ in range(times))


def from_nothing(project: Project) -> float:
    """Seconds of a run with no cache and no output."""
    project.forget(output=True)
    return project.run("generate")


@dataclass(frozen=True)
class Turn:
    """Seconds of what is compared, measured one after the other; of the other generator, for a tool."""

    nothing: float
    changed: float
    warm: float
    other: float


def turn(project: Project) -> Turn:
    nothing = from_nothing(project)
    changed = best(2, lambda: one_changed(project))
    warm = best(2, lambda: project.run("check"))
    return Turn(nothing, changed, warm, other_generator(project))


def one_changed(project: Project) -> float:
    """Seconds of a run after the design has changed in one tool."""
    project.change_one_tool()
    return project.run("generate")


def generation(project: Project) -> dict[str, float]:
    """Seconds of each command, by what it finds."""
    repeats = 3 if project.tools < 500 else 2

    def cold_check() -> float:
        project.forget(output=False)
        return project.run("check")

    found = {"from nothing": best(repeats, lambda: from_nothing(project)), "check, cold": best(repeats, cold_check)}
    found["check, warm"] = best(repeats + 2, lambda: project.run("check"))
    found["one tool changed"] = best(repeats + 1, lambda: one_changed(project))
    return found


def peak_memory(project: Project) -> dict[str, float]:
    """Megabytes of the largest process of a run from nothing, and of all its processes together at most."""
    project.forget(output=True)
    code = (
        "import os, resource, sys\n"
        "sys.argv = ['toolgen', 'generate']\n"
        "try:\n    from toolgen.__main__ import main; main()\n"
        "except SystemExit as done:\n    assert not done.code, done\n"
        "own, child = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))\n"
        "print(own, child, len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project.folder,
        env=project.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    own, child, processors = map(int, done.stdout.split()[-3:])
    scale = 1024 if sys.platform != "darwin" else 1024 * 1024
    return {"largest": max(own, child) / scale, "all": (own + child * processors) / scale}


def other_generator(project: Project) -> float:
    """Seconds a tool of datamodel-code-generator."""
    code = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
from pathlib import Path
import black
from datamodel_code_generator import DataModelType, Formatter, InputFileType, generate
schemas = json.loads(Path(sys.argv[1]).read_text())
def one(schema, name):
    generate(json.dumps(schema), input_file_type=InputFileType.JsonSchema, output=Path(sys.argv[2], name + ".py"),
             output_model_type=DataModelType.DataclassesDataclass, formatters=[Formatter.BLACK])
one(schemas[0][1], "warm")
start = time.perf_counter()
for name, schema in schemas:
    one(schema, name)
print((time.perf_counter() - start) / len(schemas))
"""
    from toolgen.load import load
    from toolgen.schema import MODEL_ROLES, input_schema

    program = load(project.designs[: MOST_OF_THE_OTHER // 20 or 1], root=project.folder)
    tools = [tool for package in program.packages if package.toolset for tool in package.toolset.tools]
    schemas = [(tool.name, input_schema(tool, program, MODEL_ROLES)) for tool in tools[:MOST_OF_THE_OTHER]]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "schemas.json")
        file.write_text(json.dumps(schemas))
        done = subprocess.run(
            [sys.executable, "-c", code, str(file), folder], capture_output=True, text=True, check=True, cwd=folder
        )
    return float(done.stdout.split()[-1])


def command_start() -> tuple[float, float]:
    """Seconds of ``toolgen --version``, and of Python importing click."""

    def seconds(*words: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, capture_output=True, cwd=ROOT)
        return time.perf_counter() - start

    pairs = [(seconds("-m", "toolgen", "--version"), seconds("-c", "import click")) for _ in range(15)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--tools", type=int, default=1000, help="the largest number of tools")
    options.add_argument("--write", action="store_true", help="put the tables into benchmarks/README.md")
    most = options.parse_args().tools
    sizes = [size for size in (10, 100, 1000) if size < most] + [most]
    with tempfile.TemporaryDirectory() as folder:
        projects = [Project(Path(folder), size) for size in sizes]
        memory = peak_memory(projects[-1])
        took = {project.tools: generation(project) for project in projects}
        turns = [turn(projects[-1]) for _ in range(5)]
    head = ["tools", "from nothing", "ms a tool", "check, cold cache", "check, warm cache", "one tool changed"]
    rows = [
        [str(tools), _seconds(row["from nothing"]), f"{row['from nothing'] / tools * 1000:.1f}"]
        + [_seconds(row[name]) for name in ("check, cold", "check, warm", "one tool changed")]
        for tools, row in took.items()
    ]
    version, click = command_start()
    lines = [
        report.environment("black", "datamodel-code-generator"),
        f"Load of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.",
        "",
        report.table(head, rows),
        "",
        f"- datamodel-code-generator: {min(t.other for t in turns) * 1000:.1f} ms a tool at best, "
        f"{ratio(turns, lambda t: t.other * most):.1f} times as long as from nothing.",
        f"- Warm check: {ratio(turns, lambda t: t.warm):.3f} of the time from nothing; "
        f"one tool changed: {ratio(turns, lambda t: t.changed):.3f}.",
        f"- Peak memory from nothing: {memory['largest']:.0f} MB a process, at most {memory['all']:.0f} MB in all.",
        f"- `toolgen --version`: {version * 1000:.0f} ms; `python -c 'import click'`: {click * 1000:.0f} ms; "
        f"{version / click:.2f} times.",
    ]
    report.write_section("generate", "\n".join(lines))


def ratio(turns: Sequence[Turn], seconds: Callable[[Turn], float]) -> float:
    """How something compares with a run from nothing in the same turn: the median of all turns."""
    return statistics.median(seconds(turn) / turn.nothing for turn in turns)


def _seconds(value: float) -> str:
    return f"{value:.2f} s"


if __name__ == "__main__":
    main()
