import tempfile
import unittest
from pathlib import Path

from peers.adapters.nvbench import ALL_PROCESSES, LEGACY, ONE_PROCESS, ROBUST, Nvbench, read_statuses
from peers.peer import UnreadVerdict
from peers.places import default_places
from peers.samples_for_tests import noisy, slower_by
from peers.tool_run import run_tool
from peers.verdict import Verdict


class NvbenchTest(unittest.TestCase):
    def decide(self, script, kind, comparisons):
        with tempfile.TemporaryDirectory() as folder:
            peer = Nvbench(default_places(), script, kind)
            return peer.decide(comparisons, Path(folder))[peer.rules[0].key]

    def test_clear_regressions_and_identical_data(self):
        comparisons = [slower_by(0.10, 0), slower_by(0.0, 1), slower_by(-0.10, 2)]
        for script in (LEGACY, ROBUST):
            for kind in (ONE_PROCESS, ALL_PROCESSES):
                with self.subTest(script=script.word, kind=kind.word):
                    self.assertEqual(self.decide(script, kind, comparisons), [Verdict.RED, Verdict.FINE, Verdict.FINE])

    def test_only_the_robust_script_is_ever_undecided(self):
        overlapping = [noisy(0.02, 0.03, index) for index in range(3)]
        self.assertEqual(self.decide(ROBUST, ONE_PROCESS, overlapping), [Verdict.UNDECIDED] * 3)
        self.assertNotIn(Verdict.UNDECIDED, self.decide(LEGACY, ONE_PROCESS, overlapping))

    def test_the_legacy_limit_is_one_standard_deviation(self):
        self.assertEqual(self.decide(LEGACY, ONE_PROCESS, [slower_by(0.005, 0), slower_by(0.02, 1)]),
                         [Verdict.FINE, Verdict.RED])

    def test_the_tool_reads_the_written_change_and_samples(self):
        with tempfile.TemporaryDirectory() as folder:
            peer = Nvbench(default_places(), ROBUST, ONE_PROCESS)
            peer.decide([slower_by(0.10, 7)], Path(folder))
            said = run_tool([default_places().python, "-m", ROBUST.module, "--no-color", "--display", "explain",
                             "base.json", "head.json"], Path(folder))
        self.assertRegex(said.output, r"\|\s*7\s*\|.*\| 50\.\d+ \|.*\| 55\.\d+ \|.*SLOW")  # medians, in ms
        self.assertIn("bc-gap", said.output)  # confirmed in cycles from the sample files
        self.assertNotIn("Could not use", said.talk)

    def test_a_row_without_a_status_is_an_error(self):
        with self.assertRaises(UnreadVerdict):
            read_statuses("| 3 | 1.0 ms | |\n")


if __name__ == "__main__":
    unittest.main()
