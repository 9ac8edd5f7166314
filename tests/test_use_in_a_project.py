"""Generated code as its users have it: inside a package with a src layout, installed from a built wheel."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "acme-desk"
version = "1.0"
dependencies = ["toolgen"]

[tool.hatch.build.targets.wheel]
packages = ["src/acme_desk"]

[tool.toolgen]
designs = ["designs/*.py"]
output = "src/acme_desk/tools"
contract-tests = "tests/contracts"
"""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that uses toolgen, its code generated, built and installed into ``site`` beside it."""
    pytest.importorskip("hatchling")
    root = tmp_path_factory.mktemp("acme")
    (root / "designs").mkdir()
    (root / "src" / "acme_desk").mkdir(parents=True)
    (root / "src" / "acme_desk" / "__init__.py").write_text("")
    (root / "src" / "acme_desk" / "py.typed").write_text("")
    (root / "pyproject.toml").write_text(PYPROJECT)
    for design in (ROOT / "designs").glob("*.py"):
        (root / "designs" / design.name).write_bytes(design.read_bytes())
    run(sys.executable, "-m", "toolgen", "generate", cwd=root / "src")
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel('dist'))"
    wheel = run(sys.executable, "-c", build, cwd=root).split()[-1]
    run(sys.executable, "-m", "zipfile", "-e", f"dist/{wheel}", "site", cwd=root)
    return root


@pytest.mark.once
def test_contract_tests_pass_on_the_installed_package_under_pytests_default_import_mode(project: Path) -> None:
    assert not list((project / "site").rglob("test_*.py")), "contract tests are never shipped"
    command = f"import sys; sys.path.insert(0, {str(project / 'site')!r}); import pytest; sys.exit(pytest.main())"
    out = run(sys.executable, "-c", command, cwd=project)
    assert " passed" in out
    assert "failed" not in out


@pytest.mark.once
def test_the_installed_package_is_typed_and_runs(project: Path) -> None:
    use = project / "use.py"
    use.write_text(
        textwrap.dedent(
            """
            from acme_desk.tools.ledger import record_payment
            from acme_desk.tools.support import search_tickets
            from acme_desk.tools.support.types import Ticket

            args: search_tickets.SearchTicketsArgs = search_tickets.MODEL.decode('{"query": "vpn"}')
            payload: search_tickets.SearchTicketsPayload = search_tickets.complete(args, tenant="acme")
            assert search_tickets.restore(search_tickets.EXECUTION.encode(payload), tenant="acme") == payload
            limit: int = payload.limit
            assert record_payment.SPEC.injected == ("book",)
            ticket = Ticket(1, "title", __import__("datetime").date(2026, 1, 1))
            print(limit, ticket.title)
            """
        )
    )
    run_it = f"import sys; sys.path.insert(0, {str(project / 'site')!r}); exec(open('use.py').read())"
    assert run(sys.executable, "-c", run_it, cwd=project) == "10 title\n"
    pytest.importorskip("mypy")
    command = f"import os; os.environ['MYPYPATH'] = {str(project / 'site')!r}; from mypy.main import main; "
    arguments = ["--strict", "--exclude", "site/.*", "use.py"]
    run(sys.executable, "-c", f"{command}main(args={arguments!r}, clean_exit=True)", cwd=project)


@pytest.mark.once
def test_check_is_clean_in_the_project_and_dirty_once_a_design_changes(project: Path) -> None:
    run(sys.executable, "-m", "toolgen", "check", cwd=project)
    design = project / "designs" / "support.py"
    text = design.read_text()
    design.write_text(text.replace("default=10, ge=1, le=100", "default=20, ge=1, le=100"))
    try:
        done = subprocess.run([sys.executable, "-m", "toolgen", "check"], cwd=project, capture_output=True, text=True)
        assert done.returncode == 1
        assert "search_tickets" in done.stdout
    finally:
        design.write_text(text)
