"""How property tests run here: without deadlines, which busy machines miss; and with few examples where asked."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("steady", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=20)
settings.load_profile("steady")
