"""Importing a generated package of 1,000 tools and decoding one call, beside 1,000 equal pydantic models.

    python benchmarks/bench_import.py [--tools 1000] [--write]

The pydantic models are made by datamodel-code-generator from the published schemas, one module a tool, and imported
together, since pydantic builds a model when its class is made; decoding is one ``model_validate_json``. Each side runs
in processes of its own, which have imported the library that it stands on, toolgen's runtime or pydantic, before the
clock starts; the best of several counts. Memory is what the process grew by (Linux).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import report  # noqa: E402
from made_tools import write_designs  # noqa: E402

RESIDENT = """
import json, sys, time
def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
"""
OURS = """
sys.path[:0] = sys.argv[1:3]
import msgspec, toolgen.runtime
for name in toolgen.runtime.__all__:  # each is imported when it is first asked for
    getattr(toolgen.runtime, name)
before = resident()
start = time.perf_counter()
import importlib
toolsets = [importlib.import_module(f"generated.{name}").TOOLSET for name in json.loads(sys.argv[3])]
package, tool = json.loads(sys.argv[4])
importlib.import_module(f"generated.{package}").TOOLSET[tool].model.decode(sys.argv[5])
taken = time.perf_counter() - start
print(taken, resident() - before)
"""
THEIRS = """
sys.path[:0] = sys.argv[1:2]
import pydantic
from pydantic import BaseModel, Field, conlist, constr
before = resident()
start = time.perf_counter()
import importlib
models = {name: importlib.import_module(f"models.{name}").Model for name in json.loads(sys.argv[3])}
models[sys.argv[4]].model_validate_json(sys.argv[5])
taken = time.perf_counter() - start
print(taken, resident() - before)
"""


def write_model(work: tuple[str, str, dict[str, Any]]) -> None:
    """Writes the pydantic model of one schema."""
    import warnings

    from datamodel_code_generator import DataModelType, InputFileType, generate

    folder, name, schema = work
    warnings.simplefilter("ignore")
    generate(
        json.dumps(schema),
        input_file_type=InputFileType.JsonSchema,
        output=Path(folder, f"{name}.py"),
        output_model_type=DataModelType.PydanticV2BaseModel,
        class_name="Model",
        formatters=[],
    )


def measure(code: str, *arguments: str) -> tuple[float, float]:
    """Milliseconds and megabytes, the best of five."""
    runs = []
    for _ in range(5):
        command = [sys.executable, "-c", RESIDENT + code, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        taken, memory = done.stdout.split()
        runs.append((float(taken) * 1000, float(memory) / 1024))
    return min(run[0] for run in runs), min(run[1] for run in runs)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--tools", type=int, default=1000)
    options.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    number = options.parse_args().tools
    from toolgen.emit import Options
    from toolgen.load import load
    from toolgen.parallel import render
    from toolgen.schema import MODEL_ROLES, input_schema
    from toolgen.testing import minimal_input

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = load(write_designs(folder / "designs", number), root=folder)
        for path, file in render(program, Options(), contracts=False)[0].items():
            (folder / "generated" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "generated" / path).write_text(file.text, encoding="utf-8")
        (folder / "models").mkdir()
        tools = [(p.name, t) for p in program.packages if p.toolset for t in p.toolset.tools]
        schemas = {f"{package}_{tool.name}": input_schema(tool, program, MODEL_ROLES) for package, tool in tools}
        with ProcessPoolExecutor() as pool:
            work = [(str(folder / "models"), key, schema) for key, schema in schemas.items()]
            list(pool.map(write_model, work, chunksize=20))
        package, tool = tools[number // 2]
        schema = schemas[f"{package}_{tool.name}"]
        call = json.dumps(minimal_input(schema))
        packages = json.dumps([p.name for p in program.packages])
        for _ in range(2):  # the first import writes bytecode
            ours = measure(OURS, name, str(ROOT), packages, json.dumps([package, tool.name]), call)
            theirs = measure(THEIRS, name, "", json.dumps(list(schemas)), f"{package}_{tool.name}", call)
    rows = [
        ["generated package", f"{ours[0]:.1f} ms", f"{ours[1]:.1f} MB"],
        ["pydantic models", f"{theirs[0]:.1f} ms", f"{theirs[1]:.1f} MB"],
        ["ratio", f"{theirs[0] / ours[0]:.0f}", f"{theirs[1] / max(ours[1], 0.1):.0f}"],
    ]
    head = [f"{number} tools", "import and first decode", "memory"]
    report.write_section("import", f"{report.environment('msgspec', 'pydantic')}\n\n{report.table(head, rows)}")


if __name__ == "__main__":
    main()
