import re
import tempfile
import unittest
from pathlib import Path

from peers.adapters.google_benchmark import ALL_PROCESSES, ONE_PROCESS, GoogleBenchmark, document, read_verdicts
from peers.peer import UnreadVerdict
from peers.places import default_places
from peers.samples_for_tests import noisy, slower_by
from peers.tool_run import run_tool
from peers.verdict import Verdict


class GoogleBenchmarkTest(unittest.TestCase):
    def decide(self, kind, comparisons):
        with tempfile.TemporaryDirectory() as folder:
            return GoogleBenchmark(default_places(), kind).decide(comparisons, Path(folder))

    def test_clear_regressions_and_identical_data(self):
        comparisons = [slower_by(0.10, 0), slower_by(0.0, 1), slower_by(-0.10, 2)]
        expected = [Verdict.RED, Verdict.FINE, Verdict.FINE]
        for kind in (ONE_PROCESS, ALL_PROCESSES):
            verdicts = self.decide(kind, comparisons)
            self.assertEqual(verdicts[f"gbench.utest.{kind.word}"], expected)
            self.assertEqual(verdicts[f"gbench.colour.{kind.word}"], expected)

    def test_the_colour_has_a_limit_of_five_percent_and_the_u_test_has_none(self):
        verdicts = self.decide(ALL_PROCESSES, [slower_by(0.04, 0), slower_by(0.06, 1)])
        self.assertEqual(verdicts["gbench.colour.all"], [Verdict.FINE, Verdict.RED])
        self.assertEqual(verdicts["gbench.utest.all"], [Verdict.RED, Verdict.RED])

    def test_a_change_within_the_noise_is_not_significant(self):
        self.assertEqual(self.decide(ONE_PROCESS, [noisy(0.001, 0.05)])["gbench.utest.one"], [Verdict.FINE])

    def test_the_tool_reads_the_written_change(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, times in (("base", [100.0] * 10), ("head", [125.0] * 10)):
                (Path(folder) / f"{name}.json").write_text(str(document({"c1": times})).replace("'", '"'))
            places = default_places()
            text = run_tool([places.python, places.compare_py, "benchmarks", "base.json", "head.json"], Path(folder)).output
        self.assertRegex(re.sub(r"\x1b\[\d+m", "", text), r"c1_median\s+\+0\.2500")
        self.assertIn("U Test, Repetitions: 10 vs 10", text)

    def test_output_without_the_benchmark_is_an_error(self):
        with self.assertRaises(UnreadVerdict):
            read_verdicts("Comparing a.json to b.json\n", "c1")


if __name__ == "__main__":
    unittest.main()
