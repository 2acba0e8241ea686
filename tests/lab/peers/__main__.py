"""Runs the peers on the data that stepgate's rule judges and prints the table: ci/lab_peers calls it."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from peers.adapters.stepgate_pairs import StepgatePairs
from peers.all_peers import all_peers
from peers.cell import Cell, Plan
from peers.comparison import Comparison
from peers.data_source import DataSource, Recorded, Simulator
from peers.decision_time import ask_alone
from peers.experiment import Experiment
from peers.peer import Peer, Rule
from peers.places import default_places
from peers.plans import Size, digest_of_tools, simulated_plans
from peers.table import groups
from peers.table_text import as_markdown, as_text

MODELS = "independent,process-0.5,process-1,bimodal,session,spikes,bursts"
ALONE_COMPARISONS = 5
"""Asked one by one, at no change and at +5 %: for the time of a decision, and to see that batches change no verdict."""


def main() -> int:
    options = _options()
    places = default_places()
    if not places.complete():
        sys.exit("the peers are not there: run ci/setup_peers")
    for program in ("lab_samples", "lab_verdicts"):
        if not (options.programs / program).exists():
            sys.exit(f"{options.programs / program} is missing: build it (ninja lab_samples lab_verdicts), or name its folder"
                     " with --programs")
    options.out.mkdir(parents=True, exist_ok=True)
    stepgate = StepgatePairs(options.programs / "lab_verdicts")
    peers = all_peers(places)
    experiment = Experiment(stepgate, peers, options.out / "cells.jsonl", lambda line: print(line, file=sys.stderr, flush=True))
    size = Size(options.comparisons, options.processes, options.steps, options.seed)
    tools = digest_of_tools(_tool_files())
    simulator = Simulator(options.programs / "lab_samples")
    cells = experiment.run(simulated_plans(options.models.split(","), size, tools), simulator)
    for file in options.recorded:
        cells += experiment.run(_recorded_plans(Recorded(file), size, tools), Recorded(file))
    asked = [stepgate, *peers]
    processor_s = _decision_times(asked, cells[0].plan, simulator, options.out / "alone.json")
    _print_tables(cells, [rule for peer in asked for rule in peer.rules], processor_s, options.out)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="ci/lab_peers", description=__doc__)
    parser.add_argument("--comparisons", type=int, default=400, help="in each cell (default 400)")
    parser.add_argument("--models", default=MODELS, help=f"noise models of lab_samples (default {MODELS})")
    parser.add_argument("--processes", type=int, default=20, help="of each side (default 20: what pyperf takes)")
    parser.add_argument("--steps", type=int, default=100, help="of each process (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="of the simulation (default 1)")
    parser.add_argument("--recorded", type=Path, nargs="*", default=[], help="files of recorded comparisons, judged as well")
    parser.add_argument("--programs", type=Path, required=True, help="folder of lab_samples and lab_verdicts")
    parser.add_argument("--out", type=Path, required=True, help="folder of the results; finished cells in it are taken over")
    return parser.parse_args()


def _tool_files() -> list[Path]:
    here = Path(__file__).resolve().parent
    pins = here.parents[2] / "ci"
    return [*here.glob("adapters/**/*.py"), pins / "setup_peers", *pins.glob("requirements-peers*.txt")]


def _recorded_plans(source: Recorded, size: Size, tools: str) -> list[Plan]:
    return [Plan(model, change, count, size.processes, size.steps, size.seed, f"{tools} {source.file.name}")
            for (model, change), count in source.cells().items()]


def _decision_times(asked: list[Peer], like: Plan, source: DataSource, kept: Path) -> dict[str, float]:
    """Once for each set of tools; stops where a tool decides a comparison otherwise alone than within a batch."""
    if kept.exists() and (before := json.loads(kept.read_text()))["tools"] == like.tools:
        return before["processor_s"]
    processor_s: dict[str, float] = {}
    for peer in asked:
        alone = ask_alone(peer, _some_of_each(like, source, kept.parent))
        differing = {key: count for key, count in alone.differing.items() if count}
        if differing:
            sys.exit(f"asked one by one, these rules decide otherwise than in a batch: {differing}")
        processor_s.update(alone.processor_s)
    print(f"asked one by one, every rule decided {2 * ALONE_COMPARISONS} comparisons as in the batch", file=sys.stderr)
    kept.write_text(json.dumps({"tools": like.tools, "processor_s": processor_s}))
    return processor_s


def _some_of_each(like: Plan, source: DataSource, folder: Path) -> list[Comparison]:
    some: list[Comparison] = []
    for change in (0.0, 0.05):
        plan = replace(like, change=change, comparisons=ALONE_COMPARISONS)
        some += [replace(c, index=len(some) + i) for i, c in enumerate(source.comparisons(plan, folder))]
    return some


def _print_tables(cells: list[Cell], rules: list[Rule], processor_s: dict[str, float], out: Path) -> None:
    found = groups(cells, rules)
    print("\n\n".join(as_text(group, processor_s) for group in found))
    markdown = "\n\n".join(as_markdown(group, processor_s) for group in found)
    (out / "table.md").write_text(markdown + "\n")
    print(f"\nas Markdown: {out / 'table.md'}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
