"""Random responses, submitted in both forms: what is generated for them holds to its own contract."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from contract_runs import failure_of, modules_and_contracts
from hypothesis import HealthCheck, Phase, given, seed, settings
from random_designs import Cell, Design, deck, seed_of, submits

from toolgen.load import load

pytestmark = pytest.mark.once

FACTOR = int(os.environ.get("TOOLGEN_PROOF", "1"))
HAND = 7
CELLS = [cell for cell in deck() if cell.place not in ("restored", "injected")]
HANDS = [tuple(CELLS[start : start + HAND]) for start in range(0, len(CELLS), HAND)]

# Every hand takes long: in one run of the suite each twentieth is tried.
TRIED = HANDS[:: max(1, 20 // FACTOR)]


@pytest.mark.parametrize("number", range(len(TRIED)))
def test_random_submits_hold_to_their_contract(number: int, tmp_path: Path) -> None:
    hold(TRIED[number], tmp_path)


def hold(hand: tuple[Cell, ...], folder: Path) -> None:
    @settings(
        max_examples=1,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @seed(seed_of(hand))
    @given(submits(hand))
    def holds(design: Design) -> None:
        path = folder / "design.py"
        path.write_text(design.source, encoding="utf-8")
        modules, contracts = modules_and_contracts(load([path], root=folder))
        assert len(contracts) == 2
        for contract in contracts.values():
            failure = failure_of(contract, modules)
            if failure is not None:
                raise failure

    holds()
