"""One cell of the experiment: some rules on the comparisons of one noise model at one change. Kept as one JSON line."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class Plan:
    """The definition of a cell. A stored cell is used again only if its plan is equal."""

    model: str
    change: float
    comparisons: int
    processes: int
    steps: int
    seed: int
    tools: str
    """Digests of the tools, the adapters and the data. If one of them differs, it is another cell."""


@dataclass(frozen=True)
class Counts:
    red: int
    undecided: int
    of: int


@dataclass(frozen=True)
class Cell:
    plan: Plan
    counts: dict[str, Counts]
    """By the key of the rule."""
    mean_pairs: dict[str, float]
    """Only for rules that ask for pairs until they decide: key of the rule -> number of pairs."""
    seconds: float
    """An equal share of the time of the cells that were measured together."""


def to_line(cell: Cell) -> str:
    return json.dumps(asdict(cell))


def from_line(line: str) -> Cell:
    fields = json.loads(line)
    counts = {key: Counts(**count) for key, count in fields["counts"].items()}
    return Cell(Plan(**fields["plan"]), counts, fields["mean_pairs"], fields["seconds"])


def joined(cells: list[Cell]) -> list[Cell]:
    """One cell for each model and change, with the rules of all its cells, in the order of the first of each."""
    found: dict[tuple[str, float], Cell] = {}
    for cell in cells:
        key = (cell.plan.model, cell.plan.change)
        first = found.get(key, cell)
        found[key] = replace(first, counts=first.counts | cell.counts, mean_pairs=first.mean_pairs | cell.mean_pairs)
    return list(found.values())


def read_cells(path: Path) -> dict[Plan, Cell]:
    """The cells of an earlier run. A line that an interruption cut off is ignored."""
    cells: dict[Plan, Cell] = {}
    if path.exists():
        for line in path.read_text().splitlines():
            try:
                cell = from_line(line)
            except (ValueError, KeyError, TypeError):
                continue
            cells[cell.plan] = cell
    return cells


def append_cell(path: Path, cell: Cell) -> None:
    """Appends one line, also after a line that was cut off."""
    cut = path.exists() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
    with path.open("a") as file:
        file.write(("\n" if cut else "") + to_line(cell) + "\n")
