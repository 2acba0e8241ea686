"""The gate treats a case that trains on two processes as one. If one rank dies, the other is stopped."""

import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from gate_runner import BUILD, Workplace, causes, metric

CASE = "language/char_lm_parallel/tiny"
PROGRAM = BUILD / "bin" / "faulty_char_lm_parallel"


def processes_of(folder):
    """Living processes with `folder` in their command line."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if str(folder).encode() in (entry / "cmdline").read_bytes():
                found.append(entry.name)
        except OSError:
            pass
    return found


class Ranks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Workplace(program=PROGRAM, case=CASE)
        cls.gate(expect=5)
        cls.place.accept(expect=0)

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    @classmethod
    def gate(cls, **options):
        return cls.place.run("gate", CASE, "--tier", "exact", **options)

    def outcome(self):
        return self.place.verdict("exact", case=CASE)

    def assert_nothing_is_left(self):
        self.assertEqual(processes_of(self.place.folder), [])
        self.assertEqual(list(self.place.out.rglob("*.ranks-*")), [])

    def record(self):
        measurement = json.loads((self.place.out / CASE / "exact" / "measurement.json").read_text())
        return measurement["replicates"][0]["record"]

    def test_two_runs_have_equal_losses(self):
        done = self.gate(expect=0)
        self.assertTrue(done.stdout.startswith("1 pass"), done.stdout)
        self.assertEqual(metric(self.outcome(), "loss")["status"], "pass")
        self.assert_nothing_is_left()

    def test_the_record_contains_both_ranks(self):
        self.gate(expect=0)
        record = self.record()
        self.assertEqual(record["fingerprint"]["ranks"], "2")
        samples = record["counts"]["per_step"]["samples_per_step"]
        self.assertEqual(set(samples), {8}, "the global batch, four rows on each rank")

    def test_synchronising_each_micro_step_is_red(self):
        self.gate(fault="sync_each", expect=1)
        outcome = self.outcome()
        self.assertEqual(metric(outcome, "operators_per_step")["status"], "regressed")
        self.assertRegex(causes(outcome), r"backward.*c10d::allreduce_")

    def test_a_rank_that_throws(self):
        done = self.gate(fault="throw", expect=3)
        self.assertIn("rank 1 of 2 failed with status 1", done.stdout + done.stderr)
        self.assertRegex(done.stdout + done.stderr, r"\[rank 1\] perftest: .*boundary forward, step 2: "
                                                    r"the second rank is broken")
        self.assert_nothing_is_left()

    def test_a_rank_that_crashes(self):
        done = self.gate(fault="crash", expect=3)
        self.assertRegex(done.stdout + done.stderr, r"rank 1 of 2 was killed by signal 11 \(SIGSEGV\) in pass counts, "
                                                    r"boundary forward, step 2")
        self.assert_nothing_is_left()

    def test_a_rank_that_hangs(self):
        done = self.gate(fault="hang", expect=3)
        said = done.stdout + done.stderr
        self.assertIn("rank 0 of 2 failed with status 1; still running and stopped: 1", said)
        self.assertIn("an exchange with the other ranks failed (did one of them end, or hang?)", said)
        self.assert_nothing_is_left()

    def test_ranks_that_start_with_different_weights(self):
        done = self.gate(fault="other_weights", expect=3)
        self.assertIn("the ranks start from different weights", done.stdout + done.stderr)
        self.assert_nothing_is_left()

    def test_a_launcher_that_is_killed_leaves_no_rank(self):
        record = self.place.folder / "killed.json"
        program = subprocess.Popen(
            [str(PROGRAM), f"--stepgate_case={CASE}", "--stepgate_group=exact", f"--stepgate_record={record}",
             f"--stepgate_data={os.environ['STEPGATE_TEST_DATA_DIR']}"],
            env={**os.environ, "STEPGATE_TEST_FAULT": "hang"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(processes_of(record)) < 3:  # the parent process and two ranks
            self.assertIsNone(program.poll())
            time.sleep(0.05)
        program.send_signal(signal.SIGTERM)
        self.assertEqual(program.wait(timeout=120), -signal.SIGTERM)
        self.assertEqual(processes_of(record), [])
        self.assertEqual(list(self.place.folder.glob("killed.json*")), [])


if __name__ == "__main__":
    unittest.main()
