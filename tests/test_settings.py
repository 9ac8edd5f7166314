"""Settings: where they are found, what they may hold, and what follows from the place of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolgen import settings
from toolgen.settings import Settings, SettingsError, Wanted

TABLE = """\
[tool.toolgen]
designs = ["designs/*.py"]
output = "src/acme/tools"
contract-tests = "tests/contracts"
providers = ["gemini", {name = "anthropic", errors = true}]
line-length = 100
package = "acme.tools"
"""


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "pyproject.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_settings_are_found_from_any_folder_below(tmp_path: Path) -> None:
    file = write(tmp_path, TABLE)
    (tmp_path / "a" / "b").mkdir(parents=True)
    expected = Settings(
        root=tmp_path.resolve(),
        file=file.resolve(),
        designs=("designs/*.py",),
        output="src/acme/tools",
        contract_tests="tests/contracts",
        providers=(Wanted("gemini"), Wanted("anthropic", errors=True)),
        line_length=100,
        package="acme.tools",
    )
    assert settings.find(tmp_path) == settings.find(tmp_path / "a" / "b") == expected


def test_a_project_file_without_the_table_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, TABLE)
    write(tmp_path / "inner", "[project]\nname = 'inner'\n")
    assert settings.find(tmp_path / "inner").root == tmp_path.resolve()


def test_the_nearest_table_counts(tmp_path: Path) -> None:
    write(tmp_path, TABLE)
    write(tmp_path / "inner", "[tool.toolgen]\noutput = 'x'\n")
    assert settings.find(tmp_path / "inner").output == "x"


def test_without_a_table_the_folder_itself_is_the_root(tmp_path: Path) -> None:
    write(tmp_path, "[tool.other]\n")
    assert settings.find(tmp_path) == Settings(root=tmp_path.resolve())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("output = 3", "output must be the path of a folder"),
        ("output = ''", "output must be the path of a folder"),
        ("designs = 'x.py'", "designs must be a list of files, folders or patterns"),
        ("designs = [1]", "designs must be a list"),
        ("providers = 'x'", "providers must be a list of providers"),
        ("providers = ['openai']", "there is no provider 'openai': did you mean openai_chat?"),
        ("providers = ['anthropic', 'x']", "openai_chat, openai_responses"),
        ("providers = [{name = 'mcp', error = true}]", "errors = true"),
        ("line-length = true", "line-length must be a whole number"),
        ("line-length = 20", "40 or more"),
        ("package = 'a-b'", "package must be the import name"),
        ("package = 'a.class'", "package must be the import name"),
        ("line_length = 88", "has no setting line_length: did you mean line-length?"),
        ("outptu = 'x'", "did you mean output?"),
        ("zzz = 1", "the settings are designs, output, contract-tests"),
    ],
)
def test_a_bad_setting_is_told_with_what_to_write(line: str, words: str, tmp_path: Path) -> None:
    write(tmp_path, f"[tool.toolgen]\n{line}\n")
    with pytest.raises(SettingsError) as caught:
        settings.find(tmp_path)
    assert words in str(caught.value)
    assert "pyproject.toml: [tool.toolgen]" in str(caught.value)


def test_all_bad_settings_are_told_at_once(tmp_path: Path) -> None:
    write(tmp_path, "[tool.toolgen]\noutput = 3\nzzz = 1\n")
    with pytest.raises(SettingsError) as caught:
        settings.find(tmp_path)
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize("text", ["[tool.toolgen\n", "[tool]\ntoolgen = 3\n"])
def test_a_file_that_cannot_be_read_is_told(text: str, tmp_path: Path) -> None:
    write(tmp_path, text)
    with pytest.raises(SettingsError, match=r"pyproject\.toml: "):
        settings.find(tmp_path)


@pytest.mark.parametrize(
    ("output", "packages", "name"),
    [
        ("generated", [], "generated"),
        ("src/acme/tools", ["src/acme"], "acme.tools"),
        ("src/acme/tools", [], "acme.tools"),
        ("services/desk/src/acme/tools", [], "acme.tools"),
        ("acme/tools", ["acme"], "acme.tools"),
        ("services/desk/acme/tools", ["services/desk/acme"], "acme.tools"),
        ("app/tools", [], "app.tools"),
        ("src", [], "src"),
        ("my-tools", [], None),
        ("src/class/tools", [], None),
        (".", [], None),
        ("../elsewhere", [], None),
    ],
)
def test_the_import_name_follows_from_the_place(
    output: str, packages: list[str], name: str | None, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    for package in packages:
        (root / package).mkdir(parents=True)
        (root / package / "__init__.py").touch()
    folder = (root / output).resolve()
    assert settings.derive_package(folder, root.resolve()) == name
