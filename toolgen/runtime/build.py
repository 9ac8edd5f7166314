"""Making objects of generated dataclasses in the fast lane."""

from __future__ import annotations

new = object.__new__
"""Makes an object without running ``__init__``. Generated transforms set every attribute of it."""
