"""Runs the peers on the data that stepgate's rule judges and prints the tables. ci/lab_peers calls it."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from peers.adapters.stepgate_pairs import StepgatePairs
from peers.all_peers import all_peers
from peers.cell import Cell, Plan
from peers.comparison import Comparison
from peers.data_source import STORED, DataSource, Recorded, Simulator, StoredBase
from peers.decision_time import ask_alone
from peers.experiment import Experiment
from peers.peer import Peer
from peers.places import default_places
from peers.plans import Size, digest_of, plans_of
from peers.table import Group, groups
from peers.table_text import as_markdown, as_text
from peers.worst_of_all import worst_of_all

MODELS = "independent,process-0.5%,process-1%,two-modes-0.5%,session-2%,spikes,bursts"
ALONE_COMPARISONS = 3
"""Comparisons decided one by one, at no change and at +5 %: for the time of a decision, and to check that batches change no
verdict."""


@dataclass(frozen=True)
class Askers:
    """Rules with separate cells: if stepgate's rule changes, the peers need not run again."""

    rules: list[Peer]
    digest: str


def main() -> int:
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    simulator = Simulator(options.programs / "lab_samples")
    askers = _askers(options.programs)
    cells = [cell for one in askers for cell in _cells(one, simulator, options)]
    processor_s = {key: seconds for one in askers for key, seconds in _decision_times(one, simulator, options).items()}
    found = groups(cells, [rule for one in askers for peer in one.rules for rule in peer.rules])
    interleaved = [group for group in found if group.model in options.models.split(",")]
    _print_tables([worst_of_all(interleaved), *found], processor_s, options.out)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="ci/lab_peers", description=__doc__)
    parser.add_argument("--comparisons", type=int, default=300, help="comparisons in each cell (default 300)")
    parser.add_argument("--models", default=MODELS, help="noise models of lab_samples, separated by commas")
    parser.add_argument("--stored-models", default="session-2%",
                        help="models that are also judged with a base of another session (session-2%%)")
    parser.add_argument("--recorded", type=Path, nargs="*", default=[], help="files of recorded comparisons that are also judged")
    parser.add_argument("--processes", type=int, default=20, help="processes of each side (default 20, as pyperf has)")
    parser.add_argument("--steps", type=int, default=100, help="steps of each process (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the simulation (default 1)")
    parser.add_argument("--programs", type=Path, required=True, help="folder of lab_samples and lab_verdicts")
    parser.add_argument("--out", type=Path, required=True, help="folder of the results; finished cells in it are used again")
    return parser.parse_args()


def _askers(programs: Path) -> list[Askers]:
    places = default_places()
    if not places.complete():
        sys.exit("the peers are not installed: run ci/setup_peers")
    for program in ("lab_samples", "lab_verdicts"):
        if not (programs / program).exists():
            sys.exit(f"{programs / program} is missing: build it (ninja lab_samples lab_verdicts), or name its folder with"
                     " --programs")
    here = Path(__file__).resolve().parent
    own = here / "adapters" / "stepgate_pairs.py"
    pins = here.parents[2] / "ci"
    verdicts = programs / "lab_verdicts"
    stepgate = Askers([StepgatePairs(verdicts), StepgatePairs(verdicts, hypotheses=1)], digest_of([own, verdicts]))
    others = [file for file in here.glob("adapters/**/*.py") if file != own]
    return [stepgate, Askers(all_peers(places), digest_of([*others, *pins.glob("*peers*")]))]


def _cells(one: Askers, simulator: Simulator, options: argparse.Namespace) -> list[Cell]:
    experiment = Experiment(one.rules, options.out / "cells.jsonl", lambda line: print(line, file=sys.stderr, flush=True))
    size = Size(options.comparisons, options.processes, options.steps, options.seed)
    cells: list[Cell] = []
    for model in options.models.split(","):
        tools = f"{one.digest} {simulator.digest(model, size.seed)}"
        cells += experiment.run(plans_of(model, size, tools), simulator)
    for model in filter(None, options.stored_models.split(",")):
        tools = f"{one.digest} {simulator.digest(model, size.seed)}"
        cells += experiment.run(plans_of(model + STORED, size, tools), StoredBase(simulator))
    for file in options.recorded:
        for plan in _recorded_plans(Recorded(file), f"{one.digest} {digest_of([file])}"):
            cells += experiment.run([plan], Recorded(file))  # separately, because the numbers of processes may differ
    return cells


def _recorded_plans(source: Recorded, tools: str) -> list[Plan]:
    plans = []
    for (model, change), count in source.cells().items():
        first = next(c for c in source.all() if (c.model, c.change) == (model, change))
        plans.append(Plan(model, change, count, len(first.base_ns), len(first.base_ns[0]), 0, tools))
    return plans


def _decision_times(one: Askers, source: DataSource, options: argparse.Namespace) -> dict[str, float]:
    """Runs once for each set of tools. Stops if a tool decides a comparison differently alone and in a batch."""
    kept = options.out / f"alone-{one.digest}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    some = _some_of_each(source, options)
    processor_s: dict[str, float] = {}
    for peer in one.rules:
        alone = ask_alone(peer, some)
        differing = {key: count for key, count in alone.differing.items() if count}
        if differing:
            sys.exit(f"these rules decide differently alone and in a batch: {differing}")
        processor_s.update(alone.processor_s)
    print(f"{len(processor_s)} rules decided {len(some)} comparisons alone, with the same results as in a batch",
          file=sys.stderr, flush=True)
    kept.write_text(json.dumps(processor_s))
    return processor_s


def _some_of_each(source: DataSource, options: argparse.Namespace) -> list[Comparison]:
    some: list[Comparison] = []
    for change in (0.0, 0.05):
        plan = Plan(options.models.split(",")[0], change, ALONE_COMPARISONS, options.processes, options.steps, options.seed, "")
        some += [replace(c, index=len(some) + i) for i, c in enumerate(source.comparisons(plan, options.out))]
    return some


def _print_tables(found: list[Group], processor_s: dict[str, float], out: Path) -> None:
    print("\n\n".join(as_text(group, processor_s) for group in found))
    markdown = "\n\n".join(as_markdown(group, processor_s) for group in found)
    (out / "table.md").write_text(markdown + "\n")
    print(f"\nas Markdown: {out / 'table.md'}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
