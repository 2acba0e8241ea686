"""One group of rows for all noise models: for each rule and column the worst value."""

from __future__ import annotations

from peers.detectable_change import Detectable
from peers.table import Entry, Group, Row


def worst_of_all(found: list[Group]) -> Group:
    """Each column is taken separately, so a row may contain figures of several models. Needs at least one group; all groups need
    the same rules."""
    rows = [_worst([group.rows[i] for group in found]) for i in range(len(found[0].rows))]
    return Group(f"worst of {len(found)} noise models", min(group.comparisons for group in found), rows)


def _worst(rows: list[Row]) -> Row:
    return Row(rows[0].rule, _largest([row.false_alarms for row in rows]), _largest([row.missed for row in rows]),
               _largest([row.undecided for row in rows]), _hardest([row.detectable for row in rows if row.detectable]),
               max((row.cost for row in rows), key=_processes))


def _largest(columns: list[dict[float, Entry]]) -> dict[float, Entry]:
    changes = dict.fromkeys(change for column in columns for change in column)
    return {change: max((column[change] for column in columns if change in column), key=lambda entry: entry.share.value)
            for change in changes}


def _hardest(found: list[Detectable]) -> Detectable | None:
    return max(found, key=lambda one: float("inf") if one.change is None else one.change, default=None)


def _processes(cost: str) -> float:
    return sum(float(side) for side in cost.split("+"))
