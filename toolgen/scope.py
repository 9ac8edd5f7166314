"""Names in one generated module: what is imported, and under which name it can be reached where.

Whatever a design calls its fields and types, a generated name still means what the generator meant by it. A name that
a module-level definition or a narrower scope (the fields of a class, the locals of a function) hides is reached through
an alias with a leading underscore, which no design can take.
"""

from __future__ import annotations

import builtins
import itertools
import sys
from collections.abc import Collection, Iterable

HERE = ""
BUILTINS = "builtins"


class Scope:
    """The names of one generated module.

    Args:
        defined: every name that the module itself defines at its top level.
    """

    def __init__(self, defined: Iterable[str]) -> None:
        self._meanings: dict[str, tuple[str, str]] = {name: (HERE, name) for name in defined}
        self._defined = frozenset(self._meanings)

    def use(self, module: str, name: str, hidden: Collection[str] = ()) -> str:
        """The name by which ``name`` of ``module`` is reached in a scope where the names ``hidden`` mean other things.

        ``module`` is a dotted name, relative ones included, ``BUILTINS``, or ``HERE`` for the module's own definitions.

        Raises:
            ValueError: the module does not define ``name``.
        """
        if module == HERE and name not in self._defined:
            raise ValueError(f"{name} is not defined by this module: name the module that defines it")
        origin = (module, name)
        if name not in hidden and self._meanings.setdefault(name, origin) == origin:
            return name
        # One leading underscore, never two: inside a class Python gives names with two another meaning.
        aliases = (f"_{name}{number}" for number in itertools.count(2))
        local = next(
            candidate
            for candidate in itertools.chain((f"_{name}",), aliases)
            if candidate not in hidden and self._meanings.get(candidate, origin) == origin
        )
        self._meanings[local] = origin
        return local

    def define(self, wanted: str) -> str:
        """A name for one more definition of the module's own: ``wanted``, or that with a number where it is taken."""
        numbered = (f"{wanted}{number}" for number in itertools.count(2))
        name = next(candidate for candidate in itertools.chain((wanted,), numbered) if candidate not in self._meanings)
        self._meanings[name] = (HERE, name)
        self._defined |= {name}
        return name

    @property
    def known(self) -> frozenset[str]:
        """Every name that means something at the module's top level."""
        return frozenset(self._meanings)

    @property
    def aliases(self) -> list[tuple[str, str]]:
        """Aliases of the module's own names, as (alias, name), which stand at its end."""
        return sorted(
            (local, name) for local, (module, name) in self._meanings.items() if module == HERE and local != name
        )

    def import_lines(self) -> list[list[str]]:
        """The imports, in groups as isort has them: standard library, others, relative."""
        groups: dict[int, dict[str, list[tuple[str, str]]]] = {}
        for local, (module, name) in sorted(self._meanings.items(), key=lambda item: (item[1], item[0])):
            if module == HERE or (module == BUILTINS and local == name):
                continue
            group = 2 if module.startswith(".") else 0 if module.split(".")[0] in sys.stdlib_module_names else 1
            groups.setdefault(group, {}).setdefault(module, []).append((name, local))
        return [[_import(module, names) for module, names in groups[group].items()] for group in sorted(groups)]


def _import(module: str, names: list[tuple[str, str]]) -> str:
    return f"from {module} import " + ", ".join(n if n == local else f"{n} as {local}" for n, local in names)


def free_name(wanted: str, taken: Collection[str]) -> str:
    """``wanted``, with as many underscores behind it as keep it out of ``taken`` and of the builtins."""
    while wanted in taken or hasattr(builtins, wanted):
        wanted += "_"
    return wanted
