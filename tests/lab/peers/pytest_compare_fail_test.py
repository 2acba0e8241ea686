import tempfile
import unittest
from pathlib import Path

from peers.adapters.pytest_compare_fail import PytestCompareFail, read_failures
from peers.comparison import Comparison
from peers.peer import UnreadVerdict
from peers.places import default_places
from peers.samples_for_tests import slower_by
from peers.tool_run import Finished
from peers.verdict import Verdict


class PytestCompareFailTest(unittest.TestCase):
    def decide(self, comparisons, fields=("mean", "median", "min")):
        with tempfile.TemporaryDirectory() as folder:
            return PytestCompareFail(default_places(), fields).decide(comparisons, Path(folder))

    def test_clear_regressions_and_identical_data(self):
        verdicts = self.decide([slower_by(0.10, 0), slower_by(0.0, 1), slower_by(-0.10, 2)])
        self.assertEqual(verdicts, {f"pytest.{field}": [Verdict.RED, Verdict.FINE, Verdict.FINE]
                                    for field in ("mean", "median", "min")})

    def test_the_limit_is_five_percent(self):
        self.assertEqual(self.decide([slower_by(0.04, 0), slower_by(0.06, 1)], ("mean",)),
                         {"pytest.mean": [Verdict.FINE, Verdict.RED]})

    def test_each_field_is_checked_separately(self):
        same = [100] * 99
        spike = Comparison("test", 0.0, 0, [[*same, 100]], [[*same, 10_000]], (True,))
        self.assertEqual(self.decide([spike]), {"pytest.mean": [Verdict.RED], "pytest.median": [Verdict.FINE],
                                                "pytest.min": [Verdict.FINE]})

    def test_a_failed_run_has_status_1_and_rounds_are_the_recorded_steps(self):
        with tempfile.TemporaryDirectory() as folder:
            peer = PytestCompareFail(default_places())
            base = peer.play({"c1": [10_000_000, 30_000_000]}, Path(folder), ["--benchmark-save=base"])
            options = ["--benchmark-compare=0001", "--benchmark-compare-fail", "mean:5%"]
            head = peer.play({"c1": [22_000_000, 22_000_000]}, Path(folder), options)
        self.assertEqual((base.status, head.status), (0, 1))
        self.assertRegex(base.output, r"c1\S*\s+20\.0000")
        self.assertIn("Field 'mean' has failed PercentageRegressionCheck: 10.0000", head.output + head.talk)
        self.assertEqual(read_failures(head), {("c1", "mean")})

    def test_a_failure_without_a_named_benchmark_is_an_error(self):
        with self.assertRaises(UnreadVerdict):
            read_failures(Finished(1, "1 passed", ""))


if __name__ == "__main__":
    unittest.main()
