from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TO_TRY = Path(__file__).parent / "designs_to_try"
GROUPS = {path.stem: [path] if path.is_file() else sorted(path.glob("*.py")) for path in sorted(TO_TRY.iterdir())}


@pytest.mark.parametrize("group", [name for name, designs in GROUPS.items() if designs])
def test_the_contract_of_a_strange_design_holds(tmp_path: Path, group: str) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.toolgen]\noutput = "made"\ncontract-tests = "contracts"\n')
    for command in (["toolgen", "generate", *map(str, GROUPS[group])], ["pytest", "-q", "-p", "no:cacheprovider"]):
        done = subprocess.run([sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
