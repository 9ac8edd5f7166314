"""What ships: the wheel, and the pins."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.once
def test_the_wheel_holds_the_templates_and_needs_msgspec_alone(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    build = f"from hatchling.build import build_wheel; print(build_wheel({str(tmp_path)!r}))"
    command = [sys.executable, "-c", build]
    name = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()[-1]
    with zipfile.ZipFile(tmp_path / name) as wheel:
        names = set(wheel.namelist())
        metadata = next(wheel.read(item).decode() for item in names if item.endswith("/METADATA"))
    templates = {f"toolgen/templates/{path.name}" for path in (ROOT / "templates").iterdir()}
    assert templates <= names
    assert {"toolgen/py.typed", "toolgen/runtime/codec.py"} <= names
    assert {item.split("/")[0] for item in names if ".dist-info" not in item} == {"toolgen"}
    needs = re.findall(r"^Requires-Dist: (.*)$", metadata, re.MULTILINE)
    assert [need for need in needs if "extra ==" not in need] == ["msgspec>=0.20"]


OLD = """
import sys

sys.version_info = (3, 10, 13, "final", 0)
"""


@pytest.mark.once
@pytest.mark.parametrize("arguments", [["-m", "toolgen", "--version"], ["-c", "import toolgen.dsl"]])
def test_an_older_python_is_told_which_it_takes(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(OLD)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 1
    words = "toolgen needs Python 3.11 or newer; this is Python 3.10"
    assert done.stderr.splitlines()[-1].removeprefix("ImportError: ") == words
    assert arguments[0] == "-c" or done.stderr == f"{words}\n"


def test_each_dependency_has_an_exact_pin_without_an_address() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", pin) for pin in pins)
    pinned = {pin.split("==")[0].lower().replace("_", "-") for pin in pins}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = {*project["dependencies"], *extras["cli"], *extras["test"], *extras["dev"]}
    names = {re.match(r"[A-Za-z0-9-]+", want)[0] for want in wanted}  # type: ignore[index]
    assert names - {"toolgen"} <= pinned
