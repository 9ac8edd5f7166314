"""Tables of figures, and the sections of ``benchmarks/README.md`` that they stand in."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

README = Path(__file__).with_name("README.md")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first are numbers."""
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def environment(*packages: str) -> str:
    """What the figures were measured on: Python, processor and the peers' versions."""
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    return f"{platform.python_implementation()} {platform.python_version()}, {_processor()}; {versions}."


def _processor() -> str:
    try:
        names = re.findall(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        names = []
    return f"{names[0] if names else platform.machine()} ({os.cpu_count()} cores)"


def write_section(name: str, text: str) -> None:
    """Prints a section, and puts it into the README where ``--write`` was given."""
    print(text)
    if "--write" not in sys.argv:
        return
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, rest = README.read_text(encoding="utf-8").split(begin)
    after = rest.split(end)[1]
    README.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
