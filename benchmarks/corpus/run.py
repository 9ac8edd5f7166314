"""Imports schemas that others wrote, and tries their instances on the compiled codecs.

    python benchmarks/corpus/run.py [FILE.jsonl] [--verbose]

Next to each group stand datamodel-code-generator's own pydantic models on the same instances.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolgen import emit, load
from toolgen.importer.importing import Imported, compose
from toolgen.importer.sources import Form, SourceFault, tools_of
from toolgen.importer.tools import plan_tool
from toolgen.preview import imported as module_of
from toolgen.runtime.issues import PayloadError

HERE = Path(__file__).parent


@dataclass
class Group:
    """The counts of the schemas of one origin."""

    schemas: int = 0
    imported: int = 0
    whole: int = 0
    instances: int = 0
    agree: int = 0
    false_accepts: int = 0
    false_rejects: int = 0
    in_whole: int = 0
    peer: int = 0
    said: list[str] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=HERE / "schemas.jsonl")
    parser.add_argument("--verbose", action="store_true", help="name what was lost, and each disagreement")
    arguments = parser.parse_args()
    groups: dict[str, Group] = {}
    for line in arguments.file.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        name = case["id"].partition("---")[0]
        measure(case, groups.setdefault("BFCL" if name.startswith("BFCL") else name, Group()))
    show(groups, verbose=arguments.verbose)


def measure(case: dict[str, Any], group: Group) -> None:
    group.schemas += 1
    tests = case["tests"]
    group.instances += len(tests)
    with pydantic_model(case["schema"]) as accepts:
        group.peer += sum(accepts(test["data"]) == test["valid"] for test in tests)
    made = import_one(case, group)
    if made is None or made.written is None:
        return
    group.imported += 1
    group.whole += not made.losses
    group.said += [entry.line() for entry in made.losses]
    with codec(made) as accepts:
        for test in tests:
            taken = accepts(test["data"])
            if taken == test["valid"]:
                group.agree += 1
                continue
            group.false_accepts += taken
            group.false_rejects += not taken
            group.in_whole += not made.losses
            data = json.dumps(test["data"], ensure_ascii=False)
            group.said.append(f"{case['id']}: {'takes' if taken else 'refuses'} {data[:200]}")


def import_one(case: dict[str, Any], group: Group) -> Imported | None:
    try:
        source = next(iter(tools_of(case["schema"], Form.JSON_SCHEMA, "trial")))
        made = compose([plan_tool(source, case["id"])], "corpus", "One schema.")
    except SourceFault as fault:
        group.said.append(f"{case['id']}: not imported: {fault}")
        return None
    group.said += [bad.line() for bad in made.bad]
    return made


@contextmanager
def codec(made: Imported) -> Iterator[Callable[[Any], bool]]:
    """Whether the compiled codec takes an instance."""
    assert made.written is not None
    with tempfile.TemporaryDirectory() as folder:
        design = Path(folder, "corpus.py")
        design.write_text(made.written.text, encoding="utf-8")
        program = load.load([design], root=Path(folder))
    with module_of(emit.render(program, emit.Options()), f"corpus.{made.written.tools[0]}") as module:

        def accepts(data: Any) -> bool:
            try:
                module.MODEL.strict.decode(json.dumps(data))
            except PayloadError:
                return False
            return True

        yield accepts


@contextmanager
def pydantic_model(schema: Any) -> Iterator[Callable[[Any], bool]]:
    """Whether the pydantic model of datamodel-code-generator takes an instance. Without a model, none is taken."""
    from datamodel_code_generator import DataModelType, InputFileType, generate
    from pydantic import TypeAdapter, ValidationError

    module = types.ModuleType("_corpus_peer")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = generate(
                json.dumps(schema),
                input_file_type=InputFileType.JsonSchema,
                output_model_type=DataModelType.PydanticV2BaseModel,
                class_name="Root",
            )
            sys.modules[module.__name__] = module
            exec(compile(str(text), module.__name__, "exec"), module.__dict__)  # its own generated code
            adapter = TypeAdapter(module.__dict__["Root"])
    except Exception:  # whatever its generator or its code raise: there is no model then
        yield lambda data: False
        return

    def accepts(data: Any) -> bool:
        try:
            adapter.validate_json(json.dumps(data), strict=True)
        except ValidationError:
            return False
        return True

    try:
        yield accepts
    finally:
        sys.modules.pop(module.__name__, None)


def show(groups: dict[str, Group], *, verbose: bool) -> None:
    heads = [
        "group",
        "schemas",
        "imported",
        "whole",
        "instances",
        "agree",
        "false accepts",
        "false rejects",
        "in whole",
        "dcg",
    ]
    rows = [[name, *_cells(group)] for name, group in groups.items()]
    rows.append(["all", *_cells(_sum(list(groups.values())))])
    widths = [max(len(row[n]) for row in (heads, *rows)) for n in range(len(heads))]
    for row in (heads, *rows):
        print(
            "  ".join(
                cell.ljust(width) if n == 0 else cell.rjust(width)
                for n, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
        )
    for group in groups.values() if verbose else ():
        for line in group.said:
            print(line)


def _cells(group: Group) -> list[str]:
    def share(part: int, of: int) -> str:
        return f"{part} ({100 * part / of:.0f}%)" if of else "-"

    return [
        str(group.schemas),
        str(group.imported),
        share(group.whole, group.schemas),
        str(group.instances),
        share(group.agree, group.instances),
        str(group.false_accepts),
        str(group.false_rejects),
        str(group.in_whole),
        share(group.peer, group.instances),
    ]


def _sum(groups: list[Group]) -> Group:
    total = Group()
    for name in (
        "schemas",
        "imported",
        "whole",
        "instances",
        "agree",
        "false_accepts",
        "false_rejects",
        "in_whole",
        "peer",
    ):
        setattr(total, name, sum(getattr(group, name) for group in groups))
    return total


if __name__ == "__main__":
    main()
