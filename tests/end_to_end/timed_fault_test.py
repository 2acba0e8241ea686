"""Against five recorded sessions a forward pass slowed by half is red, and the cause names forward."""

import json
import unittest

from gate_runner import CASE, Workplace, causes, metric

QUICK = ["--session-gap", "0", "--replicates", "3"]


class TimedFault(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Workplace()
        for session in range(5):
            done = cls.place.gate("timed", words=QUICK)
            assert done.returncode in ((5,) if session == 0 else (0, 4)), done.stdout + done.stderr
            cls.place.accept(*(["--append"] if session else []), expect=0)

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    def test_five_sessions_are_stored_whole(self):
        document = json.loads((self.place.baselines / "local" / f"{CASE}.json").read_text())
        self.assertEqual(len(document["sessions"]), 5)
        self.assertEqual({len(s["timed"]["step_time_ns"]) for s in document["sessions"]}, {3})

    def test_slow_forward_is_red_and_named(self):
        done = self.place.gate("timed", words=QUICK, fault="slow_forward", expect=1)
        outcome = self.place.verdict("timed")
        self.assertEqual(metric(outcome, "step_time_ns")["status"], "regressed", done.stdout)
        self.assertRegex(causes(outcome), r"^forward|\bforward\b")
        self.assertNotRegex(causes(outcome), r"\b(backward|optimizer) \+")
        self.assertIn("forward", done.stdout)

    def test_unchanged_code_is_not_red(self):
        done = self.place.gate("timed", words=QUICK)
        self.assertIn(done.returncode, (0, 4), done.stdout)


if __name__ == "__main__":
    unittest.main()
