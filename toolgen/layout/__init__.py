"""Printed Python → the same, laid out as black would lay it out.

Black is right about everything, and slow. Generated code uses little of Python, and for that little this holds: a
bracket either fits its line or is opened, its content on one line or one item a line with a trailing comma. What is
not known here to be as black does it is not laid out at all, and the whole file is left to black.
"""

from __future__ import annotations

from toolgen.layout.statements import laid_out

__all__ = ["laid_out"]
