"""An unmodified Google Benchmark program is gated: against its own sessions, with a slower copy, and with misuse.

The machine may be shared, and then "inconclusive" is right. So the slow copy is measured up to four times: it must never
pass, and one run must be red. If all runs are inconclusive, the test is skipped (77) with a message.
"""

import json
import sys
import unittest

from gate_runner import BUILD, Workplace, metric

PLAIN = BUILD / "bin" / "plain_benchmark"
SLOW = BUILD / "bin" / "plain_benchmark_slow"
CASE = "micro/chain/n20000"
NAME = "BM_Chain/20000/min_time:0.100/real_time"
QUICK = ["--tier", "timed", "--session-gap", "0", "--replicates", "3"]
TOO_NOISY = 77


class PlainBenchmark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Workplace(program=BUILD / "bin" / "perftests")
        cls.use(PLAIN, NAME)
        for session in range(5):
            done = cls.place.run("gate", CASE, *QUICK)
            assert done.returncode in (0, 1, 4, 5), done.stdout + done.stderr
            cls.place.accept(CASE, *(["--append"] if session else []), expect=0)

    @classmethod
    def tearDownClass(cls):
        cls.place.close()

    @classmethod
    def use(cls, program, benchmark, **more):
        cases = [case for case in cls.place.manifest["cases"] if case["name"] != CASE]
        cls.place.manifest["cases"] = cases + [{"name": CASE, "suite": "micro", "program": str(program),
                                                "device": "cpu", "timeout_s": 60, "benchmark": benchmark, **more}]
        cls.place.write_manifest()

    def gate(self, *words):
        done = self.place.run("gate", CASE, *QUICK, *words)
        return done, self.place.verdict("timed", CASE)

    def test_sessions_hold_step_time_and_the_reference(self):
        document = json.loads((self.place.baselines / "local" / f"{CASE}.json").read_text())
        self.assertEqual(len(document["sessions"]), 5)
        self.assertIn("step_time_ns", document["sessions"][0]["timed"])
        self.assertIn("samples_per_s", document["sessions"][0]["timed"])
        self.assertIn("reference_step_ns", document["sessions"][0]["timed"])

    def test_the_same_program_is_no_worse_than_itself(self):
        self.use(PLAIN, NAME)
        done, outcome = self.gate()
        self.assertIn(outcome["status"], ("pass", "improved", "inconclusive"), done.stdout)
        self.assertEqual(done.returncode, 4 if outcome["status"] == "inconclusive" else 0)

    def test_a_copy_with_four_times_the_work_is_red(self):
        self.use(SLOW, NAME)
        seen = []
        for _ in range(4):
            done, outcome = self.gate()
            self.assertIn(outcome["status"], ("regressed", "inconclusive"), done.stdout)
            self.assertGreater(metric(outcome, "step_time_ns")["change"], 0.5, done.stdout)
            if outcome["status"] == "regressed":
                self.assertEqual(done.returncode, 1)
                return
            seen.append(outcome["detail"])
        print("SKIPPED, this machine is too noisy for a red:\n  " + "\n  ".join(seen))
        self.skipTest("too noisy")

    def test_counters_that_are_not_numbers_are_ignored(self):
        self.use(PLAIN, "BM_OddCounters/min_time:0.010/real_time")
        done, outcome = self.gate()
        self.assertEqual(outcome["reason"], "incompatible-tree", "the baseline has another benchmark")
        self.assertIn("BM_OddCounters", outcome["detail"], done.stdout)
        self.assertEqual(done.returncode, 5)

    def failed(self, benchmark, *parts, **more):
        self.use(PLAIN, benchmark, **more)
        done, outcome = self.gate()
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertEqual(outcome["status"], "failed")
        for part in parts:
            self.assertIn(part, done.stdout)

    def test_a_wrong_name_is_reported_with_the_nearest(self):
        self.failed("BM_Chain/20001/min_time:0.100/real_time", "did you mean", NAME)

    def test_a_crash_is_reported(self):
        self.failed("BM_Crashes", "SIGABRT")

    def test_an_error_of_the_benchmark_is_reported(self):
        self.failed("BM_GivesUp", 'the table "prices" is missing')

    def test_threads_need_cpus(self):
        self.failed(NAME + "/threads:2", "CPUS 2")

    def test_it_has_no_exact_half(self):
        self.use(PLAIN, NAME)
        done = self.place.run("gate", CASE, "--tier", "exact", expect=2)
        self.assertIn("no exact half", done.stderr)
        done = self.place.run("sweep", CASE, "--vary", "batch_size=1,2", expect=2)
        self.assertIn("cannot be swept", done.stderr)

    def test_with_both_halves_the_timed_half_decides(self):
        self.use(PLAIN, NAME)
        done = self.place.run("gate", CASE, "--session-gap", "0", "--replicates", "3")
        self.assertNotIn("nothing-measured", json.dumps(self.place.verdict("all", CASE)))
        self.assertIn(done.returncode, (0, 4), done.stdout)

    def test_without_a_reference_case_nothing_is_red(self):
        self.use(SLOW, NAME)
        whole = self.place.manifest["cases"]
        self.place.manifest["cases"] = [case for case in whole if case["name"] == CASE]
        self.place.write_manifest()
        try:
            done, outcome = self.gate()
            self.assertEqual(outcome["status"], "inconclusive", done.stdout)
            self.assertEqual(done.returncode, 4)
        finally:
            self.place.manifest["cases"] = whole
            self.place.write_manifest()


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else TOO_NOISY if result.skipped else 0)
