"""Templates, and what they compile to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest

from toolgen import templating
from toolgen.cache import Cache


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Cache]:
    (tmp_path / "cache" / "v2").mkdir(parents=True)
    yield Cache(tmp_path / "cache", tmp_path, {})
    templating._environment.cache_clear()


def text_of(store: Cache | None, name: str = "root.py.jinja") -> str:
    templating._environment.cache_clear()
    templating.keep_compiled(store)
    return templating.template(name).render()


def refuse(*args: object, **kwargs: object) -> None:
    raise AssertionError("it was compiled again")


def test_a_template_that_an_earlier_run_compiled_is_not_compiled_again(
    store: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = text_of(store)
    monkeypatch.setattr(jinja2.Environment, "compile", refuse)
    assert text_of(store) == text
    with pytest.raises(AssertionError, match="compiled again"):
        text_of(None)


@pytest.mark.parametrize("cut", [0, 1, 70, -1])
def test_a_damaged_one_is_compiled_again(store: Cache, tmp_path: Path, cut: int) -> None:
    text = text_of(store)
    (kept,) = (tmp_path / "cache" / "v2").glob("*.bytes")
    whole = kept.read_bytes()
    kept.write_bytes(whole[:cut])
    assert text_of(store) == text
    assert kept.read_bytes() == whole


def test_one_of_another_text_is_compiled_again(store: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templating, "templates_folder", lambda: tmp_path)
    for text in ("a = 1\n", "a = 2\n"):
        (tmp_path / "one.py.jinja").write_text(text)
        assert text_of(store, "one.py.jinja") == text


def test_a_store_that_cannot_be_written_costs_time_alone(store: Cache, tmp_path: Path) -> None:
    text = text_of(None)
    (tmp_path / "cache" / "v2").rmdir()
    assert text_of(store) == text
