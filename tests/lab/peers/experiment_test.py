import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from peers.cell import Cell, Counts, Plan, append_cell, read_cells
from peers.data_source import STORED, DataSource, StoredBase
from peers.decision_time import ask_alone
from peers.experiment import Experiment
from peers.peer import Peer, Rule
from peers.plans import Size, plans_of
from peers.samples_for_tests import slower_by
from peers.verdict import Verdict


class Source(DataSource):
    def __init__(self):
        self.asked = []

    def comparisons(self, plan, folder):
        self.asked.append(plan.change)
        return [slower_by(plan.change, index) for index in range(plan.comparisons)]


class Limit(Peer):
    """Red above 2 %."""

    def __init__(self, key="limit", in_a_batch=0.02):
        self.key, self.in_a_batch = key, in_a_batch

    @property
    def rules(self):
        return (Rule(self.key, self.key, "", "", "1+1"),)

    def decide(self, comparisons, folder):
        limit = self.in_a_batch if len(comparisons) > 1 else 0.02
        return {self.key: [Verdict.RED if c.change > limit else Verdict.UNDECIDED for c in comparisons]}


class ExperimentTest(unittest.TestCase):
    def plans(self, seed=1):
        return plans_of("m", Size(4, 20, 100, seed), "tools")

    def test_counts_verdicts_and_uses_finished_cells_again(self):
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder) / "cells.jsonl"
            source = Source()
            experiment = Experiment([Limit(), Limit("peer")], results, lambda line: None)
            first = experiment.run(self.plans()[:3], source)
            again = experiment.run(self.plans(), source)
        self.assertEqual(source.asked, [0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.08, 0.12])
        self.assertEqual(again[:3], first)
        self.assertEqual(again[0].counts, {"limit": Counts(0, 4, 4), "peer": Counts(0, 4, 4)})
        self.assertEqual(again[5].counts["peer"], Counts(4, 0, 4))
        self.assertEqual(again[4].counts["peer"].of, 2)  # only for the detectable change

    def test_another_seed_is_another_cell(self):
        with tempfile.TemporaryDirectory() as folder:
            source = Source()
            experiment = Experiment([Limit()], Path(folder) / "cells.jsonl", lambda line: None)
            experiment.run(self.plans()[:1], source)
            experiment.run(self.plans(seed=2)[:1], source)
        self.assertEqual(len(source.asked), 2)

    def test_a_line_that_was_cut_off_does_not_damage_others(self):
        cells = [Cell(Plan("m", change, 1, 1, 1, 1, "t"), {"a": Counts(1, 0, 1)}, {"a": 4.0}, 0.1) for change in (0.0, 0.05)]
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder) / "cells.jsonl"
            append_cell(results, cells[0])
            with results.open("a") as file:
                file.write('{"plan": {"mod')
            append_cell(results, cells[1])
            self.assertEqual(list(read_cells(results).values()), cells)

    def test_a_stored_base_comes_from_another_comparison(self):
        plan = self.plans()[0]
        shifted = StoredBase(Source()).comparisons(replace(plan, model="m" + STORED), Path())
        straight = Source().comparisons(plan, Path())
        self.assertEqual([c.base_ns for c in shifted], [straight[i].base_ns for i in (3, 0, 1, 2)])
        self.assertEqual([c.head_ns for c in shifted], [c.head_ns for c in straight])

    def test_a_rule_that_decides_differently_in_a_batch_is_found(self):
        comparisons = [slower_by(0.0, 0), slower_by(0.05, 1)]
        self.assertEqual(ask_alone(Limit(), comparisons).differing, {"limit": 0})
        self.assertEqual(ask_alone(Limit(in_a_batch=0.06), comparisons).differing, {"limit": 1})


if __name__ == "__main__":
    unittest.main()
