"""References of a rule (``also``) to definitions of its own, which let it say what holds itself.

They stand under ``$defs`` of the rule, and are referred to as ``#/$defs/Name``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolgen.design.problems import Report
from toolgen.design.texts import shown
from toolgen.runtime.keyrules import LIST_WORDS, SAME_VALUE, SCHEMA_WORDS, parts_of

BEGIN: Final = "#/$defs/"
"""What a reference to a definition begins with, before its name."""

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]+")


def definitions(rule: Mapping[str, Any]) -> dict[str, Any]:
    """The definitions of a rule by their names; none where ``$defs`` is no dict."""
    found = rule.get("$defs", {})
    return found if isinstance(found, dict) else {}


def judge(rule: Mapping[str, Any], report: Report) -> bool:
    """Report references that lead nowhere, or back to the same value without an end. Whether there are none."""
    known = definitions(rule)
    for name in known:
        if not _NAME.fullmatch(name):
            report(f"also defines {shown(name)}", "Name definitions with letters, digits, underscores, dots or dashes.")
            return False
    bodies = [{word: value for word, value in rule.items() if word != "$defs"}, *known.values()]
    for target in (target for body in bodies for target in targets(body)):
        if not isinstance(target, str) or target.removeprefix(BEGIN) not in known or not target.startswith(BEGIN):
            report(f"also refers to {shown(target)}, which it does not define", 'Write "#/$defs/Name", and define it.')
            return False
    circle = next((name for name in known if name in _reached(known[name], known)), None)
    if circle is not None:
        report(f"also says of {circle!r} that it is {circle!r} itself", "Let it hold itself in a property or an item.")
    return circle is None


def written_out(rule: Mapping[str, Any]) -> dict[str, Any]:
    """The rule with what it says of the value itself in place of references to it: those of its parts stay."""
    known = definitions(rule)
    made = _spread({word: value for word, value in rule.items() if word != "$defs"}, known)
    return {**made, "$defs": known} if any(True for _ in targets(made)) else made


def _spread(rule: Any, known: Mapping[str, Any]) -> Any:
    if not isinstance(rule, dict):
        return rule
    made = {word: _spread_part(word, value, known) for word, value in rule.items() if word != "$ref"}
    if "$ref" not in rule:
        return made
    target = _spread(known[rule["$ref"].removeprefix(BEGIN)], known)
    if not made:
        return target if isinstance(target, dict) else {"allOf": [target]}
    return {**made, "allOf": [target, *made.get("allOf", ())]}


def _spread_part(word: str, value: Any, known: Mapping[str, Any]) -> Any:
    if word not in SAME_VALUE:
        return value
    if word in SCHEMA_WORDS:
        return _spread(value, known)
    if word in LIST_WORDS:
        return [_spread(inner, known) for inner in value]
    return {name: _spread(inner, known) for name, inner in value.items()}


def targets(rule: Any) -> Iterator[Any]:
    """What the references in a rule lead to, at every depth."""
    if isinstance(rule, dict):
        yield from (rule[word] for word in ("$ref",) if word in rule)
        for _, inner in parts_of(rule):
            yield from targets(inner)


def _reached(rule: Any, known: Mapping[str, Any]) -> set[str]:
    """The definitions that judge the value which a rule judges."""
    found: set[str] = set()
    waiting = [rule]
    while waiting:
        at = waiting.pop()
        if not isinstance(at, dict):
            continue
        waiting += [inner for word, inner in parts_of(at) if word in SAME_VALUE]
        name = at["$ref"].removeprefix(BEGIN) if "$ref" in at else None
        if name is not None and name not in found:
            found.add(name)
            waiting.append(known[name])
    return found
