"""The number of the interface between generated code and this runtime."""

from __future__ import annotations

INTERFACE = 1
"""What this release generates for. It is raised when generated code needs what an older runtime has not."""

OLDEST = 1
"""The oldest interface that this runtime still serves: the one before ``INTERFACE``, where there was one."""


def require_interface(number: int, /) -> None:
    """Checks that this runtime serves code that was generated for interface ``number``.

    Raises:
        ImportError: it does not; the message says whether to regenerate or to upgrade.
    """
    if OLDEST <= number <= INTERFACE:
        return
    mend = (
        "run `toolgen generate` again" if number < OLDEST else "install the toolgen that generated it, or a newer one"
    )
    raise ImportError(
        f"this code was generated for runtime interface {number}, and the installed toolgen serves "
        f"{OLDEST} to {INTERFACE}: {mend}"
    )
