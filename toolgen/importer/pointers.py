"""JSON Pointers (RFC 6901)."""

from __future__ import annotations


def escaped(name: str) -> str:
    """A name as one step of a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def steps(pointer: str) -> list[str]:
    """The names in a JSON Pointer."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
