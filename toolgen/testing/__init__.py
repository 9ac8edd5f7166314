"""Inputs for tests, made from a canonical schema such as ``SPEC.model.schema``.

``valid_inputs`` and ``mutated_inputs`` are hypothesis strategies and need hypothesis installed; the others give the
same inputs on every run and need nothing. ``toolgen.testing.contract`` is what generated contract tests call;
``check_store`` tries a store of continuations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgen.testing.boundary import Boundary, boundary_inputs
from toolgen.testing.inputs import NoInput, full_input, minimal_input
from toolgen.testing.stores import check_store

if TYPE_CHECKING:
    from toolgen.testing.strategies import mutated_inputs, valid_inputs

__all__ = [
    "Boundary",
    "NoInput",
    "boundary_inputs",
    "check_store",
    "full_input",
    "minimal_input",
    "mutated_inputs",
    "valid_inputs",
]


if not TYPE_CHECKING:  # shown this, type checkers would take any name

    def __getattr__(name: str) -> Any:
        # The generator makes inputs too, where hypothesis need not be installed.
        if name in ("mutated_inputs", "valid_inputs"):
            from toolgen.testing import strategies

            return getattr(strategies, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
