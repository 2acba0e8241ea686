import json
import tempfile
import unittest
from pathlib import Path

from peers.adapters.pyperf_suites import Pyperf, read_table, write_suite
from peers.all_peers import PYPERF_MIN_SPEED_PERCENT
from peers.places import default_places
from peers.samples_for_tests import noisy, processes, slower_by
from peers.tool_run import run_tool
from peers.verdict import Verdict


class PyperfTest(unittest.TestCase):
    def decide(self, comparisons, min_speed=None):
        with tempfile.TemporaryDirectory() as folder:
            peer = Pyperf(default_places(), min_speed)
            return peer.decide(comparisons, Path(folder))[peer.rules[0].key]

    def test_clear_regressions_and_identical_data(self):
        self.assertEqual(self.decide([slower_by(0.10, 0), slower_by(0.0, 1), slower_by(-0.10, 2)]),
                         [Verdict.RED, Verdict.FINE, Verdict.FINE])

    def test_single_comparisons(self):
        self.assertEqual(self.decide([slower_by(0.10)]), [Verdict.RED])
        self.assertEqual(self.decide([slower_by(0.0)]), [Verdict.FINE])

    def test_min_speed_lets_smaller_changes_pass(self):
        comparisons = [slower_by(0.04, 0), slower_by(0.06, 1)]
        self.assertEqual(self.decide(comparisons), [Verdict.RED, Verdict.RED])
        self.assertEqual(self.decide(comparisons, PYPERF_MIN_SPEED_PERCENT), [Verdict.FINE, Verdict.RED])

    def test_a_change_within_the_noise_is_not_significant(self):
        self.assertEqual(self.decide([noisy(0.0005, 0.2)]), [Verdict.FINE])

    def test_suites_hold_twenty_processes_of_three_values(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "suite.json"
            write_suite({"c1": processes(1, 1.0)}, path)
            runs = json.loads(path.read_text())["benchmarks"][0]["runs"]
            shown = run_tool([default_places().python, "-m", "pyperf", "show", str(path)], Path(folder)).output
        self.assertEqual([len(run["values"]) for run in runs], [3] * 20)
        self.assertIn("50.0 ms", shown)

    def test_no_change_is_not_red(self):
        self.assertEqual(read_table("| c1        | 50.0 ms | 50.0 ms: no change |\n"), {"c1": Verdict.FINE})


if __name__ == "__main__":
    unittest.main()
