import json
import tempfile
import unittest
from pathlib import Path

from peers.adapters.otava_history import HISTORIES, Otava, read_rises
from peers.places import default_places
from peers.samples_for_tests import slower_by
from peers.verdict import Verdict


def rise(index, before, after):
    return json.dumps({"steps": [{"changes": [{"metric": "c1", "index": index, "mean_before": before, "mean_after": after}]}]})


class OtavaTest(unittest.TestCase):
    def decide(self, history, comparisons):
        with tempfile.TemporaryDirectory() as folder:
            return Otava(default_places(), history).decide(comparisons, Path(folder))[history.key]

    def test_clear_regressions_and_identical_data(self):
        comparisons = [slower_by(0.10, 0), slower_by(0.0, 1), slower_by(-0.10, 2)]
        for history in HISTORIES:
            with self.subTest(history=history.key):
                self.assertEqual(self.decide(history, comparisons), [Verdict.RED, Verdict.FINE, Verdict.FINE])

    def test_magnitude_lets_changes_below_it_pass(self):
        default, magnitude = HISTORIES[1:]
        comparisons = [slower_by(0.008, 0), slower_by(0.02, 1)]
        self.assertEqual(self.decide(default, comparisons), [Verdict.RED, Verdict.RED])
        self.assertEqual(self.decide(magnitude, comparisons), [Verdict.FINE, Verdict.RED])

    def test_only_rises_at_the_new_runs_count(self):
        self.assertEqual(read_rises(rise(18, "1.0", "1.1"), {"c1": 18}), {"c1"})
        self.assertEqual(read_rises(rise(17, "1.0", "1.1"), {"c1": 18}), set())
        self.assertEqual(read_rises(rise(20, "1.1", "1.0"), {"c1": 18}), set())


if __name__ == "__main__":
    unittest.main()
