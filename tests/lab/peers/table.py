"""The content of the table: one row for each rule, one group of rows for each noise model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from peers.adapters.stepgate_pairs import KEY as STEPGATE
from peers.cell import Cell, Counts, joined
from peers.detectable_change import Detectable, detectable_change
from peers.exact_limits import Share, exact_share
from peers.peer import Rule
from peers.plans import FALSE_ALARM_CHANGES, MISSED_CHANGES


@dataclass(frozen=True)
class Entry:
    share: Share

    def better_than(self, other: Entry) -> bool:
        """True if the upper limit is below the other's lower limit. In every column the smaller share is better."""
        return self.share.high < other.share.low


@dataclass(frozen=True)
class Row:
    rule: Rule
    false_alarms: dict[float, Entry]
    """Change -> share called red."""
    missed: dict[float, Entry]
    """Change -> share not called red, including undecided comparisons."""
    undecided: dict[float, Entry]
    detectable: Detectable | None
    """None if no change above 0 was measured."""
    cost: str
    """Processes of base and head for one decision; for stepgate the mean over the group."""


@dataclass(frozen=True)
class Group:
    model: str
    comparisons: int
    rows: list[Row]

    @property
    def own(self) -> Row:
        """The row of stepgate, with which the others are compared. Throws StopIteration if it is missing."""
        return next(row for row in self.rows if row.rule.key == STEPGATE)


def groups(cells: list[Cell], rules: list[Rule]) -> list[Group]:
    """One group for each model, in the order of the cells."""
    cells = joined(cells)
    models = list(dict.fromkeys(cell.plan.model for cell in cells))
    return [_group([cell for cell in cells if cell.plan.model == model], rules) for model in models]


def _group(cells: list[Cell], rules: list[Rule]) -> Group:
    return Group(cells[0].plan.model, max(cell.plan.comparisons for cell in cells), [_row(cells, rule) for rule in rules])


def _row(cells: list[Cell], rule: Rule) -> Row:
    caught = {cell.plan.change: cell.counts[rule.key].red / cell.counts[rule.key].of for cell in cells}
    return Row(rule,
               {c.plan.change: _entry(c, rule, _red) for c in cells if c.plan.change in FALSE_ALARM_CHANGES},
               {c.plan.change: _entry(c, rule, _not_red) for c in cells if c.plan.change in MISSED_CHANGES},
               {c.plan.change: _entry(c, rule, _undecided) for c in cells},
               detectable_change(caught) if any(change > 0 for change in caught) else None,
               _cost(cells, rule))


def _red(counts: Counts) -> int:
    return counts.red


def _not_red(counts: Counts) -> int:
    return counts.of - counts.red


def _undecided(counts: Counts) -> int:
    return counts.undecided


def _entry(cell: Cell, rule: Rule, hits_of: Callable[[Counts], int]) -> Entry:
    counts = cell.counts[rule.key]
    return Entry(exact_share(hits_of(counts), counts.of))


def _cost(cells: list[Cell], rule: Rule) -> str:
    if all(rule.key in cell.mean_pairs for cell in cells):
        pairs = sum(cell.mean_pairs[rule.key] for cell in cells) / len(cells)
        return f"{pairs:.1f}+{pairs:.1f}"
    return rule.cost.replace("K", str(cells[0].plan.processes))
