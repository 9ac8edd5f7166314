"""Where the references of a document lead: ``$id``, ``$anchor`` and JSON Pointers, and nothing out of the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote, urldefrag, urljoin

from toolgen.runtime.pointers import escaped

_ANCHORS = ("$anchor", "$dynamicAnchor")
_DATA = frozenset({"enum", "const", "default", "examples", "example"})
_NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"})


class References:
    """The resources of a document by their URIs, and its anchors (JSON Schema 2020-12 Core, sections 8.2 and 9.2).

    Up to draft 7 an anchor is an ``$id`` of a fragment alone; draft 4 writes ``id``. The root may be called by either.
    ``id_word`` is the keyword that names a schema, if one does; ``siblings`` says whether it is read beside a ``$ref``.
    """

    def __init__(self, raw: Any, id_word: str | None = "$id", *, siblings: bool = True) -> None:
        self._id_word = id_word
        self._siblings = siblings
        self._resources: dict[str, str] = {"": ""}
        self._bases: dict[str, str] = {"": ""}
        self._anchors: dict[tuple[str, str], str] = {}
        self._dynamic: dict[str, int] = {}
        waiting: list[tuple[Any, str, str, bool]] = [(raw, "", "", False)]
        while waiting:
            found, at, base, are_names = waiting.pop()
            if isinstance(found, Mapping):
                base = base if are_names else self._enter(found, at, base)
                waiting += [
                    (inner, f"{at}/{escaped(str(name))}", base, not are_names and name in _NAMED)
                    for name, inner in found.items()
                    if are_names or name not in _DATA
                ]
            elif isinstance(found, list):
                waiting += [(inner, f"{at}/{n}", base, False) for n, inner in enumerate(found)]

    def _enter(self, found: Mapping[str, Any], at: str, base: str) -> str:
        """Takes down what a schema is called; the base of the references in it."""
        uri, anchor = urldefrag(self._name(found, at))
        if uri:
            base = urljoin(base, uri)
            self._resources.setdefault(base, at)
            self._bases[at] = base
        for name in (anchor, *(found[word] for word in _ANCHORS if isinstance(found.get(word), str))):
            if name:
                self._anchors.setdefault((base, name), at)
        if isinstance(found.get("$dynamicAnchor"), str):
            self._dynamic[found["$dynamicAnchor"]] = self._dynamic.get(found["$dynamicAnchor"], 0) + 1
        return base

    def _name(self, found: Mapping[str, Any], at: str) -> str:
        """What a schema is named by its draft's keyword, if it is."""
        if "$ref" in found and not self._siblings and at:
            return ""
        words = (self._id_word,) if at else ("$id", "id")
        return next((found[word] for word in words if word and isinstance(found.get(word), str)), "")

    def local(self, reference: str, at: str) -> str:
        """The reference at a pointer as one from the root of the document; as it is where it leads elsewhere."""
        base = self._base(at)
        uri, fragment = urldefrag(reference)
        target = urljoin(base, uri) if uri else base
        place = self._resources.get(target)
        if place is None:
            return reference
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            anchored = self._anchors.get((target, fragment))
            return reference if anchored is None else _written(anchored)
        return _written(f"{place}{fragment}")

    def is_fixed(self, reference: str) -> bool:
        """Whether a ``$dynamicRef`` leads to one place, whatever refers to the schema that holds it."""
        return self._dynamic.get(urldefrag(reference).fragment, 0) < 2

    def _base(self, at: str) -> str:
        """The URI of the resource that a pointer is in: that of its nearest ancestor with an ``$id``."""
        while at not in self._bases:
            at = at.rpartition("/")[0]
        return self._bases[at]


def _written(pointer: str) -> str:
    return "#" + quote(pointer, safe="/~!$&'()*+,;=:@")
