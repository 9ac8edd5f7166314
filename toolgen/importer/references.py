"""Where the references of a document lead: ``$id``, ``$anchor`` and JSON Pointers, and nothing out of the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote, urldefrag, urljoin

from toolgen.runtime.pointers import escaped

_IDS = ("$id", "id")
_ANCHORS = ("$anchor", "$dynamicAnchor")


class References:
    """The resources of a document by their URIs, and its anchors (JSON Schema 2020-12 Core, sections 8.2 and 9.2).

    Up to draft 7 an anchor is an ``$id`` of a fragment alone; draft 4 writes ``id``.
    """

    def __init__(self, raw: Any) -> None:
        self._resources: dict[str, str] = {"": ""}
        self._bases: dict[str, str] = {"": ""}
        self._anchors: dict[tuple[str, str], str] = {}
        self._dynamic: dict[str, int] = {}
        waiting: list[tuple[Any, str, str]] = [(raw, "", "")]
        while waiting:
            found, at, base = waiting.pop()
            if isinstance(found, Mapping):
                base = self._enter(found, at, base)
                waiting += [(inner, f"{at}/{escaped(str(name))}", base) for name, inner in found.items()]
            elif isinstance(found, list):
                waiting += [(inner, f"{at}/{n}", base) for n, inner in enumerate(found)]

    def _enter(self, found: Mapping[str, Any], at: str, base: str) -> str:
        """Takes down what a schema is called; the base of the references in it."""
        named = next((found[word] for word in _IDS if isinstance(found.get(word), str)), "")
        uri, anchor = urldefrag(named)
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
