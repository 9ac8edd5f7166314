"""Syntax trees that are shared."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from toolgen import syntax

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("file", sorted((ROOT / "designs").glob("*.py")), ids=lambda path: path.stem)
def test_the_nodes_are_those_that_python_walks_over(file: Path) -> None:
    tree = syntax.tree(file.read_bytes())
    assert Counter(map(id, syntax.nodes(tree))) == Counter(map(id, ast.walk(tree)))


def test_equal_texts_share_a_tree() -> None:
    assert syntax.tree(b"a = 1") is syntax.tree(b"a = 1")
    assert syntax.tree(b"a = 2") is not syntax.tree(b"a = 1")
