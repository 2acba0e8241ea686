"""The table as text for a terminal, and as Markdown for a page."""

from __future__ import annotations

from dataclasses import dataclass

from peers.plans import FALSE_ALARM_CHANGES, MISSED_CHANGES
from peers.table import Entry, Group, Row

UNDECIDED_CHANGES = (0.0, 0.05)
MEANINGLESS = 0.05
"""If the false alarms of a rule at no change exceed stepgate's guarantee of 5 %, its detectable change means little and is in
brackets."""

HEADINGS = ["rule", "processes", *(f"false alarm at {change:+.0%}" if change else "false alarm at 0"
                                   for change in FALSE_ALARM_CHANGES),
            *(f"missed {change:+.0%}" for change in MISSED_CHANGES),
            *(f"undecided at {change:+.0%}" if change else "undecided at 0" for change in UNDECIDED_CHANGES),
            "95 % caught from", "processor s"]


def as_text(group: Group, processor_s: dict[str, float]) -> str:
    """Columns padded with spaces; a star if a rule is better than stepgate beyond the exact limits."""
    lines = [HEADINGS, *(_cells(row, group.own, processor_s, _Mark("", "*")) for row in group.rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    padded = ["  ".join([line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))])
              for line in lines]
    return "\n".join([_title(group), *padded])


def as_markdown(group: Group, processor_s: dict[str, float]) -> str:
    """Bold if a rule is better than stepgate beyond the exact limits."""
    lines = [HEADINGS, ["---", *["---:"] * (len(HEADINGS) - 1)],
             *(_cells(row, group.own, processor_s, _Mark("**", "**")) for row in group.rows)]
    return "\n".join([f"### {_title(group)}", "", *("| " + " | ".join(line) + " |" for line in lines)])


def _title(group: Group) -> str:
    return f"{group.model} ({group.comparisons} comparisons per cell; %, with exact 95 % limits in parentheses)"


@dataclass(frozen=True)
class _Mark:
    before: str
    after: str


def _cells(row: Row, own: Row, processor_s: dict[str, float], mark: _Mark) -> list[str]:
    def written(entries: dict[float, Entry], against: dict[float, Entry], change: float) -> str:
        if change not in entries:
            return "-"
        share = entries[change].share
        text = f"{share.value * 100:.1f} ({share.low * 100:.1f}–{share.high * 100:.1f})"
        return f"{mark.before}{text}{mark.after}" if entries[change].better_than(against[change]) else text

    return [row.rule.label, row.cost,
            *(written(row.false_alarms, own.false_alarms, change) for change in FALSE_ALARM_CHANGES),
            *(written(row.missed, own.missed, change) for change in MISSED_CHANGES),
            *(_bare(row.undecided, change) for change in UNDECIDED_CHANGES), _detectable(row),
            f"{processor_s[row.rule.key]:.2g}" if row.rule.key in processor_s else "-"]


def _bare(entries: dict[float, Entry], change: float) -> str:
    return f"{entries[change].share.value * 100:.1f}" if change in entries else "-"


def _detectable(row: Row) -> str:
    if row.detectable is None:
        return "-"
    found = row.detectable.change
    text = f"> {row.detectable.largest_tried * 100:.3g}" if found is None else f"{found * 100:.1f}"
    at_zero = row.false_alarms.get(0.0)
    return f"[{text}]" if found is not None and at_zero is not None and at_zero.share.low > MEANINGLESS else text
