"""Types of generated bodies: what msgspec decodes where the dataclass has a type with more to say."""

from __future__ import annotations

import datetime
from typing import Annotated, TypeAlias

from msgspec import Meta

MAX_FLOAT = 1.7976931348623157e308

FiniteFloat: TypeAlias = Annotated[float, Meta(ge=-MAX_FLOAT, le=MAX_FLOAT)]
"""A float without NaN and infinities: the bounds keep them out at no cost."""

AwareDatetime: TypeAlias = Annotated[datetime.datetime, Meta(tz=True)]
"""A moment with its offset (RFC 3339, section 5.6)."""

TimeText: TypeAlias = str
"""A time of day with its offset (RFC 3339, section 5.6, full-time), as text; ``guards.clock`` reads it."""

DurationText: TypeAlias = str
"""An ISO 8601 duration of weeks, days, hours, minutes and seconds, as text; ``guards.duration`` reads it."""

DecimalText: TypeAlias = str
"""A finite decimal number, as text; ``guards.decimal`` reads it."""
