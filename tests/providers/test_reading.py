from __future__ import annotations

import warnings
from types import SimpleNamespace

import pytest

from toolgen.providers.reading import get


class Renamed:
    """An object of an SDK that has renamed a field and warns of the old name."""

    is_error = True
    structured_content = None

    @property
    def structuredContent(self) -> None:
        warnings.warn("renamed", DeprecationWarning, stacklevel=2)

    @property
    def isError(self) -> bool:
        warnings.warn("renamed", DeprecationWarning, stacklevel=2)
        return True


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "value",
    [
        {"isError": True},
        {"is_error": True},
        SimpleNamespace(isError=True),
        SimpleNamespace(is_error=True),
        Renamed(),
    ],
)
def test_a_key_is_found_in_each_spelling_and_without_a_warning(value: object) -> None:
    assert get(value, "isError") is True
    assert get(value, "structuredContent", "none") == "none"
