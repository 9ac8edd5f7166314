"""JSON Pointers (RFC 6901) of names without a limit; ``faults.pointer`` cuts those that an input makes."""

from __future__ import annotations


def escaped(name: str) -> str:
    """A name as one step of a pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def unescaped(step: str) -> str:
    """The name that a step of a pointer stands for."""
    return step.replace("~1", "/").replace("~0", "~")


def steps(pointer: str) -> list[str]:
    """The names in a pointer: of ``/a~1b/0``, ``a/b`` and ``0``."""
    return [unescaped(step) for step in pointer.split("/")[1:]]


def below(pointer: str, key: str | int) -> str:
    """The pointer with one more step."""
    return f"{pointer}/{escaped(str(key))}"
