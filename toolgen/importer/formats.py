"""``format`` of other people's schemas: a type, a format or a pattern of the design language, or nothing."""

from __future__ import annotations

from typing import Final

from toolgen.runtime import formats

TYPES: Final = {"date": "date", "time": "time", "date-time": "datetime", "uuid": "UUID"}
"""Formats that are types of the design language. A UUID may also be written without its dashes."""

_TIME: Final = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
_PCHAR: Final = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_VARIABLE: Final = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?::[1-9][0-9]{0,3}|\\*)?"

PATTERNS: Final = {
    # RFC 3339, appendix A; years and months are more than a timedelta holds.
    "duration": (f"^P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)(?:{_TIME})?|{_TIME})$"),
    # RFC 1123, section 2.1.
    "hostname": r"^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$",
    # RFC 6901, section 3.
    "json-pointer": "^(?:/(?:[^~/]|~[01])*)*$",
    "relative-json-pointer": "^(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)$",
    # RFC 6570, section 2.
    "uri-template": (
        f"^(?:[^\\x00-\\x20\"'%<>\\\\^`{{|}}]|%[0-9A-Fa-f]{{2}}|\\{{[+#./;?&=,!@|]?{_VARIABLE}(?:,{_VARIABLE})*\\}})*$"
    ),
    # RFC 3986, appendix A, with a host in brackets left as it is.
    "uri-reference": (
        "^(?:[A-Za-z][A-Za-z0-9+.-]*:)?"
        f"(?://(?:{_PCHAR}|\\[[0-9A-Fa-f:.]+\\])*)?(?:/|{_PCHAR})*"
        f"(?:\\?(?:{_PCHAR}|[/?])*)?(?:#(?:{_PCHAR}|[/?])*)?$"
    ),
}
"""Formats that a pattern says exactly enough."""

UNCHECKED: Final = frozenset({"idn-email", "idn-hostname", "iri", "iri-reference", "regex"})
"""Formats of JSON Schema (2020-12 Validation, section 7.3) that nothing here can check."""

NATIVE: Final = formats.FORMATS
"""What ``format=`` may name."""
