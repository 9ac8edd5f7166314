"""The command ``toolgen``, also as ``python -m toolgen``."""

from __future__ import annotations

import sys

_OF_THE_CLI = frozenset({"black", "click", "jinja2", "jsonschema"})


def main() -> None:
    """Runs the command line; a base install, which is the runtime alone, is told what to add."""
    try:
        from toolgen.cli import cli

        cli(prog_name="toolgen")
    except ModuleNotFoundError as error:
        if error.name not in _OF_THE_CLI:
            raise
        sys.exit(f"toolgen: {error.name} is not installed; the commands need: pip install 'toolgen[cli]'")


if __name__ == "__main__":
    main()
