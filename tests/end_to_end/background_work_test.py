"""A head that works beside its step, in a thread or in a session of its own, is decided and named.

In alternating windows such a head also runs in the windows of the base, so both sides look alike. The case must leave
them, keep what was measured so far, and show the slower step. The machine may be shared: if the slow head is
inconclusive for another reason, the test is skipped (77) with a message. A slow head must never pass.
"""

import json
import sys
import unittest

from gate_runner import FAULTY
from two_builds import Builds, program

TOO_NOISY = 77

DAEMON = """#!/bin/sh
case " $* " in *" --stepgate_case="*) (setsid sh -c 'while :; do :; done' >/dev/null 2>&1 &) ;; esac
STEPGATE_TEST_FAULT=none exec {} "$@"
"""


def replicate(builds, pair, side):
    path = builds.folder() / "pairs" / pair / side / "measurement.json"
    return json.loads(path.read_text())["replicates"][-1]


class BackgroundWork(unittest.TestCase):
    def compared(self, builds):
        self.addCleanup(builds.close)
        done = builds.ab("--tier", "timed", "--pairs", "8", "--budget", "120")
        return done, builds.outcome()

    def finding(self, outcome, code):
        return next(f for f in outcome["findings"] if f["code"] == code)

    def assert_left_windows(self, builds, done, outcome):
        self.assertIn("had its window", done.stderr)
        first = replicate(builds, "000", "base")
        self.assertIn("had its window", first["set_aside"])
        self.assertIn("record", first, "it stays on record")
        later = replicate(builds, "001", "head")
        self.assertNotIn("set_aside", later)
        self.assertEqual(later["taint_reasons"], [], "a program does not disturb itself")
        self.finding(outcome, "busy-while-waiting")

    def assert_red(self, done, outcome):
        self.assertIn(outcome["status"], ("regressed", "inconclusive"), done.stdout)
        if outcome["status"] == "inconclusive":
            print("SKIPPED, this machine is too noisy for a red:\n  " + outcome["detail"])
            self.skipTest("too noisy")
        # How much slower depends on the share of the CPU that the machine gives to either: only the verdict is promised.
        slower = [entry["metric"] for entry in outcome["metrics"] if entry["status"] == "regressed"]
        self.assertTrue({"step_time_ns", "step_time_mean_ns"} & set(slower), done.stdout)

    def test_a_busy_thread_of_the_head_is_red_and_named(self):
        builds = Builds("busy_thread")
        done, outcome = self.compared(builds)
        self.assert_left_windows(builds, done, outcome)
        background = self.finding(outcome, "background-work")
        self.assertIn("busy_thread", background["message"])
        self.assert_red(done, outcome)
        self.assertEqual(background["severity"], "cause")

    def test_a_busy_thread_of_both_builds_is_never_red(self):
        builds = Builds("busy_thread", "busy_thread")
        done, outcome = self.compared(builds)
        self.assert_left_windows(builds, done, outcome)
        self.assertIn(outcome["status"], ("pass", "inconclusive"), done.stdout)
        self.assertNotIn("background-work", [f["code"] for f in outcome["findings"]])

    def test_a_process_in_a_session_of_its_own_is_own_work(self):
        builds = Builds("none")
        program(builds.head.folder / "bin" / "train", "none").write_text(DAEMON.format(FAULTY))
        done, outcome = self.compared(builds)
        self.assert_left_windows(builds, done, outcome)
        self.assert_red(done, outcome)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else TOO_NOISY if result.skipped else 0)
