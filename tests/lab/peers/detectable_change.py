"""The smallest change that a rule catches in 95 % of the comparisons, read off the cells."""

from __future__ import annotations

from dataclasses import dataclass

WANTED = 0.95


@dataclass(frozen=True)
class Detectable:
    change: float | None
    """None: not even the largest change tried is caught that often."""
    largest_tried: float


def detectable_change(caught: dict[float, float]) -> Detectable:
    """`caught`: change -> share called red. From above: the point where the share falls below 95 %, a straight line between the
    changes tried. Change 0 is left out. Throws ValueError where there is no change to look at."""
    changes = sorted(change for change in caught if change > 0)
    if not changes:
        raise ValueError("no change above 0 was tried")
    found: float | None = None
    for change in reversed(changes):
        if caught[change] < WANTED:
            if found is not None:
                share = (WANTED - caught[change]) / (caught[found] - caught[change])
                found = change + share * (found - change)
            return Detectable(found, changes[-1])
        found = change
    return Detectable(found, changes[-1])
