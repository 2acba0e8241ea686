"""stepgate's rule, through lab_verdicts: interleaved pairs of fresh processes, decided at interim analyses."""

from __future__ import annotations

import json
from pathlib import Path

from peers.comparison import Comparison
from peers.peer import Peer, Rule, UnreadVerdict, Verdicts
from peers.tool_run import run_tool
from peers.verdict import Verdict

SUITE = 20
"""Hypotheses that share the 5 % of false reds: a suite of 20 cases, the default of stepgate's lab."""
KEY = f"stepgate.{SUITE}"
"""The rule that the others are compared with."""
_CALLS = {"regressed": Verdict.RED, "inconclusive": Verdict.UNDECIDED, "pass": Verdict.FINE, "improved": Verdict.FINE}


class StepgatePairs(Peer):
    def __init__(self, lab_verdicts: Path, hypotheses: int = SUITE) -> None:
        self._program = lab_verdicts
        self._hypotheses = hypotheses
        self._pairs: list[int] = []

    @property
    def rules(self) -> tuple[Rule, ...]:
        suite = "1 case" if self._hypotheses == 1 else f"suite of {self._hypotheses} cases"
        return (Rule(f"stepgate.{self._hypotheses}", f"stepgate A/B, {suite}",
                     "pairs of processes as its plan needs them, all steps; it stops when it decides",
                     "it says regressed; inconclusive counts as undecided",
                     "as many pairs as it needed"),)

    @property
    def pairs(self) -> list[int]:
        """The number of pairs that each comparison of the last call needed."""
        return self._pairs

    def decide(self, comparisons: list[Comparison], folder: Path) -> Verdicts:
        samples = folder / "samples.jsonl"
        with samples.open("w") as file:
            for c in comparisons:
                file.write(json.dumps({"model": c.model, "change": c.change, "index": c.index, "base": c.base_ns,
                                       "head": c.head_ns, "head_first": list(c.head_first)}) + "\n")
        said = {line["index"]: line for line in map(json.loads, self._run(samples).splitlines())}
        missing = [c.index for c in comparisons if c.index not in said]
        if missing:
            raise UnreadVerdict(f"the output of lab_verdicts lacks comparison {missing[0]}")
        self._pairs = [said[c.index]["pairs"] for c in comparisons]
        return {self.rules[0].key: [_CALLS[said[c.index]["call"]] for c in comparisons]}

    def _run(self, samples: Path) -> str:
        return run_tool([str(self._program), str(samples), "--hypotheses", str(self._hypotheses)], samples.parent).output
