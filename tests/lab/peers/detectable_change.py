"""The smallest change that a rule detects in 95 % of the comparisons, from the cells."""

from __future__ import annotations

from dataclasses import dataclass

WANTED = 0.95


@dataclass(frozen=True)
class Detectable:
    change: float | None
    """None if even the largest change tried is detected less often."""
    largest_tried: float


def detectable_change(caught: dict[float, float]) -> Detectable:
    """`caught`: change -> share called red. Goes down from the largest change to the point where the share falls below 95 %, with
    straight lines between the changes tried. Ignores change 0. Throws ValueError if there is no other change."""
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
