import json
import tempfile
import unittest
from pathlib import Path

from peers.adapters.stepgate_pairs import StepgatePairs
from peers.peer import UnreadVerdict
from peers.samples_for_tests import slower_by
from peers.verdict import Verdict


class StepgatePairsTest(unittest.TestCase):
    """Uses a stand-in for lab_verdicts with fixed output. Other tests cover the rule itself."""

    def decide(self, lines, comparisons):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "lab_verdicts"
            said = "\n".join(json.dumps(line) for line in lines)
            program.write_text(f"#!/bin/sh\ntest \"$2 $3\" = '--hypotheses 20' || exit 2\ncat <<'END'\n{said}\nEND\n")
            program.chmod(0o755)
            peer = StepgatePairs(program)
            return peer.decide(comparisons, Path(folder))["stepgate.20"], peer.pairs

    def test_only_regressed_is_red_and_inconclusive_is_undecided(self):
        calls = ["regressed", "inconclusive", "pass", "improved"]
        lines = [{"index": index, "call": call, "pairs": 4 + 4 * index} for index, call in enumerate(calls)]
        verdicts, pairs = self.decide(lines, [slower_by(0.0, index) for index in range(4)])
        self.assertEqual(verdicts, [Verdict.RED, Verdict.UNDECIDED, Verdict.FINE, Verdict.FINE])
        self.assertEqual(pairs, [4, 8, 12, 16])

    def test_a_missing_comparison_is_an_error(self):
        with self.assertRaisesRegex(UnreadVerdict, "comparison 1"):
            self.decide([{"index": 0, "call": "pass", "pairs": 4}], [slower_by(0.0, 0), slower_by(0.0, 1)])


if __name__ == "__main__":
    unittest.main()
